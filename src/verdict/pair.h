/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One metric of the base beside the same of one head: the known values of both in the order of the
 * runs, on the scale on which they are judged.
 *
 * The scale is logarithmic when the change is told in per cent and all values of both sides are above
 * 0: a shift of the logarithms is a factor of the values, which is what a slower kernel does to fast
 * and slow runs alike. Else the values stay as they are.
 */
#pragma once

#include "stats/blocked.h"
#include "stats/moderated.h"
#include "verdict/comparison.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pair_run {     /* A complete run of the base or of the head. */
	size_t index; /* In the order of its side. */
	uint32_t block;
	bool is_head;
};

struct pair_plan {             /* The runs of the base and of one head; the same for all metrics. */
	struct pair_run *runs; /* By block, then as they were carried out. */
	size_t n;
	bool blocked; /* Base and head share a block; else all runs are one. */
};

struct pair {
	double *values;
	bool *is_head;
	uint32_t *blocks; /* All 0 unless the plan is blocked. */
	size_t n, n_side[2];
	bool relative; /* The change is told in per cent of the base's mean. */
	bool logarithmic;
	bool nonnegative; /* No value is below 0. */
	bool constant;    /* Each side has one value only, be it the same or not. */
	double base_mean; /* Of the values before any logarithm. */
};

struct pair_plan pair_plan_make(const struct comparison *comparison, size_t side);
void pair_plan_done(struct pair_plan *plan);

/* Room for the pairs of a plan, to be filled again and again. */
struct pair pair_room(const struct pair_plan *plan);
void pair_done(struct pair *pair);

/* The values of a row. Both cells need a known value. */
void pair_fill(struct pair *pair, const struct pair_plan *plan, const struct row *row, size_t side);

/* As the tests of stats/ want it; borrows. */
struct blocked pair_blocked(const struct pair *pair);

/* A shift on the scale of the pair as a change: per cent of the base's mean, or the metric's unit. What
 * was never below 0 falls by no more than all of it. */
double pair_change(const struct pair *pair, double shift);

/* The smallest p that any order of these runs could give. */
double pair_smallest_p(const struct pair *pair);

struct pair_moderated { /* What moderated_compare is given. */
	struct moderated_sides sides;
	struct moderated_prior prior;
	double variance; /* Of the runs alone, block and side taken out; NaN without degrees. */
};

/* Sums the pair up for the moderated t test: outliers drawn in, block means taken out. Blocks of
 * unequal sides say less than their number of runs: squares and prior are made larger by so much.
 * False when nothing is left to find a difference from. */
bool pair_moderated(const struct pair *pair, const struct moderated_prior *prior,
		    struct pair_moderated *ret_moderated);
