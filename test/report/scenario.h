/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Comparisons for the tests of the renderers, typed in: what a verdict is does not matter here, only
 * how it is told. A plain one, one with every doubt about runs and surroundings, one with three
 * sides, and one with guards, marks, clusters and every kind of reason.
 */
#pragma once

#include "verdict/sample.h"

#define SCENARIO_SIDES_MAX 3
#define SCENARIO_ROWS_MAX 64
#define SCENARIO_LISTED_MAX 8 /* Warnings, notes, differences. */

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

/* An empty comparison of what stands in samples[0 .. n_sides - 1]. */
void scenario_begin(struct scenario *scenario);
void scenario_done(struct scenario *scenario);

/* A row whose cells are empty; the metric's name is copied. The row stays where it is. */
struct row *scenario_row(struct scenario *scenario, const struct metric *metric);

/* All complete runs of a side have a value. */
void scenario_cell(struct scenario *scenario, struct row *row, size_t side, double mean,
		   double deviation);
void scenario_missing(struct scenario *scenario, struct row *row, size_t side, enum missing why);

/* The change that the cells show, with intervals of 2.9 and 2.1 standard errors, under this verdict
 * and p. Constant sides are "exact". Counts the finding into its family. */
struct finding *scenario_judge(struct scenario *scenario, struct row *row, size_t side,
			       enum verdict verdict, double p);

/* A row of two sides in one call. */
struct row *scenario_pair(struct scenario *scenario, const struct metric *metric,
			  const double means[static 2], const double deviations[static 2],
			  enum verdict verdict);

void scenario_warn(struct scenario *scenario, const char *warning);
void scenario_note(struct scenario *scenario, const char *guard, const char *metric, bool withholds,
		   const char *text);

/* What a good experiment looks like: one sysctl, ten runs a side, one clear finding. */
void scenario_plain(struct scenario *scenario);

/* Everything that can be wrong with runs and surroundings at once. */
void scenario_doubtful(struct scenario *scenario);

/* A base and two heads; the second is a parameter and clearly better. */
void scenario_three(struct scenario *scenario);

/* Guards, marks, clusters, looks, provisional and undecided scores. */
void scenario_guarded(struct scenario *scenario);
