/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "given.h"

static const struct intake_options plain = { 0 };

static void each_command_is_a_series_of_seconds(void **state)
{
	AUTO(intake_document)
	struct intake_document *document = given(
		"{\"results\": [\n"
		" {\"command\": \"./old\", \"mean\": 2, \"times\": [2.5, 1.5], \"exit_codes\": [0, 0]},\n"
		" {\"command\": \"./new\", \"mean\": 1, \"times\": [1, 1.25, 0.75],\n"
		"  \"exit_codes\": [0, 1, null]}]}",
		&plain);
	CHECK(document->format == &intake_hyperfine);
	CHECK_INT(document->n_series, 2);
	const double old[] = { 2.5, 1.5 };
	holds(intake_series_find(document, "./old"), old, 2);
	CHECK_TEXT(document->series[0].unit, "s");
	CHECK_INT(document->series[1].better, BETTER_LOWER);
	CHECK_INT(document->n_remarks, 1);
	CHECK_TEXT(document->remarks[0],
		   "given: 1 of 3 runs of './new' ended with an error and are left out");
	const double new[] = { 1, (double)NAN, 0.75 };
	holds(&document->series[1], new, 3);
	CHECK_INT(document->series[1].values[1].value.why, MISSING_FAILED);
}

static void a_command_that_stands_twice_is_two_series(void **state)
{
	AUTO(intake_document)
	struct intake_document *document =
		given("{\"results\": [{\"command\": \"x\", \"times\": [1]},"
		      "{\"command\": \"x\", \"times\": [2]}]}",
		      &plain);
	CHECK_TEXT(document->series[1].name, "x (result 2)");
}

static void a_summary_without_runs_is_refused(void **state)
{
	refused("{\"results\": [{\"command\": \"x\", \"mean\": 1, \"stddev\": 0.1}]}", &plain,
		"given: results[0] has no \"times\", only a summary; a summary of runs cannot be "
		"judged");
	refused("{\"results\": [{\"command\": \"x\", \"times\": [1, \"2\"]}]}", &plain,
		"given: results[0].times[1] is a text, not a number");
	refused("{\"results\": [{\"command\": 3, \"times\": [1]}]}", &plain,
		"given: results[0] has no \"command\"");
	const struct intake_options forced = { .format = &intake_hyperfine };
	refused("{\"runs\": []}", &forced,
		"given: no array \"results\", so it is no hyperfine file");
	refused("[1]", &forced, "given: no array \"results\", so it is no hyperfine file");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_command_is_a_series_of_seconds),
		cmocka_unit_test(a_command_that_stands_twice_is_two_series),
		cmocka_unit_test(a_summary_without_runs_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
