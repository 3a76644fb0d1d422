/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The meaning of intact frames: each is taken into what is known of the run so far. It neither
 * searches for frames (stream.c) nor makes metrics (finish.c). A frame may be intact and still lie:
 * everything is checked, and what one stream may occupy is limited.
 */
#pragma once

#include "base/error.h"
#include "base/text.h"
#include "record/channel.h"
#include "record/run.h"
#include "record/wire.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DECODE_LOG_BYTES_MAX (1U << 20)
#define DECODE_MEMORY_MAX (1ULL << 30) /* Of everything that one stream makes us keep. */
#define DECODE_RULES_MAX 65536         /* A monitor. */

struct decoded_monitor {
	bool is_declared; /* Its MONITOR frame came. */
	char *name;
	char *absent_reason;       /* NULL when it opened. */
	struct series series;      /* Its monitor is NULL until the end. */
	bool *has_channel;         /* Which channels were declared; a lost one is a hole. */
	size_t channels_capacity;  /* Of series.channels and has_channel. */
	bool is_width_fixed;       /* Samples have come: series.n_channels stays as it is. */
	size_t samples_capacity;   /* Of series.times_ns. */
	size_t readings_capacity;  /* Of series.readings. */
	uint32_t next_number;      /* Of the next sample. */
	bool has_first, has_hole;  /* Sample 0 came; one between two others did not. */
	bool is_cut;               /* Samples were dropped for want of room. */
	struct metric_rule *rules; /* Strings and arrays are owned. */
	size_t n_rules, rules_capacity;
	bool has_cost; /* Its last word came. */
	uint32_t sent; /* Samples that were written, by its last word. */
	uint64_t samples, cpu_ns;
};

struct decoded {
	struct run *run; /* All but metrics of rules, series, costs and log. */
	char *prefix;    /* Of the workload's metric names; "" until the hello. */
	bool has_hello, has_ended;
	enum phase phase; /* The furthest reached. */
	struct decoded_monitor monitors[WIRE_MONITORS_MAX];
	bool has_lost_monitor; /* Frames came of a monitor whose own frame did not. */
	size_t workers_capacity;
	uint32_t workers_came;    /* WORKER frames. */
	uint32_t workers_written; /* By the last word. */
	struct text log;
	bool is_log_cut;
	uint64_t memory; /* Bytes charged so far. */
};

enum decode_result {
	DECODE_TAKEN,
	DECODE_UNKNOWN,   /* Of a type that this version does not know: passed over. */
	DECODE_MALFORMED, /* Makes no sense, or says again what was said: passed over. */
	DECODE_NEWER,     /* A hello of a newer format; err is set. */
};

struct decoded *decoded_new(void);
void decoded_free(struct decoded *decoded);

enum decode_result decoded_take(struct decoded *decoded, uint8_t type, const uint8_t *payload,
				size_t length, struct error *err);
