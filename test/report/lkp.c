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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_clear_finding_has_the_robots_columns),
		cmocka_unit_test(failures_come_first_and_missing_is_no_number),
		cmocka_unit_test(a_third_side_repeats_change_and_mean),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
