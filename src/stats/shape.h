/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What can be wrong with a sample before anything is tested: drift, autocorrelation, two modes,
 * outliers, steps of the clock. Numbers in the order in which they were measured, finite.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Lag-1 autocorrelation about the mean, with the bias correction (1 + 3 r) / n added; NaN when n < 4
 * or all are equal. */
double shape_autocorrelation(const double *numbers, size_t n);

struct trend {
	bool known;   /* n >= 4. */
	double slope; /* Theil and Sen: median of the pairwise slopes, per run. */
	double tau;   /* Kendall. */
	double p;     /* Two-sided, Mann (1945) and Kendall; ties allowed for. */
};
struct trend shape_trend(const double *numbers, size_t n);

struct modes {
	bool known;       /* n >= 8. */
	bool two;         /* Two modes, at the rate given. */
	double low, high; /* Centres. */
	double share_low; /* Of the numbers. */
	double p;         /* Of the test against one mode. */
};
/* Two normal modes against one: the largest gap-separated split's between-variance share against its
 * distribution for one normal sample of the same size, simulated with a seed that the sample itself
 * gives. `alpha` is the chance to see two where there is one; p is never below 1 / 2000. A gap of
 * one quantum (shape_quantum) is none. */
struct modes shape_modes(const double *numbers, size_t n, double alpha);

/* Marks numbers whose modified z score (Iglewicz and Hoaglin 1993) is beyond `reach` (3.5 is usual);
 * how many. None when the MAD is 0. */
size_t shape_outliers(const double *numbers, size_t n, double reach, bool *ret_is_outlier);

/* The step that all numbers are whole multiples apart of, when there are few distinct ones: 0 when
 * they are not quantised. */
double shape_quantum(const double *numbers, size_t n);
