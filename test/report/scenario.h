/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Comparisons for the tests of the renderers, made by the verdict room from made-up runs: a plain
 * one, one with every doubt there is, and one with three sides.
 */
#pragma once

#include "verdict/sample.h"

#define SCENARIO_SIDES_MAX 3

struct scenario {
	struct sample samples[SCENARIO_SIDES_MAX];
	struct compared_side sides[SCENARIO_SIDES_MAX];
	size_t n_sides;
	struct comparison *comparison;
};

extern const struct metric scenario_time;       /* hackbench.time_sec, a score. */
extern const struct metric scenario_throughput; /* hackbench.throughput, restated. */
extern const struct metric scenario_cost;       /* What the monitors cost. */

/* A monitor's counter; `name` is borrowed. */
struct metric scenario_counter(const char *name, const char *unit);

/* Adds a counter with this mean and deviation to all runs of the sample. */
void scenario_counted(struct sample *sample, const char *name, const char *unit, double mean,
		      double deviation);

/* Judges what stands in samples[0 .. n_sides - 1]. */
void scenario_judge(struct scenario *scenario);
void scenario_done(struct scenario *scenario);

/* What a good experiment looks like: one sysctl, ten runs a side, one clear finding. */
void scenario_plain(struct scenario *scenario);

/* Everything that can be wrong at once. */
void scenario_doubtful(struct scenario *scenario);

/* A base and two heads; the second is a parameter and clearly better. */
void scenario_three(struct scenario *scenario);
