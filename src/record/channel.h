/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Channels: the raw readings that a monitor takes at each sample, and the rules that make metrics
 * of them.
 */
#pragma once

#include "record/metric.h"
#include "record/value.h"

#include <stdint.h>

#define CHANNELS_PER_MONITOR_MAX 65536

enum channel_kind {
	CHANNEL_COUNTER = 0, /* Cumulative, `count`; wraps at its width. */
	CHANNEL_GAUGE = 1,   /* A level, `level`. */
};

/* One raw reading. Plain bytes: monitors fill arrays of it inside the measured window. */
struct reading {
	uint8_t state; /* enum value_state */
	uint8_t why;   /* enum missing */
	union {
		uint64_t count; /* CHANNEL_COUNTER */
		double level;   /* CHANNEL_GAUGE */
	};
};

static inline struct reading reading_count(uint64_t count)
{
	return (struct reading) { .state = VALUE_KNOWN, .count = count };
}

static inline struct reading reading_level(double level)
{
	return (struct reading) { .state = VALUE_KNOWN, .level = level };
}

static inline struct reading reading_missing(enum missing why)
{
	return (struct reading) { .state = VALUE_MISSING, .why = (uint8_t)why };
}

struct channel {
	const char *name; /* Within its monitor, without the monitor's name: "CPU0.TIMER". */
	enum channel_kind kind;
	uint8_t width_bits; /* 32 or 64 for counters: where the kernel's own variable wraps. 0 for
			       gauges. */
};

/* How a metric is made: kind as in metric.h from the channels `parts` (and `whole` for
 * METRIC_SHARE). A counter's difference is the sum of the steps between samples next to each other
 * where both were read; so a CPU that comes or goes adds what was seen of it and never a negative
 * number. */
struct metric_rule {
	struct metric metric;
	double scale; /* Multiplies the result: 0.001, 4 (KiB a page); not applied to METRIC_SHARE.
		       */
	const uint32_t *parts; /* Channel indexes within the monitor, ascending. */
	uint32_t n_parts;
	const uint32_t *whole;
	uint32_t n_whole;
};
