/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Question: what does a sample look like: where is it, how wide is it?
 *
 * Assumption: none for minimum, median and maximum. Mean and deviation describe a sample well when
 * it has one mode and no outliers.
 * Reference: the deviation in two passes with the correcting term of Chan, Golub and LeVeque
 * (1983), "Algorithms for computing the sample variance"; quantiles are type 7 of Hyndman and Fan
 * (1996).
 * Failure mode: one outlier moves mean and deviation by any amount; compare mean and median. Two
 * modes give a mean at which no run was.
 */
#include "stats/summary.h"

#include "base/auto.h"
#include "base/mem.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

DEFINE_AUTO(numbers, double *, free);

static int ascending(const void *one, const void *other)
{
	const double a = *(const double *)one;
	const double b = *(const double *)other;
	return (a > b) - (a < b);
}

/* Deviations from the mean are small beside the numbers, so their squares lose nothing that the
 * sum of the numbers' own squares would. The second sum takes out what rounding of the mean left.
 * All is brought near 1 by a power of two first, which rounds nothing, so that no square leaves the
 * range of doubles. NaN when the deviation itself does. */
static double deviation_around(const double *numbers, size_t n, double mean, double range_half)
{
	int exponent;
	(void)frexp(range_half, &exponent);
	double squares = 0.0;
	double rest = 0.0;
	for (size_t i = 0; i < n; i++) {
		const double distance = ldexp(numbers[i], -exponent) - ldexp(mean, -exponent);
		squares += distance * distance;
		rest += distance;
	}
	const double variance = (squares - rest * rest / (double)n) / (double)(n - 1);
	const double deviation = variance > 0.0 ? ldexp(sqrt(variance), exponent) : 0.0;
	return isfinite(deviation) && deviation > 0.0 ? deviation : (double)NAN;
}

/* The mean, corrected once by the mean of the distances from it. Dividing before adding keeps a sum
 * of huge numbers finite. */
static double mean_of(const double *numbers, size_t n)
{
	double mean = 0.0;
	for (size_t i = 0; i < n; i++)
		mean += numbers[i] / (double)n;
	double rest = 0.0;
	for (size_t i = 0; i < n; i++)
		rest += (numbers[i] - mean) / (double)n;
	return mean + rest;
}

struct summary summary_make(const double *numbers, size_t n)
{
	struct summary summary = {
		.n = n,
		.mean = (double)NAN,
		.deviation = (double)NAN,
		.minimum = (double)NAN,
		.maximum = (double)NAN,
		.median = (double)NAN,
	};
	if (n == 0)
		return summary;

	AUTO(numbers) double *sorted = mem_array(n, sizeof(*sorted));
	memcpy(sorted, numbers, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), ascending);
	assert(isfinite(sorted[0]) && isfinite(sorted[n - 1]));

	summary.minimum = sorted[0];
	summary.maximum = sorted[n - 1];
	summary.median = summary_quantile(sorted, n, 0.5);
	/* A constant sample has exactly its own value as mean and exactly no deviation: tests for
	 * "constant" rely on it, and rounding would spoil it. */
	const bool constant = !(sorted[0] < sorted[n - 1]);
	summary.mean = constant ? sorted[0] : mean_of(numbers, n);
	if (n >= 2)
		summary.deviation = constant ? 0.0
					     : deviation_around(numbers, n, summary.mean,
								sorted[n - 1] / 2 - sorted[0] / 2);
	return summary;
}

double summary_relative_deviation(const struct summary *summary)
{
	if (summary->n < 2 || fpclassify(summary->mean) == FP_ZERO)
		return (double)NAN;
	const double percent = 100.0 * (summary->deviation / fabs(summary->mean));
	return isfinite(percent) ? percent : (double)NAN;
}

double summary_quantile(const double *sorted, size_t n, double probability)
{
	assert(n > 0);
	assert(probability >= 0.0 && probability <= 1.0);
	const double position = probability * (double)(n - 1);
	const size_t below = (size_t)position;
	if (below + 1 >= n)
		return sorted[n - 1];
	const double share = position - (double)below;
	return sorted[below] + share * (sorted[below + 1] - sorted[below]);
}
