/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What outliers cannot move: median absolute deviation, winsorising, quantiles with intervals.
 * Numbers must be finite.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define ROBUST_NORMAL 1.4826 /* MAD times this is the deviation of normal numbers. */

/* Median of |x - median|, not scaled. NaN when n = 0. */
double robust_mad(const double *numbers, size_t n);

/* Pulls what lies further than `reach` robust deviations (MAD * ROBUST_NORMAL) from the median onto
 * that distance, in place. Gives how many were pulled. Does nothing when the MAD is 0. */
size_t robust_winsorise(double *numbers, size_t n, double reach);

struct quantile_interval {
	double estimate;  /* Hyndman-Fan type 7. */
	double low, high; /* Order statistics; -INFINITY, INFINITY where n is too small. */
	double coverage;  /* What the order statistics reach, at least `confidence` when finite. */
};

/* Distribution-free, from the binomial distribution (David and Nagaraja, Order Statistics). */
struct quantile_interval robust_quantile(const double *numbers, size_t n, double probability,
					 double confidence);
