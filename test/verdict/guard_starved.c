/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A workload that claims the CPU beside idle CPUs: the story of ebizzy. */
#include "verdict/sides_made.h"

/* What the run got, in per cent of one CPU, and what stood idle of two, in per cent. */
static void begin(struct sides_made *made, double got, double idle)
{
	made_begin(made, 6);
	made_score(made, 100, 100, 1);
	made_reading(made, "getppid1.time.percent_of_cpu_this_job_got", 99.8, got, 0.1);
	made_reading(made, "mpstat.cpu.all.idle%", 49, idle, 0.1);
}

static void idle_cpus_beside_a_starved_workload_withhold(void **state)
{
	struct sides_made made;
	begin(&made, 20, 88);
	made_ask(&made, "starved");
	made_check(&made, true,
		   "the runs of head used 0.2 of the 1 CPUs that the workload claims, while 1.8 "
		   "stood idle: what it waited for cannot be told");
	CHECK_INT(made.comparison->notes[0].side, 1);
	made_end(&made);
}

static void a_little_hunger_is_a_warning(void **state)
{
	struct sides_made made;
	begin(&made, 70, 64);
	made_ask(&made, "starved");
	made_check(&made, false, "used 0.7 of the 1 CPUs");
	made_end(&made);
}

static void when_others_have_the_cpus_it_is_not_this_guards_matter(void **state)
{
	struct sides_made made;
	begin(&made, 40, 2);
	made_ask(&made, "starved");
	CHECK_INT(made_notes(&made), 0);
	made_end(&made);
}

static void it_says_what_was_waited_for(void **state)
{
	struct sides_made made;
	begin(&made, 20, 88);
	made_reading(&made, "pressure.io.some.total_us", 900, 3.9e6, 0.1);
	made_ask(&made, "starved");
	made_check(&made, true, "tasks waited for I/O in 78 % of the time");
	made_end(&made);

	begin(&made, 20, 88);
	made_reading(&made, "getppid1.time.voluntary_context_switches", 4, 100000, 0.01);
	made_ask(&made, "starved");
	made_check(&made, true, "each worker slept of its own will 200");
	made_end(&made);
}

static void a_workload_that_waits_by_its_nature_claims_nothing(void **state)
{
	struct sides_made made;
	begin(&made, 20, 88);
	made.plugin.claims_cpu = false;
	made_ask(&made, "starved");
	CHECK_INT(made_notes(&made), 0);
	made_end(&made);
}

static void a_quota_is_no_starvation(void **state)
{
	struct sides_made made;
	begin(&made, 25, 88);
	sample_fact(&made.head, "cgroup.cpu.max", "25000 100000");
	made_ask(&made, "starved");
	CHECK_INT(made_notes(&made), 0);
	made_end(&made);
}

static void begin_program(struct sides_made *made, const char *program, double got)
{
	made_begin(made, 6);
	made_score(made, 100, 100, 1);
	made->plugin.claims_cpu = false;
	sample_argument(&made->base, "program", program);
	sample_argument(&made->head, "program", program);
	made_fact(made, "cpu.count", "48");
	made_fact(made, "process.affinity", "0-47");
	made_fact(made, "cgroup.cpuset.cpus", "0-47");
	made_reading(made, "getppid1.time.percent_of_cpu_this_job_got", got, got, 0.1);
	made_reading(made, "mpstat.cpu.all.idle%", 96, 96, 0.1);
}

static void ebizzy_on_idle_cpus_is_withheld(void **state)
{
	struct sides_made made;
	begin_program(&made, "/usr/bin/ebizzy -S 10 -t 96", 190);
	made_ask(&made, "starved");
	CHECK_INT(made_notes(&made), 2);
	CHECK(made.comparison->notes[0].withholds);
	CHECK_HOLDS(made.comparison->notes[0].text, "used 1.9 of the 48 CPUs");
	made_end(&made);
}

static void ebizzy_with_as_many_threads_as_it_used_is_well(void **state)
{
	struct sides_made made;
	begin_program(&made, "ebizzy -S 10 -t 2", 195);
	made_ask(&made, "starved");
	CHECK_INT(made_notes(&made), 0);
	made_end(&made);
}

static void an_unknown_program_that_waits_is_warned_about(void **state)
{
	struct sides_made made;
	begin_program(&made, "sleep 5", 0.1);
	made_ask(&made, "starved");
	CHECK_INT(made_notes(&made), 2);
	CHECK(!made.comparison->notes[0].withholds);
	CHECK_HOLDS(made.comparison->notes[0].text, "its time is one of waiting");
	made_end(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(idle_cpus_beside_a_starved_workload_withhold),
		cmocka_unit_test(a_little_hunger_is_a_warning),
		cmocka_unit_test(when_others_have_the_cpus_it_is_not_this_guards_matter),
		cmocka_unit_test(it_says_what_was_waited_for),
		cmocka_unit_test(a_workload_that_waits_by_its_nature_claims_nothing),
		cmocka_unit_test(a_quota_is_no_starvation),
		cmocka_unit_test(ebizzy_on_idle_cpus_is_withheld),
		cmocka_unit_test(ebizzy_with_as_many_threads_as_it_used_is_well),
		cmocka_unit_test(an_unknown_program_that_waits_is_warned_about),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
