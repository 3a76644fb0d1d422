/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Question: how many runs a side would be enough to find a shift, or to show that there is none?
 *
 * Assumption: independent normal runs of one known deviation, two sides of n runs, Student's test.
 * Reference: the noncentral t distribution (Johnson, Kotz and Balakrishnan, Continuous Univariate
 * Distributions, volume 2, chapter 31); for "same", the chance that the interval lies within the
 * margin, as in Phillips (1990), "Power of the two one-sided tests procedure"; rates by Clopper and
 * Pearson (1934), "The use of confidence or fiducial limits".
 * Failure mode: the deviation is an estimate; with d degrees it may be off by a factor of
 * 1 +- 1.4 / sqrt(d), and the number of runs by the square of that. The permutation test needs a
 * few per cent more runs than Student's and has a smallest p of its own.
 */
#include "stats/power.h"

#include <assert.h>
#include <math.h>

#define MATHLIB_STANDALONE 1
#include <Rmath.h>

#define SAME_CONFIDENCE 0.95
#define STEPS 200 /* Of Simpson's rule; even. Ten digits for 2 degrees and more. */

static double student_quantile(double probability, double degrees)
{
	return qt(probability, degrees, /* lower_tail= */ 1, /* log_p= */ 0);
}

double power_of(double shift, double deviation, size_t n, double alpha)
{
	assert(alpha > 0.0 && alpha < 1.0 && deviation >= 0.0);
	if (n < 2)
		return 0.0;
	const double distance = fabs(shift);
	if (!(deviation > 0.0))
		return distance > 0.0 ? 1.0 : alpha;
	const double degrees = 2.0 * (double)n - 2.0;
	const double noncentrality = distance / (deviation * sqrt(2.0 / (double)n));
	const double limit = student_quantile(1.0 - alpha / 2.0, degrees);
	/* Lower tails only: libRmath complains of the precision of far upper ones. */
	const double inside = pnt(limit, degrees, noncentrality, /* lower_tail= */ 1, 0) -
			      pnt(-limit, degrees, noncentrality, /* lower_tail= */ 1, 0);
	return fmin(1.0, fmax(0.0, 1.0 - inside));
}

/* The chance that a deviation estimated with `degrees` is w times the true one, times the chance
 * that the interval then lies inside +-margin. `margin` in standard errors of the difference. */
static double same_density(double w, double margin, double quantile, double degrees)
{
	const double room = margin - quantile * w;
	if (!(room > 0.0))
		return 0.0;
	const double density =
		2.0 * degrees * w * dchisq(degrees * w * w, degrees, /* give_log= */ 0);
	return density * (2.0 * pnorm(room, 0.0, 1.0, /* lower_tail= */ 1, /* log_p= */ 0) - 1.0);
}

static double power_same(double margin, double deviation, size_t n)
{
	if (!(deviation > 0.0))
		return 1.0;
	const double degrees = 2.0 * (double)n - 2.0;
	const double quantile = student_quantile(0.5 + SAME_CONFIDENCE / 2.0, degrees);
	const double scaled = margin / (deviation * sqrt(2.0 / (double)n));
	/* Beyond ten deviations of the estimate there is nothing left to add up. */
	const double from = fmax(0.0, 1.0 - 10.0 / sqrt(2.0 * degrees));
	const double to = fmin(scaled / quantile, 1.0 + 10.0 / sqrt(2.0 * degrees));
	if (!(to > from))
		return 0.0;
	const double step = (to - from) / STEPS;
	double sum = same_density(from, scaled, quantile, degrees) +
		     same_density(to, scaled, quantile, degrees);
	for (int i = 1; i < STEPS; i++)
		sum += (i % 2 ? 4.0 : 2.0) *
		       same_density(from + i * step, scaled, quantile, degrees);
	return fmin(1.0, sum * step / 3.0);
}

struct question {
	double size; /* Shift, or margin. */
	double deviation;
	double alpha; /* 0: the question is whether it is the same. */
};

static double answer(const struct question *question, size_t n)
{
	return question->alpha > 0.0
		       ? power_of(question->size, question->deviation, n, question->alpha)
		       : power_same(question->size, question->deviation, n);
}

/* More runs never make it worse, so the smallest number is found by halving. */
static size_t smallest_runs(const struct question *question, double power, size_t n_most)
{
	assert(power > 0.0 && power < 1.0);
	if (n_most < 2 || answer(question, n_most) < power)
		return 0;
	size_t too_few = 1;
	size_t enough = n_most;
	while (enough - too_few > 1) {
		const size_t middle = too_few + (enough - too_few) / 2;
		if (answer(question, middle) < power)
			too_few = middle;
		else
			enough = middle;
	}
	return enough;
}

size_t power_runs(double shift, double deviation, double alpha, double power, size_t n_most)
{
	assert(alpha > 0.0 && alpha < 1.0 && deviation >= 0.0);
	const struct question question = { .size = shift, .deviation = deviation, .alpha = alpha };
	return smallest_runs(&question, power, n_most);
}

size_t power_runs_same(double margin, double deviation, double power, size_t n_most)
{
	assert(margin >= 0.0 && deviation >= 0.0);
	const struct question question = { .size = margin, .deviation = deviation };
	return smallest_runs(&question, power, n_most);
}

void power_rate_interval(size_t hits, size_t n, double confidence, double *ret_low,
			 double *ret_high)
{
	assert(hits <= n && confidence > 0.0 && confidence < 1.0);
	const double tail = (1.0 - confidence) / 2.0;
	const double hit = (double)hits;
	const double missed = (double)(n - hits);
	*ret_low = hits == 0 ? 0.0 : qbeta(tail, hit, missed + 1.0, /* lower_tail= */ 1, 0);
	*ret_high = hits == n ? 1.0 : qbeta(1.0 - tail, hit + 1.0, missed, /* lower_tail= */ 1, 0);
}
