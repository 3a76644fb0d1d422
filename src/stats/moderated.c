/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Question: do two means differ, when three runs a side say little about the scatter but the metric
 * is an old acquaintance?
 *
 * Assumption: independent, about normal runs of one variance on both sides; the true variances of
 * such metrics scatter as a scaled inverse chi-squared distribution with d0 degrees.
 * Reference: Smyth (2004), "Linear models and empirical Bayes methods for assessing differential
 * expression in microarray experiments", sections 3 and 6.2: the posterior variance
 * (d0 s0^2 + d s^2) / (d0 + d) with d0 + d degrees; d0 and s0^2 from the first two moments of
 * log s^2, whose expectation and variance are digamma and trigamma of d / 2.
 * Failure mode: a prior of another machine or another kind of run is a wrong yardstick, and the more
 * degrees it claims the less the runs can correct it. Outliers widen or narrow everything.
 */
#include "stats/moderated.h"

#include <assert.h>
#include <math.h>

#define MATHLIB_STANDALONE 1
#include <Rmath.h>

static double posterior_variance(const struct moderated_sides *sides,
				 const struct moderated_prior *prior)
{
	if (isinf(prior->degrees))
		return prior->variance;
	/* Without a prior its variance may be NaN, and counts nothing. */
	const double known = prior->degrees > 0.0 ? prior->degrees * prior->variance : 0.0;
	return (known + sides->squares) / (prior->degrees + sides->degrees);
}

struct moderated moderated_compare(const struct moderated_sides *sides,
				   const struct moderated_prior *prior, double confidence)
{
	assert(confidence > 0.0 && confidence < 1.0);
	assert(prior->degrees >= 0.0 && sides->degrees >= 0.0 && sides->squares >= 0.0);
	const struct moderated unknown = { .difference = (double)NAN,
					   .low = (double)NAN,
					   .high = (double)NAN,
					   .t = (double)NAN,
					   .p = (double)NAN,
					   .degrees = (double)NAN };
	const double degrees = prior->degrees + sides->degrees;
	if (sides->n_base == 0 || sides->n_head == 0 || !(degrees > 0.0))
		return unknown;
	const double variance = posterior_variance(sides, prior);
	if (!(variance > 0.0) || !isfinite(variance))
		return unknown;

	const double error =
		sqrt(variance) * sqrt(1.0 / (double)sides->n_base + 1.0 / (double)sides->n_head);
	const double reach =
		error * qt(0.5 + confidence / 2.0, degrees, /* lower_tail= */ 1, /* log_p= */ 0);
	struct moderated answer = {
		.known = true,
		.difference = sides->head_mean - sides->base_mean,
		.degrees = degrees,
	};
	answer.t = answer.difference / error;
	answer.p = 2.0 * pt(-fabs(answer.t), degrees, /* lower_tail= */ 1, /* log_p= */ 0);
	answer.low = answer.difference - reach;
	answer.high = answer.difference + reach;
	return answer;
}

/* The y > 0 whose trigamma is x. Newton's steps on 1 / trigamma, which is nearly a straight line,
 * so that they converge from below at once (Smyth's appendix). */
static double trigamma_inverse(double x)
{
	assert(x > 0.0);
	if (x > 1e7)
		return 1.0 / sqrt(x);
	if (x < 1e-6)
		return 1.0 / x;
	double y = 0.5 + 1.0 / x;
	for (int step = 0; step < 50; step++) {
		const double here = trigamma(y);
		const double change = here * (1.0 - here / x) / tetragamma(y);
		y += change;
		if (-change / y < 1e-10)
			break;
	}
	return y;
}

static bool is_usable(double variance, double degrees)
{
	return variance > 0.0 && isfinite(variance) && degrees > 0.0 && isfinite(degrees);
}

/* The log of a variance, freed of the bias that its few degrees give it. */
static double unbiased_log(double variance, double degrees)
{
	return log(variance) - digamma(degrees / 2.0) + log(degrees / 2.0);
}

struct moderated_prior moderated_prior_fit(const double *variances, const double *degrees, size_t n)
{
	size_t used = 0;
	double mean = 0.0;
	double expected = 0.0; /* Variance of the logs if all true variances were equal. */
	for (size_t i = 0; i < n; i++) {
		if (!is_usable(variances[i], degrees[i]))
			continue;
		used++;
		mean += unbiased_log(variances[i], degrees[i]);
		expected += trigamma(degrees[i] / 2.0);
	}
	if (used < 3)
		return (struct moderated_prior) { .variance = (double)NAN, .degrees = 0.0 };
	mean /= (double)used;
	expected /= (double)used;

	double seen = 0.0;
	for (size_t i = 0; i < n; i++)
		if (is_usable(variances[i], degrees[i])) {
			const double distance = unbiased_log(variances[i], degrees[i]) - mean;
			seen += distance * distance;
		}
	seen /= (double)(used - 1);
	if (!(seen > expected)) /* No more scatter than few runs explain: one variance for all. */
		return (struct moderated_prior) { .variance = exp(mean),
						  .degrees = (double)INFINITY };
	const double half = trigamma_inverse(seen - expected);
	return (struct moderated_prior) {
		.variance = exp(mean + digamma(half) - log(half)),
		.degrees = 2.0 * half,
	};
}
