/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The "cpu" lines of /proc/stat. */
#include "monitor/cpu_ticks.h"

#include "check.h"

static void guest_time_is_taken_out_of_user_and_nice(void **state)
{
	struct cpu_ticks cpu;
	CHECK(cpu_ticks_parse(" 100 20 3 4 5 6 7 8 30 11\n", &cpu));
	CHECK_INT(cpu.n_known, TICKS_COUNT);
	CHECK_INT(cpu.ticks[TICKS_USER], 70);
	CHECK_INT(cpu.ticks[TICKS_NICE], 9);
	CHECK_INT(cpu.ticks[TICKS_SYSTEM], 3);
	CHECK_INT(cpu.ticks[TICKS_STEAL], 8);
	CHECK_INT(cpu.ticks[TICKS_GUEST], 30);
	CHECK_INT(cpu.ticks[TICKS_GUEST_NICE], 11);
}

static void guest_time_above_user_time_gives_no_negative_number(void **state)
{
	struct cpu_ticks cpu;
	CHECK(cpu_ticks_parse(" 10 2 3 4 5 6 7 8 11 3\n", &cpu));
	CHECK_INT(cpu.ticks[TICKS_USER], 0);
	CHECK_INT(cpu.ticks[TICKS_NICE], 0);
}

static void an_old_kernel_knows_fewer_states(void **state)
{
	struct cpu_ticks cpu;
	CHECK(cpu_ticks_parse(" 1 2 3 4\n", &cpu));
	CHECK_INT(cpu.n_known, 4);
	CHECK(cpu_ticks_parse(" 1 2 3 4 5 6 7 8", &cpu));
	CHECK_INT(cpu.n_known, 8);
}

static void a_newer_kernel_may_append_states(void **state)
{
	struct cpu_ticks cpu;
	CHECK(cpu_ticks_parse(" 1 2 3 4 5 6 7 8 0 0 99 98\n", &cpu));
	CHECK_INT(cpu.n_known, TICKS_COUNT);
}

static void a_damaged_line_is_refused(void **state)
{
	struct cpu_ticks cpu = { .n_known = 77 };
	CHECK(!cpu_ticks_parse("", &cpu));
	CHECK(!cpu_ticks_parse(" 1 2 3\n", &cpu));
	CHECK(!cpu_ticks_parse(" 1 2 3 4 x 6 7 8 9 10\n", &cpu));
	CHECK(!cpu_ticks_parse(" 1 2 3 -4 5 6 7 8 9 10\n", &cpu));
	CHECK(!cpu_ticks_parse(" 1 2 3 4 99999999999999999999999 6\n", &cpu));
	CHECK_INT(cpu.n_known, 77);
}

static void a_small_fall_is_held_and_a_large_one_is_not(void **state)
{
	uint64_t last = 0;
	CHECK_INT(cpu_ticks_hold(&last, 100, 2), 100);
	CHECK_INT(cpu_ticks_hold(&last, 99, 2), 100);
	CHECK_INT(cpu_ticks_hold(&last, 98, 2), 100);
	CHECK_INT(cpu_ticks_hold(&last, 101, 2), 101);
	CHECK_INT(cpu_ticks_hold(&last, 98, 2), 98);
	CHECK_INT(cpu_ticks_hold(&last, 99, 2), 99);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(guest_time_is_taken_out_of_user_and_nice),
		cmocka_unit_test(guest_time_above_user_time_gives_no_negative_number),
		cmocka_unit_test(an_old_kernel_knows_fewer_states),
		cmocka_unit_test(a_newer_kernel_may_append_states),
		cmocka_unit_test(a_damaged_line_is_refused),
		cmocka_unit_test(a_small_fall_is_held_and_a_large_one_is_not),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
