/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Question: by how much do the means of two samples differ, and how likely is so large a
 * difference when the means are equal?
 *
 * Assumption: runs are independent of each other and the mean of a side is about normal, which
 * holds for normal values at any n and for others as n grows. Variances may differ.
 * Reference: Welch (1947), "The generalization of Student's problem when several different
 * population variances are involved"; Satterthwaite (1946) for the degrees of freedom.
 * Failure mode: drift or autocorrelation when one side runs before the other (false alarms up to
 * 80 %); strong skew at few runs (the interval is too short on one side); outliers (they widen the
 * interval, so that changes are missed); coarsely rounded values that are constant by chance.
 *
 * When both sides are constant there is no variance to test with. Then the chance that one and the
 * same distribution gives this picture is bounded instead: all a values of base are x, all b values
 * of head y, x other than y. With two possible values of probabilities q and 1 - q that chance is
 * q^a (1-q)^b + q^b (1-q)^a, and each term is largest where q is its own share of the runs:
 * 2 (a/(a+b))^a (b/(a+b))^b, which is 2 / 4^n for n runs a side. More possible values only make it
 * smaller: for a, b >= 2, taking the two least likely of three or more values as one loses at most
 * 2 x^(a+b-1) y and gains at least that. So 2 + 2 constant runs decide nothing (0.125), 4 + 4 do
 * (0.008). Answering p = 0 here would turn every counter that is mostly 0 and sometimes 1 into a
 * finding.
 */
#include "stats/welch.h"

#include <assert.h>
#include <math.h>

#define MATHLIB_STANDALONE 1
#include <Rmath.h>

static double student_two_sided(double t, double degrees)
{
	return 2.0 * pt(-fabs(t), degrees, /* lower_tail= */ 1, /* log_p= */ 0);
}

static double student_quantile(double probability, double degrees)
{
	return qt(probability, degrees, /* lower_tail= */ 1, /* log_p= */ 0);
}

double welch_exact_p(size_t n_base, size_t n_head)
{
	assert(n_base >= 2 && n_head >= 2);
	const double a = (double)n_base;
	const double b = (double)n_head;
	const double p = 2.0 * exp(a * log(a / (a + b)) + b * log(b / (a + b)));
	return p < 1.0 ? p : 1.0;
}

static struct welch compare_constants(const struct summary *base, const struct summary *head)
{
	const double difference = head->mean - base->mean;
	const bool differ = base->mean < head->mean || base->mean > head->mean;
	return (struct welch) {
		.known = true,
		.exact = true,
		.difference = difference,
		.low = difference,
		.high = difference,
		.t = (double)NAN,
		.p = differ ? welch_exact_p(base->n, head->n) : 1.0,
		.degrees = (double)NAN,
	};
}

struct welch welch_compare(const struct summary *base, const struct summary *head,
			   double confidence)
{
	assert(confidence > 0.0 && confidence < 1.0);
	if (base->n < 2 || head->n < 2)
		return (struct welch) { .difference = (double)NAN,
					.low = (double)NAN,
					.high = (double)NAN,
					.t = (double)NAN,
					.p = (double)NAN,
					.degrees = (double)NAN };

	/* Squared standard errors. hypot keeps tiny and huge deviations from under- and overflow. */
	const double base_error = base->deviation / sqrt((double)base->n);
	const double head_error = head->deviation / sqrt((double)head->n);
	const double error = hypot(base_error, head_error);
	if (!(error > 0.0))
		return compare_constants(base, head);

	/* Satterthwaite in shares of the squared error, so that the scale of the values cancels. */
	const double base_share = (base_error / error) * (base_error / error);
	const double head_share = (head_error / error) * (head_error / error);
	struct welch welch = {
		.known = true,
		.difference = head->mean - base->mean,
		.degrees = 1.0 / (base_share * base_share / (double)(base->n - 1) +
				  head_share * head_share / (double)(head->n - 1)),
	};
	welch.t = welch.difference / error;
	welch.p = student_two_sided(welch.t, welch.degrees);
	const double reach = student_quantile(0.5 + confidence / 2.0, welch.degrees) * error;
	welch.low = welch.difference - reach;
	welch.high = welch.difference + reach;
	return welch;
}
