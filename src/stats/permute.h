/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The block-permutation test: is the head different? Exact under any drift, step or autocorrelation
 * of the machine, because the reference set is the set of orders that could have been drawn (Fisher
 * 1935; Edgington and Onghena, Randomization Tests). The statistic is the sum of the head's scores,
 * which do not look at who is who, so that any score is exact:
 *
 *     clipped       the value less its block's median, drawn in to PERMUTE_CLIP robust deviations of
 *                   all these residuals together: 1.4826 times the median of their sizes (of those
 *                   that are not 0, where half of them are). The preset: on normal noise it finds
 *                   what the mean finds, with outliers what ranks find (test/calibration).
 *     aligned rank  Hodges and Lehmann 1962: the block's median is subtracted, all runs are ranked
 *                   together, ties get their mean rank. Loses 2 to 3 points of power on normal noise.
 *     mean          the value less its block's mean. Loses up to 15 points to a few outliers.
 *
 * Two-sided: the distance of the sum from its expectation.
 */
#pragma once

#include "stats/blocked.h"

#define PERMUTE_EXHAUSTIVE_MAX 50000 /* Relabellings that are all gone through (mean). */
#define PERMUTE_DRAWS 9999           /* Else so many are drawn: p = (1 + k) / (1 + draws). */

struct layout;

#define PERMUTE_CLIP 1.5      /* Of PERMUTE_CLIPPED, in robust deviations. */
#define PERMUTE_CLIP_STEPS 64 /* Its scores are counted in so many steps to either side. */

enum permute_score {
	PERMUTE_CLIPPED, /* The preset: 0. */
	PERMUTE_ALIGNED_RANK,
	PERMUTE_MEAN,
};

struct permuted {
	bool known;          /* False when no block holds both sides; all numbers are NaN then. */
	bool exhaustive;     /* All relabellings were counted, none drawn. */
	double relabellings; /* How many there are. */
	double p;            /* Two-sided. */
	double smallest_p;   /* What the most extreme labels would have given on these values: with
			      * ties more than permute_smallest_p says. */
};

/* `seed` serves the draws. */
struct permuted permute_test(const struct blocked *blocked, enum permute_score score,
			     uint64_t seed);

/* The same for runs in order (layout.h), after `shift` was taken off the head's values. */
struct permuted permute_shifted(const struct layout *layout, double shift, enum permute_score score,
				uint64_t seed);

/* No values in blocks of these sizes give a smaller p: n_blocks pairs of numbers of runs of the base
 * and of the head. 2 of all relabellings when the sides are equal in each block (the labels turned
 * round are as extreme), else 1 of them, which skewed values can reach. 1 when none holds both. */
double permute_smallest_p(const size_t (*sizes)[2], size_t n_blocks);
