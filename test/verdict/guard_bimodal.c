/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two groups of runs in one side. */
#include "verdict/sides_made.h"

static void two_groups_are_named_with_their_places(void **state)
{
	static const double base[] = { 100, 101, 99, 100.5, 99.5, 100.2, 99.8, 100.1, 101.1, 98.9 };
	static const double head[] = { 100, 120, 99, 121, 99.5, 119, 99.8, 120.1, 101.1, 120.9 };
	struct sides_made made;
	made_begin(&made, 10);
	sample_metric(&made.base, &made_rate, base);
	sample_metric(&made.head, &made_rate, head);
	made_ask(&made, "bimodal");
	made_check(&made, false, "the runs of head fall into two groups");
	CHECK_HOLDS(made.comparison->notes[0].text, "50 % about 99.8");
	CHECK_INT(made.comparison->notes[0].side, 1);
	made_end(&made);
}

static void one_group_is_well(void **state)
{
	struct sides_made made;
	made_begin(&made, 20);
	made_score(&made, 100, 110, 2);
	made_ask(&made, "bimodal");
	CHECK_INT(made_notes(&made), 0);
	made_end(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_groups_are_named_with_their_places),
		cmocka_unit_test(one_group_is_well),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
