/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * By how much is the head different? Hodges and Lehmann's estimate (1963), the median of all
 * differences head - base within the blocks, and the interval of all shifts that the
 * block-permutation test (permute.h) would not reject: the confidence is as exact as the test.
 */
#pragma once

#include "stats/blocked.h"
#include "stats/permute.h"

struct shift {
	bool known;       /* False when no block holds both sides; all numbers are NaN then. */
	double estimate;  /* In the unit of the values. */
	double low, high; /* -INFINITY, INFINITY where so few runs reject no shift at all. */
};

/* `confidence` within (0, 1). */
struct shift shift_estimate(const struct blocked *blocked, enum permute_score score,
			    double confidence, uint64_t seed);

/* The same at n confidences at once, which share most of the work. */
void shift_estimate_each(const struct blocked *blocked, enum permute_score score, uint64_t seed,
			 const double *confidences, size_t n, struct shift *ret_shifts);
