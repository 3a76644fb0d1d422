/* SPDX-License-Identifier: GPL-2.0-or-later */
/* information.h against published capacities and against limits. */
#include "bisect/information.h"

#include "check.h"

#include <math.h>

static void at_even_odds_it_is_the_capacity_of_the_channel(void **state)
{
	AUTO(information) struct information *information = information_new();
	static const double known[][2] = {
		{ 0.5, 0.0437 }, { 1.0, 0.1607 }, { 2.0, 0.4859 }, { 4.0, 0.9128 }
	};
	for (size_t i = 0; i < 4; i++)
		CHECK_NEAR(information_of_number(information, 0.5, known[i][0]), known[i][1], 2e-3);
}

static void what_is_known_already_tells_nothing(void **state)
{
	AUTO(information) struct information *information = information_new();
	CHECK_NEAR(information_of_number(information, 0.0, 2.0), 0.0, 1e-12);
	CHECK_NEAR(information_of_number(information, 1.0, 2.0), 0.0, 1e-12);
	CHECK_NEAR(information_of_number(information, 0.3, 0.0), 0.0, 1e-12);
	CHECK_NEAR(information_of_number(information, 0.3, 1.7),
		   information_of_number(information, 0.7, 1.7), 1e-12);
	CHECK(information_of_number(information, 0.5, 100.0) <= 1.0 + 1e-9);
}

static void a_sure_oracle_tells_the_entropy(void **state)
{
	CHECK_NEAR(information_of_failures(0.5, 1e-12, 1.0 - 1e-12, 1), 1.0, 1e-6);
	CHECK_NEAR(information_of_failures(0.25, 1e-12, 1.0 - 1e-12, 1), 0.8112781, 1e-6);
	CHECK_NEAR(information_of_failures(0.5, 0.4, 0.4, 8), 0.0, 1e-9);
	CHECK(information_of_failures(0.5, 0.2, 0.6, 4) >
	      information_of_failures(0.5, 0.2, 0.6, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(at_even_odds_it_is_the_capacity_of_the_channel),
		cmocka_unit_test(what_is_known_already_tells_nothing),
		cmocka_unit_test(a_sure_oracle_tells_the_entropy),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
