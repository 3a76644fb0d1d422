/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rates.h against products of predictions, one unit after the other. */
#include "bisect/rates.h"

#include "check.h"

#include <math.h>

/* Each unit is predicted by the shares so far: (failures + 1/2) / (n + 1). */
static double predicted(int passes, int failures)
{
	double sum = 0.0;
	for (int i = 0; i < failures; i++)
		sum += log((i + 0.5) / (i + 1.0));
	for (int i = 0; i < passes; i++)
		sum += log((i + 0.5) / (failures + i + 1.0));
	return sum;
}

static void it_is_the_product_of_predictions(void **state)
{
	const struct rates_group groups[] = { { 4, 0 }, { 3, 1 }, { 0, 6 } };
	const uint8_t masks[] = { 0, 0, 1 };
	CHECK_NEAR(rates_judge(groups, masks, 3, 0, false).log_evidence,
		   predicted(7, 1) + predicted(0, 6), 1e-9);
	CHECK_NEAR(rates_judge(groups, masks, 3, 0, true).log_evidence, predicted(7, 7), 1e-9);
}

static void a_known_change_has_a_level_of_its_own(void **state)
{
	const struct rates_group groups[] = { { 4, 0 }, { 3, 1 }, { 0, 6 } };
	const uint8_t masks[] = { 0, 2, 3 };
	CHECK_NEAR(rates_judge(groups, masks, 3, 1, false).log_evidence,
		   predicted(4, 0) + predicted(3, 1) + predicted(0, 6), 1e-9);
	const struct rates rates = rates_judge(groups, masks, 3, 1, false);
	CHECK(rates.second > 0.9 && rates.first < 0.2 && rates.error > 0.0);
}

static void a_difference_of_shares_stays_within_its_interval(void **state)
{
	const struct rates_group never = { 5, 0 };
	const struct rates_group always = { 0, 5 };
	const struct rates_group half = { 50, 50 };
	const struct rates_difference sure = rates_compare(&never, &always);
	CHECK_NEAR(sure.estimate, 1.0, 1e-12);
	CHECK(sure.low > 0.2 && sure.high <= 1.0);
	const struct rates_difference none = rates_compare(&half, &half);
	CHECK_NEAR(none.estimate, 0.0, 1e-12);
	CHECK_NEAR(none.high, 1.96 * sqrt(2 * 0.25 / 102), 1e-9);
	CHECK_NEAR(none.low, -none.high, 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_the_product_of_predictions),
		cmocka_unit_test(a_known_change_has_a_level_of_its_own),
		cmocka_unit_test(a_difference_of_shares_stays_within_its_interval),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
