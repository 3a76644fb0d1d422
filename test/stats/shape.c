/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shape.h without the modes (shape_modes.c) against values by hand, all orders, and simulation. */
#include "stats/shape.h"

#include "base/macros.h"
#include "base/random.h"
#include "check.h"

#include <math.h>

static void autocorrelation_by_hand(void **state)
{
	/* Distances -1.5 -0.5 0.5 1.5: products 1.25, squares 5: r = 0.25; (1 + 0.75) / 4 more. */
	const double numbers[] = { 1, 2, 3, 4 };
	CHECK_NEAR(shape_autocorrelation(numbers, 4), 0.6875, 1e-12);
	const double tiny[] = { 1e-200, 2e-200, 3e-200, 4e-200 };
	CHECK_NEAR(shape_autocorrelation(tiny, 4), 0.6875, 1e-12);
	CHECK(isnan(shape_autocorrelation(numbers, 3)));
	const double same[] = { 2, 2, 2, 2, 2 };
	CHECK(isnan(shape_autocorrelation(same, 5)));
}

static double mean_autocorrelation(struct random *random, double truth)
{
	double sum = 0;
	for (int round = 0; round < 3000; round++) {
		double numbers[20];
		double last = random_normal(random);
		for (size_t i = 0; i < 20; i++) {
			numbers[i] = last;
			last = truth * last + sqrt(1 - truth * truth) * random_normal(random);
		}
		sum += shape_autocorrelation(numbers, 20);
	}
	return sum / 3000;
}

static void the_correction_takes_the_bias_out(void **state)
{
	struct random random;
	random_seed(&random, 1954);
	CHECK_NEAR(mean_autocorrelation(&random, 0), 0, 0.015);
	/* It would be 0.35 without: it goes by the biased r itself. */
	CHECK_NEAR(mean_autocorrelation(&random, 0.5), 0.5, 0.07);
}

static void a_trend_among_equal_numbers_of_kendalls_example(void **state)
{
	/* Hollander and Wolfe (1973), p. 187, ordered by the first variable: tau 0.4444, p 0.1194. */
	const double numbers[] = { 2.5, 4.0, 2.6, 3.6, 2.8, 3.1, 5.2, 5.0, 3.8 };
	const struct trend trend = shape_trend(numbers, ARRAY_SIZE(numbers));
	CHECK(trend.known);
	CHECK_NEAR(trend.tau, 4.0 / 9, 1e-12);
	CHECK_NEAR(trend.p, 0.1194, 1e-4);
}

static void the_slope_ignores_a_stray_run(void **state)
{
	const double numbers[] = { 10, 12, 14, 16, 900, 20, 22, 24 };
	CHECK_NEAR(shape_trend(numbers, 8).slope, 2, 1e-12);
	const double falling[] = { 5, 4, 3, 2 };
	CHECK_NEAR(shape_trend(falling, 4).slope, -1, 0);
	CHECK_NEAR(shape_trend(falling, 4).tau, -1, 0);
	CHECK_NEAR(shape_trend(falling, 4).p, 2.0 / 24, 1e-12);
	CHECK(!shape_trend(falling, 3).known);
}

static double score_of(const double *numbers, size_t n)
{
	double score = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++)
			score += (numbers[j] > numbers[i]) - (numbers[j] < numbers[i]);
	return score;
}

/* Goes through all orders by Heap's method; counts those with a score as far from 0. */
static void count_orders(double *numbers, size_t k, size_t n, double far, double *counts)
{
	if (k == 1) {
		counts[0]++;
		counts[1] += fabs(score_of(numbers, n)) >= far - 1e-9;
		return;
	}
	for (size_t i = 0; i < k; i++) {
		count_orders(numbers, k - 1, n, far, counts);
		const size_t other = k % 2 == 0 ? i : 0;
		const double kept = numbers[other];
		numbers[other] = numbers[k - 1];
		numbers[k - 1] = kept;
	}
}

static void the_p_of_a_trend_agrees_with_all_orders(void **state)
{
	struct random random;
	random_seed(&random, 1938);
	for (int round = 0; round < 12; round++) {
		double numbers[7];
		for (size_t i = 0; i < 7; i++)
			numbers[i] = random_normal(&random) + 0.3 * (double)i;
		const struct trend trend = shape_trend(numbers, 7);
		double counts[2] = { 0 };
		count_orders(numbers, 7, 7, fabs(score_of(numbers, 7)), counts);
		CHECK_NEAR(counts[0], 5040, 0);
		CHECK_NEAR(trend.p, counts[1] / counts[0], 1e-12);
	}
}

static void ties_make_the_p_of_a_trend_approximate_but_near(void **state)
{
	double numbers[] = { 1, 1, 2, 2, 1, 3, 3, 2 };
	const struct trend trend = shape_trend(numbers, 8);
	/* 28 pairs: rising 16, falling 3, tied 3 + 3 + 1 + ... = 3 ones 3, 3 twos 3, 2 threes 1. */
	const double score = score_of(numbers, 8);
	CHECK_NEAR(trend.tau, score / sqrt(28.0 * (28 - 7)), 1e-12);
	/* Variance (8 7 21 - (3 2 11 + 3 2 11 + 2 1 9)) / 18 = 1026 / 18 = 57. */
	CHECK_NEAR(trend.p, erfc((score - 1) / sqrt(57) / sqrt(2)), 1e-9);
	const double same[] = { 4, 4, 4, 4, 4 };
	CHECK_NEAR(shape_trend(same, 5).p, 1, 0);
	CHECK_NEAR(shape_trend(same, 5).slope, 0, 0);
	CHECK_NEAR(shape_trend(same, 5).tau, 0, 0);
}

static void long_samples_are_handled(void **state)
{
	static double numbers[2600];
	struct random random;
	random_seed(&random, 9);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		numbers[i] = 0.01 * (double)i + random_normal(&random);
	const struct trend trend = shape_trend(numbers, ARRAY_SIZE(numbers));
	CHECK_NEAR(trend.slope, 0.01, 0.0005);
	CHECK(trend.p < 1e-10);
	/* At the limit of the exact distribution both ways must agree. */
	const double exact = shape_trend(numbers, 60).p;
	numbers[60] = numbers[59];
	const double near = shape_trend(numbers, 61).p;
	CHECK_NEAR(exact, near, 0.05);
}

static void outliers_are_marked_by_the_modified_score(void **state)
{
	const double numbers[] = { 10, 12, 11, 10, 9, 100, 12 };
	bool marks[7];
	CHECK_INT(shape_outliers(numbers, 7, 3.5, marks), 1);
	CHECK(marks[5]);
	CHECK(!marks[4]);
	/* 0.6745 (9 - 11) / 1 = -1.349. */
	CHECK_INT(shape_outliers(numbers, 7, 1.3, marks), 2);
	CHECK(marks[4]);
	const double same[] = { 1, 1, 1, 7 };
	CHECK_INT(shape_outliers(same, 4, 3.5, marks), 0);
	CHECK(!marks[3]);
	CHECK_INT(shape_outliers(NULL, 0, 3.5, NULL), 0);
}

static void the_step_of_a_coarse_clock_is_found(void **state)
{
	const double coarse[] = { 0.1, 0.3, 0.2, 0.1, 0.6, 0.3, 0.2, 0.1 };
	CHECK_NEAR(shape_quantum(coarse, 8), 0.1, 1e-9);
	const double even[] = { 1004, 1000, 1010, 1000, 1004, 1010 };
	CHECK_NEAR(shape_quantum(even, 6), 2, 1e-9);
	const double fine[] = { 1.0312, 1.2957, 1.1241, 1.7183, 1.4142, 1.3333 };
	CHECK_NEAR(shape_quantum(fine, 6), 0, 0);
	const double constant[] = { 3, 3, 3, 3 };
	CHECK_NEAR(shape_quantum(constant, 4), 0, 0);
	CHECK_NEAR(shape_quantum(coarse, 3), 0, 0);
	const double unrelated[] = { 0, 1, 3.14159265358979, 0, 1, 3.14159265358979, 0, 0 };
	CHECK_NEAR(shape_quantum(unrelated, 8), 0, 1e-4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(autocorrelation_by_hand),
		cmocka_unit_test(the_correction_takes_the_bias_out),
		cmocka_unit_test(a_trend_among_equal_numbers_of_kendalls_example),
		cmocka_unit_test(the_slope_ignores_a_stray_run),
		cmocka_unit_test(the_p_of_a_trend_agrees_with_all_orders),
		cmocka_unit_test(ties_make_the_p_of_a_trend_approximate_but_near),
		cmocka_unit_test(long_samples_are_handled),
		cmocka_unit_test(outliers_are_marked_by_the_modified_score),
		cmocka_unit_test(the_step_of_a_coarse_clock_is_found),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
