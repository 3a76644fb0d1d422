/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Difference of two means with unequal variances: Welch (1947), degrees of freedom after
 * Satterthwaite (1946), Student distribution from libRmath. Assumes independent runs; drift between
 * the sides breaks it, which is why runs are interleaved in random blocks.
 */
#pragma once

#include "stats/summary.h"

#include <stdbool.h>

struct welch {
	bool known; /* False when a side has fewer than 2 numbers. */
	bool exact; /* Both sides constant: the difference is exact, p is 0 or 1 and the interval a
		       point. */
	double difference; /* head mean - base mean. */
	double low, high;  /* Interval of the difference at `confidence`. */
	double p;          /* Two-sided. */
	double degrees;    /* Degrees of freedom. */
};

struct welch welch_compare(const struct summary *base, const struct summary *head,
			   double confidence);
