/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ratio of two means and its interval: Fieller (1954), with the degrees of freedom of Welch's
 * test. The interval leaves 1 out exactly when Welch's test of the difference finds one.
 */
#pragma once

#include "stats/summary.h"

#include <stdbool.h>

struct ratio {
	bool known; /* False: fewer than 2 numbers on a side, both sides constant, or the base's mean
			     is not surely above 0; the interval would be unbounded. */
	double ratio;     /* head mean / base mean. */
	double low, high; /* Interval of the ratio at `confidence`. */
};

/* `confidence` within (0, 1): 0.99. */
struct ratio ratio_compare(const struct summary *base, const struct summary *head,
			   double confidence);
