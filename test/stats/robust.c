/* SPDX-License-Identifier: GPL-2.0-or-later */
/* robust.h against values worked out by hand and a twin that adds up the binomial distribution. */
#include "stats/robust.h"

#include "base/random.h"
#include "check.h"

#include <math.h>

static void the_deviation_of_the_textbook_sample_is_one(void **state)
{
	const double numbers[] = { 9, 1, 2, 6, 1, 4, 2 };
	CHECK_NEAR(robust_mad(numbers, 7), 1, 0);
	CHECK(isnan(robust_mad(numbers, 0)));
	CHECK_NEAR(robust_mad(numbers, 1), 0, 0);
}

static void a_stray_run_is_pulled_in_and_the_rest_stays(void **state)
{
	/* Median 11, distances 1 1 0 1 2 89: MAD 1; three robust deviations are 4.4478. */
	double numbers[] = { 10, 12, 11, 10, 9, 100, 12 };
	CHECK_INT(robust_winsorise(numbers, 7, 3), 1);
	CHECK_NEAR(numbers[5], 11 + 3 * 1.4826, 1e-12);
	CHECK_NEAR(numbers[0], 10, 0);
	CHECK_NEAR(numbers[4], 9, 0);
	double low[] = { 10, 12, 11, 10, 9, -100, 12 };
	CHECK_INT(robust_winsorise(low, 7, 3), 1);
	CHECK_NEAR(low[5], 10 - 3 * 1.4826, 1e-12);
}

static void a_sample_of_one_value_is_left_alone(void **state)
{
	double numbers[] = { 5, 5, 5, 5, 900 };
	CHECK_INT(robust_winsorise(numbers, 5, 3), 0);
	CHECK_NEAR(numbers[4], 900, 0);
	CHECK_INT(robust_winsorise(NULL, 0, 3), 0);
}

static void winsorising_keeps_a_stray_run_from_deciding(void **state)
{
	struct random random;
	random_seed(&random, 3);
	double largest = 0;
	for (int round = 0; round < 500; round++) {
		double numbers[10];
		for (size_t i = 0; i < 10; i++)
			numbers[i] = random_normal(&random);
		numbers[3] = 1e6;
		(void)robust_winsorise(numbers, 10, 3);
		for (size_t i = 0; i < 10; i++)
			largest = fmax(largest, numbers[i]);
	}
	CHECK(largest < 30);
}

static void the_median_of_ten_runs_lies_between_the_second_and_the_ninth(void **state)
{
	const double numbers[] = { 10, 1, 9, 2, 8, 3, 7, 4, 6, 5 };
	const struct quantile_interval median = robust_quantile(numbers, 10, 0.5, 0.95);
	CHECK_NEAR(median.estimate, 5.5, 1e-12);
	CHECK_NEAR(median.low, 2, 0);
	CHECK_NEAR(median.high, 9, 0);
	CHECK_NEAR(median.coverage, 1 - 22.0 / 1024, 1e-12);
}

static void five_runs_cannot_bound_a_median_at_95_percent(void **state)
{
	const double numbers[] = { 1, 2, 3, 4, 5, 6 };
	const struct quantile_interval five = robust_quantile(numbers, 5, 0.5, 0.95);
	CHECK(isinf(five.low));
	CHECK(five.low < 0);
	CHECK(isinf(five.high));
	const struct quantile_interval six = robust_quantile(numbers, 6, 0.5, 0.95);
	CHECK_NEAR(six.low, 1, 0);
	CHECK_NEAR(six.high, 6, 0);
	CHECK_NEAR(six.coverage, 1 - 2.0 / 64, 1e-12);
	CHECK(isnan(robust_quantile(NULL, 0, 0.5, 0.95).estimate));
}

static double binomial_at_most(size_t k, size_t n, double p)
{
	double sum = 0;
	for (size_t i = 0; i <= k; i++)
		sum += exp(lgamma((double)n + 1) - lgamma((double)i + 1) -
			   lgamma((double)(n - i) + 1) + (double)i * log(p) +
			   (double)(n - i) * log(1 - p));
	return sum;
}

/* Numbers 1 .. n: an order statistic tells its own place. The bounds must be the tightest whose
 * tails hold. */
static void bounds_agree_with_the_binomial_twin(void **state)
{
	const double probabilities[] = { 0.05, 0.25, 0.5, 0.9 };
	double numbers[60];
	for (size_t i = 0; i < 60; i++)
		numbers[i] = (double)(i + 1);
	for (size_t n = 2; n <= 60; n += 7)
		for (size_t which = 0; which < 4; which++) {
			const double p = probabilities[which];
			const struct quantile_interval found = robust_quantile(numbers, n, p, 0.9);
			double low = -(double)INFINITY;
			double high = (double)INFINITY;
			for (size_t k = 1; k <= n; k++) {
				/* The k-th is above the quantile when at most k - 1 are below. */
				if (binomial_at_most(k - 1, n, p) <= 0.05)
					low = numbers[k - 1];
				if (isinf(high) && 1 - binomial_at_most(k - 1, n, p) <= 0.05)
					high = numbers[k - 1];
			}
			CHECK(!(found.low < low || found.low > low));
			CHECK(!(found.high < high || found.high > high));
			CHECK(found.coverage >= 0.9 - 1e-12);
		}
}

static void intervals_cover_as_often_as_they_say(void **state)
{
	struct random random;
	random_seed(&random, 71);
	size_t covered = 0;
	double promised = 0;
	for (int round = 0; round < 4000; round++) {
		double numbers[15];
		for (size_t i = 0; i < 15; i++)
			numbers[i] = exp(random_normal(&random)); /* Median 1. */
		const struct quantile_interval median = robust_quantile(numbers, 15, 0.5, 0.95);
		covered += median.low <= 1 && 1 <= median.high;
		promised = median.coverage;
	}
	CHECK_NEAR((double)covered / 4000, promised, 0.01);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_deviation_of_the_textbook_sample_is_one),
		cmocka_unit_test(a_stray_run_is_pulled_in_and_the_rest_stays),
		cmocka_unit_test(a_sample_of_one_value_is_left_alone),
		cmocka_unit_test(winsorising_keeps_a_stray_run_from_deciding),
		cmocka_unit_test(the_median_of_ten_runs_lies_between_the_second_and_the_ninth),
		cmocka_unit_test(five_runs_cannot_bound_a_median_at_95_percent),
		cmocka_unit_test(bounds_agree_with_the_binomial_twin),
		cmocka_unit_test(intervals_cover_as_often_as_they_say),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
