/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "check.h"
#include "outlive.h"

static void nothing_outlives_a_killed_supervisor(void **state)
{
	(void)state;
	outlive_need(ISOLATION_CGROUP);
	CHECK(outlive_all_died(ISOLATION_CGROUP, OUTLIVE_SUPERVISOR_KILLED));
}

static void nothing_outlives_a_killed_harness(void **state)
{
	(void)state;
	outlive_need(ISOLATION_CGROUP);
	CHECK(outlive_all_died(ISOLATION_CGROUP, OUTLIVE_HARNESS_KILLED));
}

static void the_supervisor_can_end_everything(void **state)
{
	(void)state;
	outlive_need(ISOLATION_CGROUP);
	CHECK(outlive_all_died(ISOLATION_CGROUP, OUTLIVE_ENDED));
}

static void the_harness_can_kill_all_but_itself(void **state)
{
	(void)state;
	outlive_need(ISOLATION_CGROUP);
	CHECK(outlive_all_died(ISOLATION_CGROUP, OUTLIVE_KILL_REST));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_outlives_a_killed_supervisor),
		cmocka_unit_test(nothing_outlives_a_killed_harness),
		cmocka_unit_test(the_supervisor_can_end_everything),
		cmocka_unit_test(the_harness_can_kill_all_but_itself),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
