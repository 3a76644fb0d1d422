/* SPDX-License-Identifier: GPL-2.0-or-later */
/* summary.h against textbook values, a naive twin in long double, and its own promises. */
#include "stats/summary.h"

#include "base/macros.h"
#include "base/random.h"
#include "check.h"

#include <math.h>

static void an_empty_sample_has_no_numbers(void **state)
{
	const struct summary summary = summary_make(NULL, 0);
	CHECK_INT(summary.n, 0);
	CHECK(isnan(summary.mean));
	CHECK(isnan(summary.deviation));
	CHECK(isnan(summary.minimum));
	CHECK(isnan(summary.maximum));
	CHECK(isnan(summary.median));
	CHECK(isnan(summary_relative_deviation(&summary)));
}

static void one_number_has_a_mean_and_no_deviation(void **state)
{
	const double numbers[] = { 7.25 };
	const struct summary summary = summary_make(numbers, 1);
	CHECK_NEAR(summary.mean, 7.25, 0.0);
	CHECK_NEAR(summary.median, 7.25, 0.0);
	CHECK(isnan(summary.deviation));
	CHECK(isnan(summary_relative_deviation(&summary)));
}

static void the_deviation_divides_by_n_minus_one(void **state)
{
	/* 2 4 4 4 5 5 7 9: mean 5, sum of squares 32; 32 / 7 and not 32 / 8. */
	const double numbers[] = { 9, 2, 4, 7, 4, 5, 4, 5 };
	const struct summary summary = summary_make(numbers, ARRAY_SIZE(numbers));
	CHECK_NEAR(summary.mean, 5.0, 1e-15);
	CHECK_NEAR(summary.deviation, 2.13808993529939517, 1e-15);
	CHECK_NEAR(summary.minimum, 2.0, 0.0);
	CHECK_NEAR(summary.maximum, 9.0, 0.0);
	CHECK_NEAR(summary.median, 4.5, 0.0);
	CHECK_NEAR(summary_relative_deviation(&summary), 42.7617987059879, 1e-12);
}

static void a_constant_sample_is_exactly_constant(void **state)
{
	/* Ten times 0.1 adds up to something else than 1. */
	double numbers[10];
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		numbers[i] = 0.1;
	const struct summary summary = summary_make(numbers, ARRAY_SIZE(numbers));
	CHECK_NEAR(summary.mean, 0.1, 0.0);
	CHECK_NEAR(summary.deviation, 0.0, 0.0);
	CHECK_NEAR(summary_relative_deviation(&summary), 0.0, 0.0);
}

static void the_relative_deviation_of_a_negative_mean_is_positive(void **state)
{
	const double numbers[] = { -9, -11 };
	const struct summary summary = summary_make(numbers, 2);
	CHECK_NEAR(summary_relative_deviation(&summary), 14.142135623730951, 1e-12);
}

static void a_mean_of_zero_has_no_relative_deviation(void **state)
{
	const double numbers[] = { -1, 1 };
	const struct summary summary = summary_make(numbers, 2);
	CHECK(isnan(summary_relative_deviation(&summary)));
}

static void a_large_offset_does_not_spoil_the_deviation(void **state)
{
	/* The one-pass formula gives 0 or nonsense here. */
	const double numbers[] = { 1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16 };
	const struct summary summary = summary_make(numbers, ARRAY_SIZE(numbers));
	CHECK_NEAR(summary.mean, 1e9 + 10, 0.0);
	CHECK_NEAR(summary.deviation, 5.47722557505166113, 1e-9);
}

static void the_largest_numbers_do_not_overflow_the_mean(void **state)
{
	const double numbers[] = { 1.7e308, 1.6e308, 1.5e308 };
	const struct summary summary = summary_make(numbers, ARRAY_SIZE(numbers));
	CHECK(isfinite(summary.mean));
	CHECK_NEAR(summary.mean / 1e308, 1.6, 1e-12);
}

static void extreme_numbers_have_a_deviation_or_none_but_never_zero(void **state)
{
	const double far[] = { 1, 2, 1e308 };
	struct summary summary = summary_make(far, 3);
	CHECK_NEAR(summary.deviation / 1e307, 5.773502691896258, 1e-12);
	CHECK_NEAR(summary_relative_deviation(&summary), 173.2050807568877, 1e-9);
	/* Its squares would all be 0. */
	const double tiny[] = { 1e-200, 2e-200, 3e-200 };
	summary = summary_make(tiny, 3);
	CHECK_NEAR(summary.deviation / 1e-200, 1.0, 1e-12);
	/* Beyond the largest double, and below half of the smallest. */
	const double both_ends[] = { -1.7e308, 1.7e308 };
	CHECK(isnan(summary_make(both_ends, 2).deviation));
	const double least[] = { 4.9e-324, 4.9e-324, 4.9e-324, 4.9e-324, 4.9e-324, 9.9e-324 };
	CHECK(isnan(summary_make(least, ARRAY_SIZE(least)).deviation));
	const double around_nothing[] = { -1e300, 1e300, 1e-10 };
	summary = summary_make(around_nothing, 3);
	CHECK(!isinf(summary_relative_deviation(&summary)));
}

static void quantiles_are_those_of_type_seven(void **state)
{
	/* quantile(c(1, 2, 4, 8, 16), p) in R. */
	const double sorted[] = { 1, 2, 4, 8, 16 };
	CHECK_NEAR(summary_quantile(sorted, 5, 0.0), 1.0, 0.0);
	CHECK_NEAR(summary_quantile(sorted, 5, 0.1), 1.4, 1e-12);
	CHECK_NEAR(summary_quantile(sorted, 5, 0.25), 2.0, 1e-12);
	CHECK_NEAR(summary_quantile(sorted, 5, 0.9), 12.8, 1e-12);
	CHECK_NEAR(summary_quantile(sorted, 5, 1.0), 16.0, 0.0);
	CHECK_NEAR(summary_quantile(sorted, 1, 0.3), 1.0, 0.0);
}

static long double naive_deviation(const double *numbers, size_t n, long double *ret_mean)
{
	long double sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += (long double)numbers[i];
	*ret_mean = sum / (long double)n;
	long double squares = 0;
	for (size_t i = 0; i < n; i++)
		squares += ((long double)numbers[i] - *ret_mean) *
			   ((long double)numbers[i] - *ret_mean);
	return sqrtl(squares / (long double)(n - 1));
}

static void random_samples_agree_with_the_naive_twin(void **state)
{
	struct random random;
	random_seed(&random, 20140801);
	for (int round = 0; round < 2000; round++) {
		double numbers[40];
		const size_t n = 2 + (size_t)random_below(&random, ARRAY_SIZE(numbers) - 2);
		const double scale = pow(10.0, 12.0 * random_unit(&random) - 6.0);
		for (size_t i = 0; i < n; i++)
			numbers[i] = scale * (100.0 + random_normal(&random));
		long double mean;
		const long double deviation = naive_deviation(numbers, n, &mean);
		const struct summary summary = summary_make(numbers, n);
		CHECK_NEAR(summary.mean / (double)mean, 1.0, 1e-14);
		CHECK_NEAR(summary.deviation / (double)deviation, 1.0, 1e-12);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_sample_has_no_numbers),
		cmocka_unit_test(one_number_has_a_mean_and_no_deviation),
		cmocka_unit_test(the_deviation_divides_by_n_minus_one),
		cmocka_unit_test(a_constant_sample_is_exactly_constant),
		cmocka_unit_test(the_relative_deviation_of_a_negative_mean_is_positive),
		cmocka_unit_test(a_mean_of_zero_has_no_relative_deviation),
		cmocka_unit_test(a_large_offset_does_not_spoil_the_deviation),
		cmocka_unit_test(the_largest_numbers_do_not_overflow_the_mean),
		cmocka_unit_test(extreme_numbers_have_a_deviation_or_none_but_never_zero),
		cmocka_unit_test(quantiles_are_those_of_type_seven),
		cmocka_unit_test(random_samples_agree_with_the_naive_twin),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
