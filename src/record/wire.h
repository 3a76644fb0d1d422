/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The record stream, writing half: what assay-probe says while it carries out one run. Format:
 * assay-record(5).
 *
 * A stream is a sequence of frames: 4 sync bytes, type, length, CRC-32C, payload. Each frame is
 * written by one write(2) of a buffer that was allocated beforehand, so that a stream torn anywhere
 * is readable up to the tear, and a writer that takes over after a crash (the supervisor) can still
 * append the last word.
 */
#pragma once

#include "base/error.h"
#include "record/channel.h"
#include "record/run.h"

#include <stddef.h>
#include <stdint.h>

#define WIRE_VERSION 1
#define WIRE_FRAME_BYTES_MAX (1U << 20)
#define WIRE_MONITORS_MAX 256
#define WIRE_WORKERS_MAX 65536

enum wire_type { /* Part of the format: only append. */
		 WIRE_HELLO = 1,
		 WIRE_FACT = 2,
		 WIRE_MONITOR = 3,
		 WIRE_CHANNEL = 4,
		 WIRE_RULE = 5,
		 WIRE_PHASE = 6,
		 WIRE_SAMPLE = 7,
		 WIRE_SCORE = 8,
		 WIRE_WORKER = 9,
		 WIRE_COST = 10,
		 WIRE_LOG = 11,
		 WIRE_END = 12,
};

struct wire;

/* A writer on `fd` (borrowed). Its buffer is allocated here, once: nothing below allocates. */
struct wire *wire_new(int fd);
void wire_free(struct wire *wire);

struct wire_hello {
	const char *version;   /* Of the probe. */
	const char *workload;  /* Plug-in name: "page_fault1". */
	const char *prefix;    /* Of its metric names, plugin_prefix(): "will-it-scale". */
	const char *isolation; /* As in struct run. */
	uint32_t semantics;
	uint64_t started_wall_ns;
};

/* All of these give 0 or -errno of the write. Texts longer than the frame allows are cut. One
 * thread at a time. */
int wire_hello(struct wire *wire, const struct wire_hello *hello);
int wire_fact(struct wire *wire, const char *name, enum value_state state, enum missing why,
	      const char *text);
/* `id` counts from 0; reason NULL when it opened. */
int wire_monitor(struct wire *wire, uint32_t id, const char *name, const char *absent_reason);
int wire_channel(struct wire *wire, uint32_t monitor, uint32_t index,
		 const struct channel *channel);
int wire_rule(struct wire *wire, uint32_t monitor, const struct metric_rule *rule);
int wire_phase(struct wire *wire, enum phase phase, uint64_t at_ns);
/* Safe inside the measured window. n is the number of channels declared, all in order. */
int wire_sample(struct wire *wire, uint32_t monitor, uint64_t at_ns, const struct reading *readings,
		uint32_t n);
int wire_score(struct wire *wire, const struct metric *metric, struct value value);
int wire_worker(struct wire *wire, uint32_t index, const struct worker *worker);
/* A monitor's last word, once, behind its last sample: it says as well how many samples were sent,
 * and a reader who has not got them all does not trust the monitor's metrics. */
int wire_cost(struct wire *wire, uint32_t monitor, uint64_t samples, uint64_t cpu_ns);
int wire_log(struct wire *wire, const char *bytes, size_t length);
/* The last word; says as well how many workers were written. */
int wire_end(struct wire *wire, enum run_outcome outcome, const char *reason);
