/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Readings by name, and the CPUs that a run could use. */
#include "verdict/reading.h"

#include "verdict/sides_made.h"

static void a_row_is_found_by_its_name_or_its_end(void **state)
{
	struct sides_made made;
	made_begin(&made, 4);
	made_score(&made, 100, 100, 1);
	made_reading(&made, "mpstat.cpu.all.idle%", 40, 60, 0);
	made_judge(&made);
	CHECK_TEXT(reading_row(made.comparison, "*.time.elapsed_time")->metric.name,
		   "getppid1.time.elapsed_time");
	CHECK(!reading_row(made.comparison, "time.elapsed_time"));
	CHECK_NEAR(reading_mean(made.comparison, "mpstat.cpu.all.idle%", 0), 40, 1e-9);
	CHECK_NEAR(reading_mean(made.comparison, "mpstat.cpu.all.idle%", 1), 60, 1e-9);
	CHECK(isnan(reading_mean(made.comparison, "no.such.row", 1)));
	made_end(&made);
}

static double cpus_with(const char *fact, const char *text)
{
	struct sides_made made;
	made_begin(&made, 2);
	made_score(&made, 100, 100, 1);
	made_fact(&made, "cpu.count", "16");
	made_fact(&made, fact, text);
	made_fact(&made, "process.affinity", "0-15");
	made_fact(&made, "cgroup.cpuset.cpus", "0-15");
	made_judge(&made);
	const double cpus = reading_cpus(made.comparison, 1);
	made_end(&made);
	return cpus;
}

static void the_tightest_limit_of_cpus_holds(void **state)
{
	CHECK_NEAR(cpus_with("cgroup.cpu.max", "max"), 16, 1e-9);
	CHECK_NEAR(cpus_with("cgroup.cpu.max", "max 100000"), 16, 1e-9);
	CHECK_NEAR(cpus_with("cgroup.cpu.max", "150000 100000"), 1.5, 1e-9);
	CHECK_NEAR(cpus_with("process.affinity", "0,3,8-9"), 4, 1e-9);
	CHECK_NEAR(cpus_with("cgroup.cpuset.cpus", "2-7"), 6, 1e-9);
}

static void others_are_what_is_neither_idle_nor_our_own(void **state)
{
	/* 100 % of one CPU of our own; idle 25, waiting 5, stolen 1, interrupts 1 and 2. */
	const double readings[] = { 100, 25, 5, 1, 1, 2 };
	CHECK_NEAR(reading_others(readings, 4), 4 * 0.66 - 1, 1e-9);
	const double alone[] = { 200, 50, 0, 0, 0, 0 };
	CHECK_NEAR(reading_others(alone, 2), 0, 1e-9);
	const double unknown[] = { 200, (double)NAN, 0, 0, 0, 0 };
	CHECK(isnan(reading_others(unknown, 2)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_is_found_by_its_name_or_its_end),
		cmocka_unit_test(the_tightest_limit_of_cpus_holds),
		cmocka_unit_test(others_are_what_is_neither_idle_nor_our_own),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
