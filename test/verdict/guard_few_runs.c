/* SPDX-License-Identifier: GPL-2.0-or-later */
/* So few runs that nothing can be decided. */
#include "verdict/sides_made.h"

static void three_runs_a_side_can_decide_nothing_by_their_order(void **state)
{
	struct sides_made made;
	made_begin(&made, 3);
	made_score(&made, 100, 100, 3);
	made_ask(&made, "few_runs");
	made_check(&made, false, "3 + 3 runs are too few to decide");
	CHECK_HOLDS(made.comparison->notes[0].text, "6 a side is the least");
	made_end(&made);
}

static void one_run_has_no_deviation(void **state)
{
	struct sides_made made;
	made_begin(&made, 1);
	made_score(&made, 100, 200, 3);
	made_ask(&made, "few_runs");
	made_check(&made, false, "1 + 1 run have no deviation");
	made_end(&made);
}

static void what_can_be_decided_is_left_alone(void **state)
{
	struct sides_made made;
	made_begin(&made, 6);
	made_score(&made, 100, 100, 5);
	made_ask(&made, "few_runs");
	CHECK_INT(made_notes(&made), 0);
	made_end(&made);
}

/* Half the rate needs one block more. */
static void a_stricter_rate_needs_more_runs(void **state)
{
	struct sides_made made;
	made_begin(&made, 6);
	made.options.alpha = 0.001;
	made_score(&made, 100, 100, 5);
	made_ask(&made, "few_runs");
	made_check(&made, false, "10 a side is the least");
	made_end(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(three_runs_a_side_can_decide_nothing_by_their_order),
		cmocka_unit_test(one_run_has_no_deviation),
		cmocka_unit_test(what_can_be_decided_is_left_alone),
		cmocka_unit_test(a_stricter_rate_needs_more_runs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
