/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scalability: what a sweep over nr_task says of a subject. Each number of tasks is a job of its own, so
 * this is found from several of them:
 *
 *     scalability(n) = rate(n) / (n * rate(1))
 *
 * with rate the mean, over the complete runs of a point, of the operations per second of all tasks
 * together ("PREFIX.workload" or "PREFIX.throughput"). 1 is in proportion to the tasks. The points
 * of a sweep differ in nr_task and in nothing else; without the point of one task there is no
 * scalability. LKP's number of the same name is that of the largest n; of a sweep over both modes
 * LKP divides by the better mode's rate of one task, here each mode has its own.
 */
#pragma once

#include "record/job.h"
#include "stats/summary.h"
#include "verdict/comparison.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SWEEP_CONFIDENCE 0.95 /* Of its interval (Fieller); for each number alone, no verdict. */

enum scaling_state {
	SCALING_KNOWN,
	SCALING_NO_SWEEP, /* Nothing else was measured that differs in nr_task only. */
	SCALING_NO_BASE,  /* The sweep has no point of one task, or no run of it is complete. */
	SCALING_NO_RATE,  /* No complete run of this point. */
	SCALING_STATE_COUNT,
};

struct sweep_point {           /* One subject at one point. */
	const struct job *job; /* Borrowed. */
	struct summary rate;   /* Of that metric; n = 0 where no run has one. */
	struct summary idle;   /* Of mpstat.cpu.all.idle%; likewise. */
};

struct scaling {
	enum scaling_state state;
	uint64_t tasks;   /* nr_task of the point; 0 when it has none. */
	double value;     /* Only when known. */
	double low, high; /* NaN: of the point of one task, which is 1 by definition, or where fewer
			   * than two runs of a point allow no interval. */
};

/* The scalability of points[index] among `n` points of one subject. */
struct scaling sweep_scaling(const struct sweep_point *points, size_t n, size_t index);

/* The same for one side of one of several comparisons, as the points of its own sweep. */
struct scaling sweep_scaling_of(const struct comparison *const *comparisons, size_t n, size_t index,
				size_t side);

/* What stands on a side of a comparison. */
struct sweep_point sweep_point_of(const struct comparison *comparison, size_t side);

/* Is this the metric that a sweep is about: "will-it-scale.workload"? */
bool sweep_is_rate(const char *metric);

/* "the sweep has no complete run with nr_task=1": why there is no number. Static; "" when known. */
const char *sweep_reason(enum scaling_state state);
