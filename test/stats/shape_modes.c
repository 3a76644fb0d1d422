/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shape_modes: its false-alarm rate and its power by simulation, and its answers on clear samples. */
#include "base/macros.h"
#include "base/random.h"
#include "check.h"
#include "stats/power.h"
#include "stats/shape.h"

#include <math.h>

static void two_clear_groups_are_named(void **state)
{
	const double numbers[] = { 10.1, 20.2, 9.9, 10.0, 19.8, 10.2, 20.0, 9.8, 10.05, 19.9 };
	const struct modes modes = shape_modes(numbers, ARRAY_SIZE(numbers), 0.01);
	CHECK(modes.known);
	CHECK(modes.two);
	CHECK_NEAR(modes.low, (10.1 + 9.9 + 10.0 + 10.2 + 9.8 + 10.05) / 6, 1e-9);
	CHECK_NEAR(modes.high, 19.975, 1e-9);
	CHECK_NEAR(modes.share_low, 0.6, 1e-12);
	CHECK_NEAR(modes.p, 1.0 / 2000, 1e-12);
}

static void seven_numbers_are_too_few(void **state)
{
	const double numbers[] = { 1, 1, 1, 9, 9, 9, 9 };
	CHECK(!shape_modes(numbers, 7, 0.01).known);
	CHECK(isnan(shape_modes(numbers, 7, 0.01).p));
}

static void one_stray_run_is_no_mode(void **state)
{
	const double numbers[] = { 10.1, 9.7, 10.4, 9.9, 10.2, 10.0, 9.8, 30, 10.3, 9.6 };
	CHECK(!shape_modes(numbers, ARRAY_SIZE(numbers), 0.01).two);
}

static void a_constant_sample_has_one_mode(void **state)
{
	const double numbers[] = { 3, 3, 3, 3, 3, 3, 3, 3 };
	const struct modes modes = shape_modes(numbers, 8, 0.01);
	CHECK(modes.known);
	CHECK(!modes.two);
	CHECK_NEAR(modes.p, 1, 0);
}

static void one_step_of_a_coarse_clock_is_no_valley(void **state)
{
	const double steps[] = { 10, 11, 10, 10, 11, 11, 10, 11, 10, 11 };
	CHECK(!shape_modes(steps, 10, 0.05).two);
	const double far[] = { 10, 11, 10, 10, 31, 31, 30, 31, 10, 31 };
	CHECK(shape_modes(far, 10, 0.05).two);
}

static void size_and_place_of_the_unit_do_not_matter(void **state)
{
	double numbers[] = { 1, 1.2, 0.9, 1.1, 1.05, 3.9, 4, 4.2, 4.1, 0.95 };
	const double p = shape_modes(numbers, 10, 0.01).p;
	for (size_t i = 0; i < 10; i++)
		numbers[i] = 1e12 + 1e9 * numbers[i];
	CHECK_NEAR(shape_modes(numbers, 10, 0.01).p, p, 1e-9);
	CHECK(shape_modes(numbers, 10, 0.01).two);
	for (size_t i = 0; i < 10; i++)
		numbers[i] = (numbers[i] - 1e12) * 1e-300;
	CHECK_NEAR(shape_modes(numbers, 10, 0.01).p, p, 1e-9);
}

/* How many of `rounds` samples of n are said to have two modes `apart` deviations from each other. */
static size_t count_two(struct random *random, size_t n, size_t rounds, double apart, double alpha)
{
	double numbers[64];
	size_t two = 0;
	for (size_t round = 0; round < rounds; round++) {
		for (size_t i = 0; i < n; i++)
			numbers[i] = random_normal(random) + (random_below(random, 2) ? apart : 0);
		two += shape_modes(numbers, n, alpha).two;
	}
	return two;
}

static void one_mode_is_taken_for_two_no_more_often_than_alpha(void **state)
{
	struct random random;
	random_seed(&random, 1969);
	const size_t sizes[] = { 8, 10, 20, 40 };
	const size_t rounds = 1500;
	size_t at_one = 0;
	size_t at_five = 0;
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		at_one += count_two(&random, sizes[i], rounds, 0, 0.01);
		at_five += count_two(&random, sizes[i], rounds / 3, 0, 0.05);
	}
	double low;
	double high;
	power_rate_interval(at_one, ARRAY_SIZE(sizes) * rounds, 0.99, &low, &high);
	print_message("one mode taken for two at 1 %%: %zu of %zu\n", at_one,
		      ARRAY_SIZE(sizes) * rounds);
	CHECK(low <= 0.01 && high < 0.015);
	/* And the rate is used: a test that never fires holds any alpha. */
	CHECK(high > 0.01);
	power_rate_interval(at_five, ARRAY_SIZE(sizes) * (rounds / 3), 0.99, &low, &high);
	CHECK(low <=
	      0.05); /* Large samples stay far below it: few have a gap that is wide enough. */
}

static void two_modes_far_apart_are_found(void **state)
{
	struct random random;
	random_seed(&random, 8);
	CHECK(count_two(&random, 20, 200, 7, 0.01) > 190);
	CHECK(count_two(&random, 10, 200, 10, 0.01) > 160);
}

static void a_long_sample_is_thinned(void **state)
{
	static double numbers[5000];
	struct random random;
	random_seed(&random, 4);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		numbers[i] = random_normal(&random);
	CHECK(!shape_modes(numbers, ARRAY_SIZE(numbers), 0.01).two);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i += 3)
		numbers[i] += 20;
	const struct modes modes = shape_modes(numbers, ARRAY_SIZE(numbers), 0.01);
	CHECK(modes.two);
	CHECK_NEAR(modes.share_low, 2.0 / 3, 0.01);
	CHECK_NEAR(modes.high - modes.low, 20, 0.2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_clear_groups_are_named),
		cmocka_unit_test(seven_numbers_are_too_few),
		cmocka_unit_test(one_stray_run_is_no_mode),
		cmocka_unit_test(a_constant_sample_has_one_mode),
		cmocka_unit_test(one_step_of_a_coarse_clock_is_no_valley),
		cmocka_unit_test(size_and_place_of_the_unit_do_not_matter),
		cmocka_unit_test(one_mode_is_taken_for_two_no_more_often_than_alpha),
		cmocka_unit_test(two_modes_far_apart_are_found),
		cmocka_unit_test(a_long_sample_is_thinned),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
