/* SPDX-License-Identifier: GPL-2.0-or-later */
/* noise.h against layouts worked out by hand and simulated groups whose deviations are known. */
#include "stats/noise.h"

#include "base/macros.h"
#include "base/random.h"
#include "check.h"

#include <math.h>

static void equal_groups_give_the_textbook_moments(void **state)
{
	/* Squares within 2 + 2 of 2 degrees: 2. Means 2 and 6, mean square between 16, (16 - 2) / 2. */
	const double one[] = { 1, 3 };
	const double other[] = { 5, 7 };
	const struct noise_group groups[] = { { one, 2 }, { other, 2 } };
	const struct noise noise = noise_pool(groups, 2, /* logarithmic= */ false,
					      /* same_level= */ true);
	CHECK(!noise.logarithmic);
	CHECK_NEAR(noise.within, sqrt(2), 1e-12);
	CHECK_NEAR(noise.within_degrees, 2, 0);
	CHECK_NEAR(noise.between, sqrt(7), 1e-12);
	CHECK_INT(noise.groups, 2);
}

static void unequal_groups_are_weighed_by_their_runs(void **state)
{
	/* Within 10 / 3; mean square between 30; n0 = 5 - 13 / 5 = 2.4. */
	const double one[] = { 1, 3 };
	const double other[] = { 5, 7, 9 };
	const struct noise_group groups[] = { { one, 2 }, { other, 3 } };
	const struct noise noise = noise_pool(groups, 2, /* logarithmic= */ true,
					      /* same_level= */ true);
	CHECK(noise.logarithmic);
	CHECK_NEAR(noise.within, sqrt(10.0 / 3), 1e-12);
	CHECK_NEAR(noise.between, sqrt((30 - 10.0 / 3) / 2.4), 1e-12);
}

static void what_was_never_seen_twice_is_not_known(void **state)
{
	const double numbers[] = { 1, 2, 4 };
	const struct noise_group singles[] = { { numbers, 1 }, { numbers + 1, 1 } };
	struct noise noise = noise_pool(singles, 2, false, true);
	CHECK(isnan(noise.within));
	CHECK(isnan(noise.between));
	CHECK_NEAR(noise.within_degrees, 0, 0);
	const struct noise_group alone[] = { { numbers, 3 } };
	noise = noise_pool(alone, 1, false, true);
	CHECK(!isnan(noise.within));
	CHECK(isnan(noise.between));
	noise = noise_pool(NULL, 0, false, true);
	CHECK(isnan(noise.within));
	CHECK_INT(noise.groups, 0);
}

static void groups_of_different_points_say_nothing_of_between(void **state)
{
	const double one[] = { 1, 3 };
	const double other[] = { 500, 502 };
	const struct noise_group groups[] = { { one, 2 }, { other, 2 } };
	const struct noise noise = noise_pool(groups, 2, false, /* same_level= */ false);
	CHECK_NEAR(noise.within, sqrt(2), 1e-12);
	CHECK(isnan(noise.between));
}

static void groups_that_agree_have_no_deviation_between(void **state)
{
	const double one[] = { 1, 9 };
	const double other[] = { 2, 8 };
	const struct noise_group groups[] = { { one, 2 }, { other, 2 } };
	CHECK_NEAR(noise_pool(groups, 2, false, true).between, 0, 0);
}

static void a_stray_run_does_not_set_the_noise(void **state)
{
	const double numbers[] = { 10, 12, 11, 10, 9, 1000, 12 };
	const struct noise_group group[] = { { numbers, ARRAY_SIZE(numbers) } };
	CHECK(noise_pool(group, 1, false, true).within < 10);
	CHECK_NEAR(numbers[5], 1000, 0); /* The caller's numbers stay. */
}

/* Mean 2, squares 172 - 7 * 4 = 144 of 6 degrees: 13 is far out, and noise of this metric. */
static void an_outlier_is_part_of_the_noise(void **state)
{
	const double numbers[] = { 0, 1, -1, 1, 0, 13, 0 };
	const struct noise_group group[] = { { numbers, ARRAY_SIZE(numbers) } };
	CHECK_NEAR(noise_pool(group, 1, false, true).within, sqrt(24), 1e-12);
}

static void both_deviations_are_found_again(void **state)
{
	struct random random;
	random_seed(&random, 36);
	static double values[400][6];
	struct noise_group groups[400];
	for (size_t i = 0; i < 400; i++) {
		const double level = 100 + 2 * random_normal(&random);
		groups[i] = (struct noise_group) { values[i], 2 + i % 3 };
		for (size_t j = 0; j < groups[i].n; j++)
			values[i][j] = level + random_normal(&random);
	}
	const struct noise noise = noise_pool(groups, 400, false, true);
	CHECK_NEAR(noise.within, 1, 0.08);
	CHECK_NEAR(noise.between, 2, 0.25);
	CHECK_NEAR(noise.within_degrees, 799, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_groups_give_the_textbook_moments),
		cmocka_unit_test(unequal_groups_are_weighed_by_their_runs),
		cmocka_unit_test(what_was_never_seen_twice_is_not_known),
		cmocka_unit_test(groups_of_different_points_say_nothing_of_between),
		cmocka_unit_test(groups_that_agree_have_no_deviation_between),
		cmocka_unit_test(a_stray_run_does_not_set_the_noise),
		cmocka_unit_test(an_outlier_is_part_of_the_noise),
		cmocka_unit_test(both_deviations_are_found_again),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
