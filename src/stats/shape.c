/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Question: is a sample what the tests take it for: one place, no memory, no drift, no strays?
 *
 * Assumption: the numbers stand in the order in which they were measured.
 * Reference: Marriott and Pope (1954) for the bias of the autocorrelation; Mann (1945), Kendall
 * (1938) and Sen (1968) for the trend; Iglewicz and Hoaglin (1993) for outliers.
 * Failure mode: an autocorrelated sample trends by chance far more often than the p of the trend
 * says; a single step is a trend too. Below 10 numbers only strong effects can be seen.
 */
#include "stats/shape.h"

#include "base/auto.h"
#include "base/mem.h"
#include "stats/robust.h"
#include "stats/summary.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MATHLIB_STANDALONE 1
#include <Rmath.h>

#define ALL_PAIRS_MAX                                                                              \
	2000 /* Numbers; beyond that the slope rests on pairs half the sample apart. */
#define EXACT_TREND_MAX 60     /* Numbers up to which p of the trend is counted out. */
#define MODIFIED_Z 0.6745      /* Makes MAD the yardstick of a normal deviation. */
#define QUANTUM_FROM 4         /* Numbers; fewer repeat by chance. */
#define QUANTUM_PRECISION 1e-9 /* Of the largest number: what decimal rounding may leave. */

DEFINE_AUTO(numbers, double *, free);

static int ascending(const void *one, const void *other)
{
	const double a = *(const double *)one;
	const double b = *(const double *)other;
	return (a > b) - (a < b);
}

double shape_autocorrelation(const double *numbers, size_t n)
{
	if (n < 4)
		return (double)NAN;
	const struct summary summary = summary_make(numbers, n);
	if (!(summary.minimum < summary.maximum))
		return (double)NAN;
	const double range = summary.maximum - summary.minimum;
	double products = 0.0;
	double squares = 0.0;
	for (size_t i = 0; i < n; i++) {
		/* In ranges, so that the squares of tiny numbers do not vanish. */
		const double here = (numbers[i] - summary.mean) / range;
		squares += here * here;
		if (i + 1 < n)
			products += here * (numbers[i + 1] - summary.mean) / range;
	}
	const double r = products / squares;
	return r + (1.0 + 3.0 * r) / (double)n;
}

static double median_in_place(double *numbers, size_t n)
{
	qsort(numbers, n, sizeof(*numbers), ascending);
	return summary_quantile(numbers, n, 0.5);
}

/* Median of the slopes of all pairs; of a long sample, of the pairs half its length apart (Theil's
 * first method), which cost no memory of their square. */
static double median_slope(const double *numbers, size_t n)
{
	const bool all = n <= ALL_PAIRS_MAX;
	AUTO(numbers) double *slopes = mem_array(all ? n * (n - 1) / 2 : n, sizeof(*slopes));
	size_t count = 0;
	for (size_t i = 0; i < n; i++) {
		const size_t from = all ? i + 1 : i + n / 2;
		const size_t to = all || from >= n ? n : from + 1;
		for (size_t j = from; j < to; j++)
			slopes[count++] = (numbers[j] - numbers[i]) / (double)(j - i);
	}
	return median_in_place(slopes, count);
}

struct pairs {        /* Of the numbers, earlier and later. */
	double score; /* Rising minus falling ones. */
	double tied;
	double tie_term; /* Sum of t (t - 1) (2 t + 5) over the groups of equal numbers. */
};

static struct pairs count_pairs(const double *numbers, size_t n)
{
	struct pairs pairs = { 0 };
	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++)
			pairs.score +=
				(double)((numbers[j] > numbers[i]) - (numbers[j] < numbers[i]));
	AUTO(numbers) double *sorted = mem_array(n, sizeof(*sorted));
	memcpy(sorted, numbers, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), ascending);
	for (size_t first = 0; first < n;) {
		size_t end = first + 1;
		while (end < n && !(sorted[end] > sorted[first]))
			end++;
		const double t = (double)(end - first);
		pairs.tied += t * (t - 1.0) / 2.0;
		pairs.tie_term += t * (t - 1.0) * (2.0 * t + 5.0);
		first = end;
	}
	return pairs;
}

/* The chance of a score so far from 0 over all orders of n different numbers. The number of falling
 * pairs of a random order is a sum of independent uniform numbers from 0 to i - 1, i = 1 .. n. */
static double exact_trend_p(double score, size_t n)
{
	const size_t most = n * (n - 1) / 2;
	AUTO(numbers) double *chance = mem_array(most + 1, sizeof(*chance));
	AUTO(numbers) double *longer = mem_array(most + 1, sizeof(*longer));
	chance[0] = 1.0;
	for (size_t i = 2; i <= n; i++) {
		double window = 0.0;
		for (size_t falling = 0; falling <= most; falling++) {
			window += chance[falling];
			if (falling >= i)
				window -= chance[falling - i];
			longer[falling] = fmax(0.0, window) / (double)i;
		}
		memcpy(chance, longer, (most + 1) * sizeof(*chance));
	}
	const double falling_or_rising = ((double)most - fabs(score)) / 2.0;
	double tail = 0.0;
	for (size_t falling = 0; (double)falling <= falling_or_rising + 0.25; falling++)
		tail += chance[falling];
	return fmin(1.0, 2.0 * tail);
}

static double normal_trend_p(const struct pairs *pairs, size_t n)
{
	const double count = (double)n;
	const double variance =
		(count * (count - 1.0) * (2.0 * count + 5.0) - pairs->tie_term) / 18.0;
	const double distance = fabs(pairs->score) - 1.0;
	if (!(variance > 0.0) || distance <= 0.0)
		return 1.0;
	return 2.0 * pnorm(-distance / sqrt(variance), /* mean= */ 0.0, /* deviation= */ 1.0,
			   /* lower_tail= */ 1, /* log_p= */ 0);
}

struct trend shape_trend(const double *numbers, size_t n)
{
	if (n < 4)
		return (struct trend) { .slope = (double)NAN,
					.tau = (double)NAN,
					.p = (double)NAN };
	const struct pairs pairs = count_pairs(numbers, n);
	const double all = (double)n * (double)(n - 1) / 2.0;
	const bool exact = n <= EXACT_TREND_MAX && !(pairs.tied > 0.0);
	return (struct trend) {
		.known = true,
		.slope = median_slope(numbers, n),
		.tau = pairs.tied < all ? pairs.score / sqrt(all * (all - pairs.tied)) : 0.0,
		.p = exact ? exact_trend_p(pairs.score, n) : normal_trend_p(&pairs, n),
	};
}

size_t shape_outliers(const double *numbers, size_t n, double reach, bool *ret_is_outlier)
{
	assert(reach > 0.0);
	for (size_t i = 0; i < n; i++)
		ret_is_outlier[i] = false;
	const double mad = robust_mad(numbers, n);
	if (!(mad > 0.0))
		return 0;
	const double median = summary_make(numbers, n).median;
	size_t count = 0;
	for (size_t i = 0; i < n; i++) {
		ret_is_outlier[i] = MODIFIED_Z * fabs(numbers[i] - median) > reach * mad;
		count += ret_is_outlier[i];
	}
	return count;
}

/* Euclid's greatest common divisor of lengths that rounding has touched. */
static double common_divisor(double one, double other, double precision)
{
	while (other > precision) {
		double rest = fmod(one, other);
		if (other - rest <= precision) /* A multiple, rounded down. */
			rest = 0.0;
		one = other;
		other = rest;
	}
	return one;
}

double shape_quantum(const double *numbers, size_t n)
{
	if (n < QUANTUM_FROM)
		return 0.0;
	AUTO(numbers) double *sorted = mem_array(n, sizeof(*sorted));
	memcpy(sorted, numbers, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), ascending);
	const double precision = QUANTUM_PRECISION * fmax(fabs(sorted[0]), fabs(sorted[n - 1]));
	size_t distinct = 1;
	double quantum = 0.0;
	for (size_t i = 1; i < n; i++) {
		const double step = sorted[i] - sorted[i - 1];
		if (step <= precision)
			continue;
		distinct++;
		quantum = quantum > 0.0 ? common_divisor(fmax(step, quantum), fmin(step, quantum),
							 precision)
					: step;
	}
	/* At least as many repeats as different numbers; a divisor near the precision is no step
	 * but what Euclid gives for numbers that have none. */
	const bool few = 2 * distinct <= n;
	return few && quantum > 1000.0 * precision ? quantum : 0.0;
}
