/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The robot's layout: golden texts, and the columns that scripts cut at. */
#include "golden/golden.h"
#include "report/formats.h"
#include "report/scenario.h"

static char *render(const struct scenario *scenario)
{
	struct text text = { 0 };
	const struct report_options options = { 0 };
	const struct comparison *comparison = scenario->comparison;
	format_lkp.render(&comparison, 1, &options, &text);
	return text_take(&text);
}

static void a_clear_finding_has_the_robots_columns(void **state)
{
	struct scenario scenario;
	scenario_plain(&scenario);
	AUTO(text) char *text = render(&scenario);
	golden_check("report-lkp-plain.txt", text);
	CHECK_HOLDS(text, "\n---------------- --------------------------- \n");
	CHECK_HOLDS(text, "\n         %stddev     %change         %stddev\n"
			  "             \\          |                \\  \n");
	CHECK_HOLDS(text, "\n      1.23            +4.2%       1.29        hackbench.time_sec\n");
	CHECK_HOLDS(text, "\n      1.20 ± 16%      +1.9        3.10 ±  6%  mpstat.cpu.all.idle%\n");
	scenario_done(&scenario);
}

static void failures_come_first_and_missing_is_no_number(void **state)
{
	struct scenario scenario;
	scenario_doubtful(&scenario);
	AUTO(text) char *text = render(&scenario);
	golden_check("report-lkp-doubtful.txt", text);
	CHECK_HOLDS(text, "\n       fail:runs  %reproduction    fail:runs\n"
			  "           |             |             |    \n");
	CHECK_HOLDS(text, "\n           :6           17%           1:6     run.failed\n");
	CHECK_HOLDS(text, "   missing        example.latency_p99_us\n");
	scenario_done(&scenario);
}

static void a_third_side_repeats_change_and_mean(void **state)
{
	struct scenario scenario;
	scenario_three(&scenario);
	AUTO(text) char *text = render(&scenario);
	golden_check("report-lkp-three.txt", text);
	CHECK_HOLDS(text,
		    "         %stddev     %change         %stddev     %change         %stddev\n");
	scenario_done(&scenario);
}

static void what_the_columns_cannot_say_stands_around_them(void **state)
{
	struct scenario scenario;
	scenario_guarded(&scenario);
	AUTO(text) char *text = render(&scenario);
	golden_check("report-lkp-guarded.txt", text);
	CHECK_HOLDS(text, "\nmark: marked invalid by bert on 2026-11-30: the cooling had failed\n");
	CHECK_HOLDS(
		text,
		"\nguard: starved withholds the verdict on hackbench.time_sec: the CPUs of head were");
	CHECK_HOLDS(text, "\n(2 more rows moved together with one of these)\n");
	CHECK_HOLDS(text, "\nverdict: hackbench.time_sec is withheld (starved): the CPUs");
	CHECK_HOLDS(text, "\nverdict: hackbench.throughput is worse; higher is better; p ");
	CHECK_HOLDS(text, "\nmark: hackbench.throughput marked expected by anna");
	CHECK(strstr(text, "\nguard: ") < strstr(text, "\n====="));
	CHECK(!strstr(text, "  interrupts.LOC\n"));
	scenario_done(&scenario);
}

static void the_change_is_that_of_the_means_beside_it(void **state)
{
	struct scenario scenario;
	scenario_plain(&scenario);
	scenario.comparison->rows[0].findings[1].change = 4.9; /* The test's own estimate. */
	AUTO(text) char *text = render(&scenario);
	CHECK_HOLDS(text, "\n      1.23            +4.2%       1.29        hackbench.time_sec\n");
	CHECK(text_starts_with(text, "hackbench.time_sec is 4.9 % worse"));
	scenario_done(&scenario);
}

static void all_shows_every_row_and_a_cap_counts_the_rest(void **state)
{
	struct scenario scenario;
	scenario_guarded(&scenario);
	const struct comparison *comparison = scenario.comparison;
	struct text all = { 0 };
	format_lkp.render(&comparison, 1, &(struct report_options) { .all = true }, &all);
	CHECK_HOLDS(text_string(&all), "  interrupts.LOC\n");
	CHECK(!strstr(text_string(&all), "moved together"));
	text_done(&all);
	struct text few = { 0 };
	format_lkp.render(&comparison, 1, &(struct report_options) { .evidence_max = 1 }, &few);
	CHECK_HOLDS(text_string(&few), "(2 more rows moved together with one of these)\n"
				       "(2 more rows moved)\n");
	text_done(&few);
	scenario_done(&scenario);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_clear_finding_has_the_robots_columns),
		cmocka_unit_test(failures_come_first_and_missing_is_no_number),
		cmocka_unit_test(a_third_side_repeats_change_and_mean),
		cmocka_unit_test(what_the_columns_cannot_say_stands_around_them),
		cmocka_unit_test(the_change_is_that_of_the_means_beside_it),
		cmocka_unit_test(all_shows_every_row_and_a_cap_counts_the_rest),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
