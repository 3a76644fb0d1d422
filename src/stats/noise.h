/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much a metric scatters when nothing was changed: pooled from groups of runs of one subject at
 * one point in one campaign. On the logarithmic scale for metrics that were always above 0, where a
 * deviation of 0.01 is 1 %.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct noise {
	bool logarithmic;
	double within;         /* Deviation within a group; NaN when never seen twice. */
	double within_degrees; /* Of freedom: runs - groups. */
	double between; /* Deviation of the groups' true means, beyond what `within` explains;
				* 0 when none is seen, NaN with fewer than 2 groups or without
				* `within`. */
	size_t groups;
};

struct noise_group { /* n >= 1 finite values, on the scale of `logarithmic`. */
	const double *values;
	size_t n;
};

/* Values are winsorised at 15 robust deviations within each group of 5 and more: outliers are noise. Between: moments of
 * the one-way layout with unequal group sizes (Searle, Variance Components); groups are of one point
 * only when `same_level` holds, otherwise between stays NaN. */
struct noise noise_pool(const struct noise_group *groups, size_t n_groups, bool logarithmic,
			bool same_level);
