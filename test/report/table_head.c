/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stands above the rows. */
#include "check.h"
#include "report/formats.h"
#include "report/scenario.h"
#include "report/table.h"

static char *render(const struct comparison *const *comparisons, size_t n)
{
	struct text text = { 0 };
	const struct report_options options = { .width = 300 };
	format_table.render(comparisons, n, &options, &text);
	return text_take(&text);
}

static void machine_workload_score_and_subjects_are_told(void **state)
{
	struct scenario scenario;
	scenario_plain(&scenario);
	const struct comparison *comparison = scenario.comparison;
	AUTO(text) char *text = render(&comparison, 1);
	CHECK(text_starts_with(text, "hackbench.time_sec is 4.2 % worse ("));
	CHECK_HOLDS(text, "\nworkload  hackbench groups=4 ipc=pipe\n");
	CHECK_HOLDS(text,
		    "\nscore     hackbench.time_sec: from the release of the workers until the "
		    "last one ended (s, lower is better)\n");
	CHECK_HOLDS(text, "\nmachine   Example CPU 3000 @ 2.40GHz, 2 CPUs, 7.8 GiB, Linux 6.1.0");
	CHECK_HOLDS(text, "\nbase      no settings, 10 runs\n");
	CHECK_HOLDS(text, "\nhead      sysctl vm.numa_stat=0, 10 runs\n");
	CHECK_HOLDS(text, "\nmeasured  isolation pid-namespace; monitors cost 0.07 % of one CPU\n");
	scenario_done(&scenario);
}

static void another_machine_has_its_own_line(void **state)
{
	struct scenario scenario;
	scenario_doubtful(&scenario);
	const struct comparison *comparison = scenario.comparison;
	AUTO(text) char *text = render(&comparison, 1);
	CHECK_HOLDS(text,
		    "Linux 6.1.0\n          Example CPU 3000 @ 2.40GHz, 2 CPUs, 7.8 GiB, Linux "
		    "6.2.0 (6.2 with \"patch, v2\")\n");
	CHECK_HOLDS(text, "\nbase      6.1: no settings, 6 runs\n");
	CHECK_HOLDS(text, "    cpu.governor: performance (6.1) against powersave (6.2 with ");
	CHECK_HOLDS(text, "monitors cost an unknown share of one CPU");
	scenario_done(&scenario);
}

static void marks_and_guards_stand_between_sentence_and_description(void **state)
{
	struct scenario scenario;
	scenario_guarded(&scenario);
	const struct comparison *comparison = scenario.comparison;
	AUTO(text) char *text = render(&comparison, 1);
	CHECK_HOLDS(
		text,
		"\n\n! marked invalid by bert on 2026-11-30: the cooling had failed\n\n"
		"Guards\n"
		"! starved withholds the verdict on hackbench.time_sec: the CPUs of head were idle 61 % of "
		"the time\n"
		"  drift warns: the runs became 3.1 % slower over the session\n\n"
		"workload  ");
	scenario_done(&scenario);
}

static void differences_stand_below_the_guard_that_found_them(void **state)
{
	struct scenario scenario;
	scenario_doubtful(&scenario);
	const struct comparison *comparison = scenario.comparison;
	AUTO(text) char *with = render(&comparison, 1);
	CHECK_HOLDS(with,
		    "kernel.release\n      cpu.governor: performance (6.1) against powersave");
	/* Differences that decide nothing have no note, and are told all the same. */
	comparison->notes[0].guard = "drift";
	AUTO(text) char *without = render(&comparison, 1);
	CHECK_HOLDS(without, "permission denied\n      cpu.governor: performance (6.1) against");
	CHECK(strstr(without, "cpu.governor:") < strstr(without, "\nGuards\n"));
	scenario_done(&scenario);
}

static void roles_never_contradict_names(void **state)
{
	struct scenario scenario;
	scenario_plain(&scenario);
	CHECK_TEXT(table_role(scenario.comparison, 0), "base");
	CHECK_TEXT(table_role(scenario.comparison, 1), "head");
	scenario.sides[0].name = "head";
	scenario.sides[1].name = "base";
	CHECK_TEXT(table_role(scenario.comparison, 0), "against");
	CHECK_TEXT(table_role(scenario.comparison, 1), "compared");
	scenario.sides[0].name = "base";
	scenario.sides[1].name = "new";
	CHECK_TEXT(table_role(scenario.comparison, 1), "head");
	scenario_done(&scenario);
	scenario_three(&scenario);
	const struct comparison *comparison = scenario.comparison;
	AUTO(text) char *text = render(&comparison, 1);
	CHECK_HOLDS(text, "\nagainst   default: no settings, 8 runs\ncompared  thp-off: sysfs");
	CHECK_HOLDS(text, "\nthp-off against default\n");
	scenario_done(&scenario);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(machine_workload_score_and_subjects_are_told),
		cmocka_unit_test(another_machine_has_its_own_line),
		cmocka_unit_test(marks_and_guards_stand_between_sentence_and_description),
		cmocka_unit_test(differences_stand_below_the_guard_that_found_them),
		cmocka_unit_test(roles_never_contradict_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
