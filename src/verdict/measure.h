/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the values of one metric on two sides to a change, an interval and p: no verdict yet. */
#pragma once

#include "verdict/comparison.h"
#include "verdict/pair.h"

#include <stdbool.h>
#include <stddef.h>

struct question { /* All borrowed. */
	const struct comparison *comparison;
	const struct row *row;
	size_t side;
	const struct pair *pair; /* The values of row and side. */
	bool blocked;            /* Base and head share blocks. */
	bool looks;   /* Judged by its looks when the options ask for it; not so restated scores. */
	double level; /* False-alarm rate of this one test: alpha over the number of tests that
		       * share it. It decides whether the permutation test can be had, and bounds
		       * the looks. */
};

/* Without a test: NaN in all numbers, NOT_JUDGED. */
struct finding measure_nothing(void);

/* What both cells' means say, for rows that are shown and not tested; both sides have a value. */
void measure_change(const struct pair *pair, const struct row *row, size_t side,
		    struct finding *finding);

/* Whether a test of the pair could ever find something: it has two values a side, and not one single
 * value in all. Other rows are outside of every family: leaving them out costs no error rate (Tarone
 * 1990), and the many counters that are always 0 would otherwise drown the others. */
bool measure_is_testable(const struct pair *pair);

/* For sides that are constant both: p is the bound of welch_exact_p, the interval a point. */
void measure_exactly(const struct pair *pair, struct finding *finding);

/* A score, by the method asked for; both sides have a value. Also its margin. */
void measure_score(const struct question *question, struct finding *finding);

/* What the t test may claim for a score: without a prior no smaller p than the order of the runs could
 * give at best; with one and 4 runs or fewer on a side, none smaller than the permutation test's
 * unless the order is the most extreme one, and then half as much again. */
double measure_provisional_p(const struct pair *pair, const struct moderated_prior *prior,
			     const struct verdict_options *options, double p);

/* Runs a side, in blocks of the schedule, with which p could come down to `level` at best; 0 when there
 * are none that anybody would wait for. */
size_t measure_runs_least(double level);

/* Runs a side that would decide an undecided score in 9 of 10 cases if the estimate holds, and at least
 * so many that the order of the runs can; 0 when not known or out of reach. */
size_t measure_runs_wanted(const struct question *question, const struct finding *finding);
