/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * moderated.h against Student's own data, the normal distribution at an infinite prior, a twin that
 * fits the prior by bisection, and simulated families of metrics whose prior is known.
 */
#include "stats/moderated.h"

#include "base/random.h"
#include "check.h"
#include "stats/power.h"
#include "stats/summary.h"

#include <math.h>

static struct moderated_sides sides_of(const double *base, size_t n_base, const double *head,
				       size_t n_head)
{
	const struct summary one = summary_make(base, n_base);
	const struct summary other = summary_make(head, n_head);
	struct moderated_sides sides = {
		.n_base = n_base,
		.n_head = n_head,
		.base_mean = one.mean,
		.head_mean = other.mean,
		.degrees = (double)(n_base + n_head - 2),
	};
	if (n_base > 1)
		sides.squares += one.deviation * one.deviation * (double)(n_base - 1);
	if (n_head > 1)
		sides.squares += other.deviation * other.deviation * (double)(n_head - 1);
	return sides;
}

static const struct moderated_prior no_prior = { .variance = (double)NAN, .degrees = 0 };

static void without_a_prior_it_is_students_test(void **state)
{
	/* Student (1908), hours of sleep gained; t.test(var.equal = TRUE) of R: t = -1.8608 with 18
	 * degrees, p = 0.07919, interval of the difference -3.363874 to 0.203874 (base - head). */
	const double base[] = { 0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0 };
	const double head[] = { 1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4 };
	const struct moderated_sides sides = sides_of(base, 10, head, 10);
	const struct moderated test = moderated_compare(&sides, &no_prior, 0.95);
	CHECK(test.known);
	CHECK_NEAR(test.difference, 1.58, 1e-12);
	CHECK_NEAR(test.t, 1.8608, 1e-4);
	CHECK_NEAR(test.p, 0.07919, 1e-5);
	CHECK_NEAR(test.degrees, 18, 0);
	CHECK_NEAR(test.low, -0.203874, 1e-6);
	CHECK_NEAR(test.high, 3.363874, 1e-6);
}

static void a_prior_of_endless_degrees_is_the_yardstick_alone(void **state)
{
	/* One run a side: 1.959964 standard errors are 5 % of the normal distribution. */
	const struct moderated_sides sides = {
		.n_base = 1, .n_head = 1, .base_mean = 10, .head_mean = 10 + 1.959964 * 3 * sqrt(2)
	};
	const struct moderated_prior prior = { .variance = 9, .degrees = (double)INFINITY };
	const struct moderated test = moderated_compare(&sides, &prior, 0.95);
	CHECK(test.known);
	CHECK_NEAR(test.t, 1.959964, 1e-6);
	CHECK_NEAR(test.p, 0.05, 1e-6);
	CHECK_NEAR(test.low, 0, 1e-4);
}

/* P(|T| > t) with 6 degrees: 1 - sin a (1 + cos^2 a / 2 + 3 cos^4 a / 8), tan a = t / sqrt 6. */
static double student_of_six(double t)
{
	const double a = atan(t / sqrt(6));
	const double c2 = cos(a) * cos(a);
	return 1 - sin(a) * (1 + c2 / 2 + 3 * c2 * c2 / 8);
}

static void runs_and_prior_are_weighed_by_their_degrees(void **state)
{
	/* Squares 2 + 2 with 2 degrees, prior 5 worth 4: (20 + 4) / 6 = 4; error 2; t = 3 / 2 with
	 * 6 degrees. */
	const double base[] = { 1, 3 };
	const double head[] = { 4, 6 };
	const struct moderated_sides sides = sides_of(base, 2, head, 2);
	const struct moderated_prior prior = { .variance = 5, .degrees = 4 };
	const struct moderated test = moderated_compare(&sides, &prior, 0.95);
	CHECK_NEAR(test.t, 1.5, 1e-12);
	CHECK_NEAR(test.degrees, 6, 0);
	CHECK_NEAR(test.p, student_of_six(1.5), 1e-12);
	CHECK_NEAR(test.high - test.difference, 2 * 2.446912, 1e-5);
}

static void without_any_yardstick_nothing_is_said(void **state)
{
	const double some[] = { 1, 2 };
	const double same[] = { 4, 4, 4 };
	struct moderated_sides sides = sides_of(some, 1, some, 1);
	CHECK(!moderated_compare(&sides, &no_prior, 0.95).known);
	sides = sides_of(some, 2, NULL, 0);
	CHECK(!moderated_compare(&sides, &no_prior, 0.95).known);
	CHECK(isnan(moderated_compare(&sides, &no_prior, 0.95).p));
	/* Constant sides have no variance; the exact bound of welch.h is for them. */
	sides = sides_of(same, 3, same, 3);
	CHECK(!moderated_compare(&sides, &no_prior, 0.95).known);
}

/* trigamma by its series and the first terms of its expansion at the end. */
static double trigamma_twin(double x)
{
	double sum = 0;
	for (int k = 0; k < 10000; k++)
		sum += 1 / ((x + k) * (x + k));
	const double end = x + 10000;
	return sum + 1 / end + 1 / (2 * end * end);
}

static double digamma_twin(double x)
{
	double sum = 0;
	while (x < 1000) {
		sum -= 1 / x;
		x += 1;
	}
	return sum + log(x) - 1 / (2 * x) - 1 / (12 * x * x);
}

static void the_fit_agrees_with_bisection(void **state)
{
	const double variances[] = { 1.2, 0.3, 4.5, 0.9, 20.0, 0.05, 2.2, 1.1 };
	const double degrees[] = { 4, 6, 8, 4, 10, 4, 12, 6 };
	double logs[8];
	double mean = 0;
	double expected = 0;
	for (size_t i = 0; i < 8; i++) {
		const double half = degrees[i] / 2;
		logs[i] = log(variances[i]) - digamma_twin(half) + log(half);
		mean += logs[i] / 8;
		expected += trigamma_twin(half) / 8;
	}
	double seen = 0;
	for (size_t i = 0; i < 8; i++)
		seen += (logs[i] - mean) * (logs[i] - mean) / 7;
	double low = 1e-3;
	double high = 1e3;
	for (int step = 0; step < 60; step++) {
		const double middle = sqrt(low * high);
		if (trigamma_twin(middle) > seen - expected)
			low = middle;
		else
			high = middle;
	}
	const struct moderated_prior prior = moderated_prior_fit(variances, degrees, 8);
	CHECK_NEAR(prior.degrees, 2 * low, 1e-5 * low);
	CHECK_NEAR(prior.variance, exp(mean + digamma_twin(low) - log(low)), 1e-5);
}

static void equal_variances_get_a_prior_of_endless_degrees(void **state)
{
	const double variances[] = { 2, 2, 2, 2 };
	const double degrees[] = { 6, 6, 6, 6 };
	const struct moderated_prior prior = moderated_prior_fit(variances, degrees, 4);
	CHECK(isinf(prior.degrees));
	CHECK_NEAR(log(prior.variance), log(2) - digamma_twin(3) + log(3), 1e-6);
}

static void what_says_nothing_is_left_out_of_the_fit(void **state)
{
	const double variances[] = { 1, 0, (double)NAN, 3, 0.4 };
	const double degrees[] = { 4, 4, 4, 4, 4 };
	const double kept[] = { 1, 3, 0.4 };
	const struct moderated_prior with = moderated_prior_fit(variances, degrees, 5);
	const struct moderated_prior without = moderated_prior_fit(kept, degrees, 3);
	CHECK_NEAR(with.variance, without.variance, 0);
	const struct moderated_prior few = moderated_prior_fit(variances, degrees, 4);
	CHECK(isnan(few.variance));
	CHECK_NEAR(few.degrees, 0, 0);
}

/* A chi-squared number over its degrees, even degrees: a sum of exponential ones. */
static double scaled_chi(struct random *random, int degrees)
{
	double sum = 0;
	for (int i = 0; i < degrees / 2; i++)
		sum += -2 * log(1 - random_unit(random));
	return sum / degrees;
}

static void a_known_prior_is_found_again(void **state)
{
	struct random random;
	random_seed(&random, 2004);
	double variances[1500];
	double degrees[1500];
	for (size_t i = 0; i < 1500; i++) {
		const double truth = 2.0 / scaled_chi(&random, 8); /* d0 = 8, s0^2 = 2. */
		variances[i] = truth * scaled_chi(&random, 4);
		degrees[i] = 4;
	}
	const struct moderated_prior prior = moderated_prior_fit(variances, degrees, 1500);
	CHECK_NEAR(prior.variance, 2, 0.2);
	CHECK_NEAR(prior.degrees, 8, 3); /* The estimate itself scatters by 1. */
}

static void three_runs_a_side_keep_the_false_alarm_rate(void **state)
{
	struct random random;
	random_seed(&random, 6);
	const struct moderated_prior prior = { .variance = 1, .degrees = 20 };
	size_t alarms = 0;
	size_t found = 0;
	const size_t rounds = 20000;
	for (size_t round = 0; round < rounds; round++) {
		const double deviation = sqrt(1 / scaled_chi(&random, 20));
		double numbers[6];
		for (size_t i = 0; i < 6; i++)
			numbers[i] = deviation * random_normal(&random);
		struct moderated_sides sides = sides_of(numbers, 3, numbers + 3, 3);
		alarms += moderated_compare(&sides, &prior, 0.99).p <= 0.01;
		sides.head_mean += 4;
		found += moderated_compare(&sides, &prior, 0.99).p <= 0.01;
	}
	double low;
	double high;
	power_rate_interval(alarms, rounds, 0.999, &low, &high);
	CHECK(low <= 0.01 && 0.01 <= high);
	CHECK((double)found / (double)rounds > 0.9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_prior_it_is_students_test),
		cmocka_unit_test(a_prior_of_endless_degrees_is_the_yardstick_alone),
		cmocka_unit_test(runs_and_prior_are_weighed_by_their_degrees),
		cmocka_unit_test(without_any_yardstick_nothing_is_said),
		cmocka_unit_test(the_fit_agrees_with_bisection),
		cmocka_unit_test(equal_variances_get_a_prior_of_endless_degrees),
		cmocka_unit_test(what_says_nothing_is_left_out_of_the_fit),
		cmocka_unit_test(a_known_prior_is_found_again),
		cmocka_unit_test(three_runs_a_side_keep_the_false_alarm_rate),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
