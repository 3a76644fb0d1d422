/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The contract of a monitor. A monitor is one .c file in this folder that ends in one `const struct
 * monitor` row; its name stands once more, in the sorted list of meson.build. It opens its files
 * once through the root descriptor, declares channels (raw readings) and rules (the metrics made of
 * them), and then only fills readings. It never formats, prints, stores or subtracts; differences,
 * rates and means are made in record/reduce.c.
 *
 * sample() runs inside the measured window: no allocation, no open, no log, no locale. Only a row
 * that is read on request may open in it, since what it follows comes and goes.
 */
#pragma once

#include "base/error.h"
#include "record/catalogue.h"
#include "record/channel.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum monitor_opened {
	MONITOR_OPEN,        /* It will give readings. */
	MONITOR_UNAVAILABLE, /* It cannot work here; err holds the reason ("no /proc/pressure:
				kernel without CONFIG_PSI"). */
};

/* What open() is given and fills; belongs to the probe. */
struct monitor_setup;

int monitor_root(const struct monitor_setup *setup);             /* The root descriptor. */
const char *monitor_workload(const struct monitor_setup *setup); /* The workload's metric prefix. */

/* Declares the next channel; returns its index (0, 1, ...). `name` is copied. width_bits: 32 or 64,
 * 0 for gauges. */
uint32_t monitor_channel(struct monitor_setup *setup, const char *name, enum channel_kind kind,
			 unsigned width_bits);

/* Declares a metric over channels; everything is copied. metric.name is without the monitor's name
 * in front unless it is full already (contains the monitor's name as its prefix). */
void monitor_rule(struct monitor_setup *setup, const struct metric_rule *rule);

/* The usual case in one call: a channel and the metric of the same name made of it alone. kind is
 * METRIC_COUNTER or METRIC_GAUGE. */
uint32_t monitor_plain(struct monitor_setup *setup, const char *name, const char *unit,
		       enum metric_kind kind, unsigned width_bits);

/* What the workload used in its measured window, taken by the harness (getrusage at the edges). */
struct usage {
	uint64_t elapsed_ns;
	uint64_t user_ns;
	uint64_t system_ns;
	uint64_t minor_faults;
	uint64_t major_faults;
	uint64_t voluntary_switches;
	uint64_t involuntary_switches;
	uint64_t blocks_in; /* 512-byte units, as getrusage gives them. */
	uint64_t blocks_out;
	uint64_t max_resident_kib; /* Largest of all workers. */
};

typedef void monitor_emit(void *sink, const struct metric *metric, struct value value);

struct monitor {
	struct plugin about;
	enum monitor_opened (*open)(struct monitor_setup *setup, void **ret_state,
				    struct error *reason);
	/* One reading for each channel, in order; those not filled are missing (unsampled). */
	void (*sample)(void *state, struct reading *readings);
	void (*close)(void *state);
	/* The workers stand at the barrier, the window has not begun: a monitor of the workload's own
	 * tasks looks for them here. They are the children of proc/self below the root (a number of
	 * that /proc, whatever PID namespace the probe is in), or with threads that process itself.
	 * NULL: not wanted. */
	void (*follow)(void *state, bool has_threads);
	/* Instead of the four above: a monitor of the harness's own numbers (`time`). */
	void (*report)(const struct usage *usage, const char *workload_prefix, monitor_emit *emit,
		       void *sink);
	bool edges_only; /* Two samples, at the edges of the window, whatever the interval. */
};

extern const struct monitor *const monitor_table[];
extern const size_t monitor_table_count;

const struct monitor *monitor_find(const char *name); /* NULL when absent. */

/* Used by the probe to build a setup and read it back. */
struct monitor_setup *monitor_setup_new(int root_fd, const char *monitor_name,
					const char *workload_prefix);
void monitor_setup_free(struct monitor_setup *setup);
const struct channel *monitor_setup_channels(const struct monitor_setup *setup, uint32_t *ret_n);
const struct metric_rule *monitor_setup_rules(const struct monitor_setup *setup, uint32_t *ret_n);
