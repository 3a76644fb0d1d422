/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A score and a time that contradict each other. */
#include "verdict/sides_made.h"

static void more_work_a_second_that_takes_longer_withholds(void **state)
{
	struct sides_made made;
	made_begin(&made, 8);
	made_score(&made, 100, 110, 0.5);
	made_reading(&made, "getppid1.time.elapsed_time", 5, 5.5, 0.5);
	made_ask(&made, "elapsed");
	made_check(&made, true, "says better (+");
	made_end(&made);
}

static void a_little_longer_is_a_warning(void **state)
{
	struct sides_made made;
	made_begin(&made, 8);
	made_score(&made, 100, 120, 0.5);
	made_reading(&made, "getppid1.time.elapsed_time", 5, 5.15, 0.2);
	made_ask(&made, "elapsed");
	made_check(&made, false, "is better by +");
	made_end(&made);
}

static void faster_in_less_time_agrees(void **state)
{
	struct sides_made made;
	made_begin(&made, 8);
	made_score(&made, 100, 110, 0.5);
	made_reading(&made, "getppid1.time.elapsed_time", 5, 4.6, 0.5);
	made_ask(&made, "elapsed");
	CHECK_INT(made_notes(&made), 0);
	made_end(&made);
}

static void a_fixed_time_says_nothing(void **state)
{
	struct sides_made made;
	made_begin(&made, 8);
	made_score(&made, 100, 110, 0.5);
	made_ask(&made, "elapsed");
	CHECK_INT(made_notes(&made), 0);
	made_end(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(more_work_a_second_that_takes_longer_withholds),
		cmocka_unit_test(a_little_longer_is_a_warning),
		cmocka_unit_test(faster_in_less_time_agrees),
		cmocka_unit_test(a_fixed_time_says_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
