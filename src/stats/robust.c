/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Question: where and how wide is a sample when a few runs went astray?
 *
 * Assumption: fewer than half of the runs went astray.
 * Reference: Rousseeuw and Croux (1993), "Alternatives to the median absolute deviation"; Dixon and
 * Tukey (1968) on winsorising; order statistics as bounds of a quantile in David and Nagaraja,
 * Order Statistics, section 7.1: the number of runs below the quantile is binomial.
 * Failure mode: more than half of the numbers equal make the MAD 0, and nothing is pulled in then.
 * Winsorising narrows a sample of normal numbers too, by about 1 % of its deviation at a reach of 3.
 */
#include "stats/robust.h"

#include "base/auto.h"
#include "base/mem.h"
#include "stats/summary.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MATHLIB_STANDALONE 1
#include <Rmath.h>

DEFINE_AUTO(sorted, double *, free);

static int ascending(const void *one, const void *other)
{
	const double a = *(const double *)one;
	const double b = *(const double *)other;
	return (a > b) - (a < b);
}

static double *sorted_copy(const double *numbers, size_t n)
{
	double *sorted = mem_array(n, sizeof(*sorted));
	memcpy(sorted, numbers, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), ascending);
	return sorted;
}

/* n > 0. */
static double centre_and_mad(const double *numbers, size_t n, double *ret_mad)
{
	AUTO(sorted) double *sorted = sorted_copy(numbers, n);
	const double centre = summary_quantile(sorted, n, 0.5);
	for (size_t i = 0; i < n; i++)
		sorted[i] = fabs(numbers[i] - centre);
	qsort(sorted, n, sizeof(*sorted), ascending);
	*ret_mad = summary_quantile(sorted, n, 0.5);
	return centre;
}

double robust_mad(const double *numbers, size_t n)
{
	if (n == 0)
		return (double)NAN;
	double mad;
	(void)centre_and_mad(numbers, n, &mad); /* Only the width is asked for. */
	return mad;
}

size_t robust_winsorise(double *numbers, size_t n, double reach)
{
	assert(reach > 0.0);
	if (n == 0)
		return 0;
	double mad;
	const double centre = centre_and_mad(numbers, n, &mad);
	if (!(mad > 0.0))
		return 0;
	const double most = reach * mad * ROBUST_NORMAL;
	size_t pulled = 0;
	for (size_t i = 0; i < n; i++) {
		const double distance = numbers[i] - centre;
		if (!(fabs(distance) > most))
			continue;
		numbers[i] = centre + copysign(most, distance);
		pulled++;
	}
	return pulled;
}

/* Chance that at most `below` of n runs lie below the quantile; below may be -1. */
static double chance_at_most(long below, size_t n, double probability)
{
	return pbinom((double)below, (double)n, probability, /* lower_tail= */ 1, /* log_p= */ 0);
}

struct quantile_interval robust_quantile(const double *numbers, size_t n, double probability,
					 double confidence)
{
	assert(probability >= 0.0 && probability <= 1.0);
	assert(confidence > 0.0 && confidence < 1.0);
	struct quantile_interval interval = { .estimate = (double)NAN,
					      .low = -(double)INFINITY,
					      .high = (double)INFINITY,
					      .coverage = 1.0 };
	if (n == 0)
		return interval;
	AUTO(sorted) double *sorted = sorted_copy(numbers, n);
	interval.estimate = summary_quantile(sorted, n, probability);

	/* Equal tails: the largest order statistic that is above the quantile with at most half of
	 * the error, and the smallest that is below it with at most the other half. The k-th of
	 * the sorted numbers is above the quantile when fewer than k runs lie below it. */
	const double tail = (1.0 - confidence) / 2.0;
	size_t low = 0; /* From 1; 0 = none does. */
	while (low < n && chance_at_most((long)low, n, probability) <= tail)
		low++;
	size_t high = n + 1;
	while (high > 1 && 1.0 - chance_at_most((long)high - 2, n, probability) <= tail)
		high--;
	if (low > 0)
		interval.low = sorted[low - 1];
	if (high <= n)
		interval.high = sorted[high - 1];
	interval.coverage = chance_at_most((long)high - 1, n, probability) -
			    chance_at_most((long)low - 1, n, probability);
	return interval;
}
