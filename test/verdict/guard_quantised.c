/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scores that are constant or coarse. */
#include "verdict/sides_made.h"

static void steps_above_the_margin_are_told(void **state)
{
	static const double base[] = { 0.41, 0.42, 0.41, 0.43, 0.42, 0.41 };
	static const double head[] = { 0.42, 0.42, 0.43, 0.41, 0.43, 0.42 };
	struct sides_made made;
	made_begin(&made, 6);
	sample_metric(&made.base, &made_rate, base);
	sample_metric(&made.head, &made_rate, head);
	made_ask(&made, "quantised");
	made_check(&made, false, "moves in steps of 0.01, which are 2.4 % of it");
	made_end(&made);
}

static void steps_below_the_margin_are_fine_enough(void **state)
{
	static const double base[] = { 4.01, 4.02, 4.01, 4.03, 4.02, 4.01 };
	static const double head[] = { 4.02, 4.02, 4.03, 4.01, 4.03, 4.02 };
	struct sides_made made;
	made_begin(&made, 6);
	sample_metric(&made.base, &made_rate, base);
	sample_metric(&made.head, &made_rate, head);
	made_ask(&made, "quantised");
	CHECK_INT(made_notes(&made), 0);
	made_end(&made);
}

static void a_constant_side_is_told(void **state)
{
	struct sides_made made;
	made_begin(&made, 5);
	sample_state(&made.head, &made_rate, value_known(7));
	made_score(&made, 7, 7, 1);
	made_ask(&made, "quantised");
	made_check(&made, false, "the same number in all 5 runs of head (7)");
	made_end(&made);
}

static void numbers_that_never_repeat_are_well(void **state)
{
	struct sides_made made;
	made_begin(&made, 10);
	made_score(&made, 100, 100, 1);
	made_ask(&made, "quantised");
	CHECK_INT(made_notes(&made), 0);
	made_end(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_above_the_margin_are_told),
		cmocka_unit_test(steps_below_the_margin_are_fine_enough),
		cmocka_unit_test(a_constant_side_is_told),
		cmocka_unit_test(numbers_that_never_repeat_are_well),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
