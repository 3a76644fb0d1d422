/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stands above the rows and below them. */
#include "check.h"
#include "report/formats.h"
#include "report/scenario.h"

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

static void the_legend_names_rates_families_and_margin(void **state)
{
	struct scenario scenario;
	scenario_plain(&scenario);
	const struct comparison *comparison = scenario.comparison;
	AUTO(text) char *text = render(&comparison, 1);
	CHECK_HOLDS(text, "standard deviation over runs (divided by n - 1), % of the mean");
	CHECK_HOLDS(text, "p adjusted after Holm over 1 tested score, at most 1 % chance");
	CHECK_HOLDS(text, "the 95 % interval lies within ±1 %");
	CHECK_HOLDS(text, "Benjamini-Hochberg over 6 tested metrics, about 5 % of those");
	scenario_done(&scenario);
}

static void the_legend_says_who_shares_the_budget(void **state)
{
	struct scenario one;
	struct scenario other;
	scenario_plain(&one);
	scenario_plain(&other);
	struct comparison *comparisons[] = { one.comparison, other.comparison };
	AUTO(text) char *apart = render((const struct comparison *const *)comparisons, 2);
	CHECK_HOLDS(apart, "over the tested scores of each point by itself");
	comparison_share_budget(comparisons, 2);
	AUTO(text) char *together = render((const struct comparison *const *)comparisons, 2);
	CHECK_HOLDS(together, "over the 2 tested scores of 2 points together");
	CHECK_HOLDS(together, "Benjamini-Hochberg over 12 tested metrics");
	scenario_done(&one);
	scenario_done(&other);
}

static void an_interval_that_was_cut_is_explained(void **state)
{
	const char *words = "ends at -100 % where it would reach below";
	struct scenario scenario;
	scenario_plain(&scenario);
	const struct comparison *comparison = scenario.comparison;
	AUTO(text) char *whole = render(&comparison, 1);
	CHECK(strstr(whole, words) == NULL);
	comparison->rows[0].findings[1].low = -100.0;
	AUTO(text) char *cut = render(&comparison, 1);
	CHECK_HOLDS(cut, words);
	comparison->rows[0].findings[1].low = -130.0; /* Of values below 0: nothing was cut. */
	AUTO(text) char *deep = render(&comparison, 1);
	CHECK(strstr(deep, words) == NULL);
	scenario_done(&scenario);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(machine_workload_score_and_subjects_are_told),
		cmocka_unit_test(another_machine_has_its_own_line),
		cmocka_unit_test(the_legend_names_rates_families_and_margin),
		cmocka_unit_test(the_legend_says_who_shares_the_budget),
		cmocka_unit_test(an_interval_that_was_cut_is_explained),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
