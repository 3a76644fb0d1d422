/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a sample of numbers looks like. Sample deviation divides by n - 1. All pure; the numbers
 * must be finite.
 */
#pragma once

#include <stddef.h>

struct summary {
	size_t n;
	double mean;                     /* NaN when n = 0. */
	double deviation;                /* Sample standard deviation; NaN when n < 2, or when it
					  * is beyond the range of doubles. */
	double minimum, maximum, median; /* NaN when n = 0. */
};

struct summary summary_make(const double *numbers, size_t n);

/* 100 * deviation / |mean|; NaN when it has no meaning (n < 2 or mean 0) or no
 * finite value. */
double summary_relative_deviation(const struct summary *summary);

/* Quantile by linear interpolation between order statistics (Hyndman-Fan type 7). `sorted`
 * ascending, n > 0, probability within [0, 1]. */
double summary_quantile(const double *sorted, size_t n, double probability);
