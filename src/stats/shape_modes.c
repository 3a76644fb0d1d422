/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Question: did the runs of one side fall into two groups, so that their mean is a place where no
 * run was?
 *
 * Assumption: under "one mode" the runs are independent and normal.
 * Method: the sorted numbers are split at the largest gap that leaves at least 15 % (and two) on
 * each side; the statistic is the share of the sum of squares that lies between the two groups, 0
 * when the gap is narrower than a deviation within them. Its distribution for one normal sample is
 * simulated; p = h / l when the h-th as large value came at draw l, else (1 + k) / (1 + draws)
 * (Besag and Clifford 1991, "Sequential Monte Carlo p-values"), so that a sample of plainly one mode
 * costs a few draws only.
 * Reference: the share is the likelihood ratio of Engelman and Hartigan (1969), "Percentage points
 * of a test for clusters", taken at one split.
 * Failure mode: a long tail (exponential numbers) is taken for a second mode in about 5 to 12 of 100
 * samples at 1 %; a mode of fewer than 15 % counts as outliers; modes closer than 4 deviations are
 * rarely seen below 20 runs. p never falls below 1 / 2,000.
 */
#include "base/auto.h"
#include "base/mem.h"
#include "base/random.h"
#include "stats/shape.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_NUMBERS 8
#define LEAST_SHARE 0.15 /* Of the numbers, in the smaller mode. */
#define MOST_NUMBERS 400 /* A longer sample is thinned to so many of its order statistics. */
#define DRAWS 1999
#define ENOUGH 20 /* So many as large draws end the simulation: 1 % is out of reach then. */
#define SEED 0x6d6f646573ULL
#define QUANTUM_STEPS 1.5 /* A gap of one step of the clock is no valley. */

struct split {
	size_t n_low;
	double low, high; /* Means. */
	double gap;
	double share; /* Between the groups; 0 when they are not separated. */
};

DEFINE_AUTO(numbers, double *, free);

static int ascending(const void *one, const void *other)
{
	const double a = *(const double *)one;
	const double b = *(const double *)other;
	return (a > b) - (a < b);
}

static double mean_of(const double *numbers, size_t n)
{
	double sum = 0.0;
	for (size_t i = 0; i < n; i++)
		sum += numbers[i];
	return sum / (double)n;
}

static double squares_about(const double *numbers, size_t n, double mean)
{
	double squares = 0.0;
	for (size_t i = 0; i < n; i++)
		squares += (numbers[i] - mean) * (numbers[i] - mean);
	return squares;
}

static struct split split_at_gap(const double *sorted, size_t n)
{
	const double share = ceil(LEAST_SHARE * (double)n);
	const size_t least = share < 2.0 ? 2 : (size_t)share;
	struct split split = { .n_low = least };
	for (size_t i = least; i + least <= n; i++) {
		const double gap = sorted[i] - sorted[i - 1];
		if (gap > split.gap) {
			split.gap = gap;
			split.n_low = i;
		}
	}
	const size_t n_high = n - split.n_low;
	split.low = mean_of(sorted, split.n_low);
	split.high = mean_of(sorted + split.n_low, n_high);
	const double within = squares_about(sorted, split.n_low, split.low) +
			      squares_about(sorted + split.n_low, n_high, split.high);
	const double apart = split.high - split.low;
	const double between = apart * apart * (double)split.n_low * (double)n_high / (double)n;
	if (split.gap > 0.0 && split.gap >= sqrt(within / (double)(n - 2)))
		split.share = between / (between + within);
	return split;
}

/* How often one normal sample of the size shows as large a share. */
static double simulate_p(double share, size_t n)
{
	struct random random;
	/* The same sample always gets the same draws, other samples get other ones: were they the
	 * same for all, their luck would be the rate of the test. Rounded, so that the unit of the
	 * numbers does not matter. */
	random_seed(&random, SEED + ((uint64_t)llround(share * 1e9) << 20) + n);
	AUTO(numbers) double *sample = mem_array(n, sizeof(*sample));
	size_t as_large = 0;
	for (size_t draw = 1; draw <= DRAWS; draw++) {
		for (size_t i = 0; i < n; i++)
			sample[i] = random_normal(&random);
		qsort(sample, n, sizeof(*sample), ascending);
		as_large += split_at_gap(sample, n).share >= share;
		if (as_large == ENOUGH)
			return (double)ENOUGH / (double)draw;
	}
	return (1.0 + (double)as_large) / (1.0 + DRAWS);
}

/* Order statistics evenly through a long sample: they scatter less than a sample of that size, so
 * that its test errs on the side of one mode. */
static size_t thin(double *sorted, size_t n)
{
	if (n <= MOST_NUMBERS)
		return n;
	for (size_t i = 0; i < MOST_NUMBERS; i++)
		sorted[i] = sorted[i * (n - 1) / (MOST_NUMBERS - 1)];
	return MOST_NUMBERS;
}

struct modes shape_modes(const double *numbers, size_t n, double alpha)
{
	assert(alpha > 0.0 && alpha < 1.0);
	struct modes modes = {
		.low = (double)NAN, .high = (double)NAN, .share_low = (double)NAN, .p = (double)NAN
	};
	if (n < LEAST_NUMBERS)
		return modes;
	AUTO(numbers) double *sorted = mem_array(n, sizeof(*sorted));
	memcpy(sorted, numbers, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), ascending);
	const double quantum = shape_quantum(numbers, n);
	const size_t kept = thin(sorted, n);
	/* From the middle and in units of the range: means and squares then lose nothing. */
	const double middle = sorted[kept / 2];
	const double range = sorted[kept - 1] - sorted[0];
	const double unit = range > 0.0 ? range : 1.0;
	for (size_t i = 0; i < kept; i++)
		sorted[i] = (sorted[i] - middle) / unit;
	const struct split split = split_at_gap(sorted, kept);
	modes.known = true;
	modes.low = middle + unit * split.low;
	modes.high = middle + unit * split.high;
	modes.share_low = (double)split.n_low / (double)kept;
	const bool is_valley = split.share > 0.0 && split.gap * unit > QUANTUM_STEPS * quantum;
	modes.p = is_valley ? simulate_p(split.share, kept) : 1.0;
	modes.two = modes.p <= alpha;
	return modes;
}
