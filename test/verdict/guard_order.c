/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether it is told that the sides were not interleaved. */
#include "verdict/sides_made.h"

static void drawn_blocks_are_well(void **state)
{
	struct sides_made made;
	made_begin(&made, 10);
	made_score(&made, 100, 100, 1);
	made_ask(&made, "order");
	CHECK_INT(made_notes(&made), 0);
	made_end(&made);
}

static void one_side_after_the_other_is_warned_about(void **state)
{
	struct sides_made made;
	made_begin(&made, 10);
	made_part(&made);
	made_score(&made, 100, 100, 1);
	made_ask(&made, "order");
	made_check(&made, false, "base and head were not interleaved (2 stretches");
	made_end(&made);
}

static void strict_turns_are_warned_about(void **state)
{
	struct sides_made made;
	made_begin(&made, 5);
	made.order_known = false;
	for (size_t i = 0; i < 5; i++) {
		made.base.runs[i]->started_wall_ns = 1000 + 2 * i;
		made.head.runs[i]->started_wall_ns = 1001 + 2 * i;
	}
	made_score(&made, 100, 100, 1);
	made_ask(&made, "order");
	made_check(&made, false, "took turns strictly");
	made_end(&made);
}

static void an_unknown_order_is_warned_about(void **state)
{
	struct sides_made made;
	made_begin(&made, 5);
	made_part(&made);
	made.base.runs[0]->started_wall_ns = 0;
	made_score(&made, 100, 100, 1);
	made_ask(&made, "order");
	made_check(&made, false, "is not known");
	made_end(&made);
}

static void one_run_a_side_has_no_order(void **state)
{
	struct sides_made made;
	made_begin(&made, 1);
	made_part(&made);
	made_score(&made, 100, 100, 1);
	made_ask(&made, "order");
	CHECK_INT(made_notes(&made), 0);
	made_end(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(drawn_blocks_are_well),
		cmocka_unit_test(one_side_after_the_other_is_warned_about),
		cmocka_unit_test(strict_turns_are_warned_about),
		cmocka_unit_test(an_unknown_order_is_warned_about),
		cmocka_unit_test(one_run_a_side_has_no_order),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
