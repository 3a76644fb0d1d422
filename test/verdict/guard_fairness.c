/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A spread over the workers that changed. */
#include "verdict/sides_made.h"

static void begin(struct sides_made *made, double slowest)
{
	made_begin(made, 8);
	made_score(made, 100, 105, 1);
	made_reading(made, "getppid1.workers.ops_min", 95, slowest, 1);
	made_reading(made, "getppid1.workers.ops_max", 105, 105, 1);
	made_reading(made, "getppid1.workers.ops_spread", 10, 105 - slowest, 1);
}

static void a_worker_left_behind_is_told(void **state)
{
	struct sides_made made;
	begin(&made, 50);
	made_ask(&made, "fairness");
	made_check(&made, false, "the slowest did 90 % of the fastest with base and 4");
	made_end(&made);
}

static void a_small_change_is_none(void **state)
{
	struct sides_made made;
	begin(&made, 92);
	made_ask(&made, "fairness");
	CHECK_INT(made_notes(&made), 0);
	made_end(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_worker_left_behind_is_told),
		cmocka_unit_test(a_small_change_is_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
