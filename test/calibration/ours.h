/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One score judged as assay judges it, twice: quickly, by the tests of stats/ in the way the verdict
 * room calls them, for ten thousands of experiments; and by comparison_make() itself, from runs in
 * their blocks. A test holds both equal.
 */
#pragma once

#include "calibration/simulate.h"
#include "stats/noise.h"
#include "stats/sequential.h"
#include "verdict/comparison.h"

#include <stdbool.h>

struct ours {
	double p;
	double change;    /* Relative: 0.02. */
	bool provisional; /* Rests on the t test. */
};

/* What is known of a metric from 24 earlier runs of one subject, 6 each in 4 quiet campaigns. */
struct noise ours_history(struct random *random, const struct experiment_case *experiment);

/* All runs, a fixed number. `history` NULL: nothing is known, and the permutation test judges where it
 * can reach alpha. Else the t test that knows it, also where the product would have runs enough to
 * permute. */
struct ours ours_judge(const struct simulated *simulated, const struct noise *history,
		       double alpha);

/* The interval that "same" is judged by lies within +-margin (relative), after the first n runs a
 * side: tests of its two ends instead of a search for them. */
bool ours_is_same(const struct simulated *simulated, size_t n, double margin);

/* The change as it is estimated after the first n runs a side, relative. */
double ours_change(const struct simulated *simulated, size_t n);

/* Runs a side at the look that rejects, 0 when none does. */
size_t ours_looks(const struct sequential_schedules *schedules, const struct sequential_plan *plan,
		  const struct simulated *simulated);

/* Schedules of blocks of 2 + 2 up to n_max runs a side. */
struct sequential_schedules *ours_schedules(const struct sequential_plan *plan);

/* The product's own answer: the verdict and p of one score in a comparison of the first n runs a
 * side; sequential_max as in verdict_options. */
struct ours_answer {
	enum verdict verdict;
	double p, change, low, high;
	bool provisional;
	size_t look_runs;
};
struct ours_answer ours_compare(const struct simulated *simulated, size_t n,
				const struct noise *history, size_t sequential_max);
