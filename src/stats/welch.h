/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Difference of two means with unequal variances: Welch (1947), degrees of freedom after
 * Satterthwaite (1946), Student distribution from libRmath. Assumes independent runs; drift between
 * the sides breaks it, which is why runs are interleaved in random blocks.
 *
 * libRmath is not thread safe: one thread of the program at a time.
 */
#pragma once

#include "stats/summary.h"

#include <stdbool.h>

struct welch {
	bool known; /* False when a side has fewer than 2 numbers; all numbers are NaN then. */
	bool exact; /* Both sides constant: there is no variance to test with. `p` is the bound of
		       welch_exact_p, the interval a point. */
	double difference; /* head mean - base mean. */
	double low, high;  /* Interval of the difference at `confidence`. */
	double t;          /* difference / its standard error; NaN when exact. */
	double p;          /* Two-sided. */
	double degrees;    /* Degrees of freedom; NaN when exact. */
};

/* `confidence` within (0, 1): 0.99. */
struct welch welch_compare(const struct summary *base, const struct summary *head,
			   double confidence);

/* How likely two sides of one distribution are at most to come out constant and yet different; both
 * have at least 2 runs. */
double welch_exact_p(size_t n_base, size_t n_head);
