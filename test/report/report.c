/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of formats, and what every one of them must hold. */
#include "report/report.h"

#include "check.h"
#include "report/scenario.h"

static void formats_are_found_by_name(void **state)
{
	static const char *const names[] = { "table", "lkp", "json", "csv" };
	CHECK_INT(report_format_count, 4);
	for (size_t i = 0; i < report_format_count; i++) {
		CHECK(report_format_find(names[i]));
		CHECK_TEXT(report_format_find(names[i])->name, names[i]);
		CHECK(report_formats[i]->what && report_formats[i]->what[0]);
	}
	CHECK(!report_format_find("pdf"));
	CHECK(!report_format_find(""));
	CHECK(!report_format_find(NULL));
}

static void no_format_turns_missing_into_zero_or_not_a_number(void **state)
{
	struct scenario scenario;
	scenario_doubtful(&scenario);
	const struct comparison *comparison = scenario.comparison;
	const struct report_options options = { .all = true };
	for (size_t i = 0; i < report_format_count; i++) {
		struct text text = { 0 };
		report_formats[i]->render(&comparison, 1, &options, &text);
		CHECK_HOLDS(text_string(&text), "missing");
		CHECK_HOLDS(text_string(&text), "example.latency_p99_us");
		CHECK(!strstr(text_string(&text), "nan"));
		CHECK(!strstr(text_string(&text), "inf"));
		text_done(&text);
	}
	scenario_done(&scenario);
}

static void every_format_names_guard_mark_and_withheld_verdict(void **state)
{
	struct scenario scenario;
	scenario_guarded(&scenario);
	const struct comparison *comparison = scenario.comparison;
	const struct report_options options = { .width = 200 };
	for (size_t i = 0; i < report_format_count; i++) {
		struct text text = { 0 };
		report_formats[i]->render(&comparison, 1, &options, &text);
		CHECK_HOLDS(text_string(&text), "withheld");
		CHECK_HOLDS(text_string(&text), "starved");
		CHECK_HOLDS(text_string(&text), "the CPUs of head were idle 61 % of the time");
		CHECK_HOLDS(text_string(&text), "expected");
		CHECK_HOLDS(text_string(&text), "the counters were moved");
		CHECK_HOLDS(text_string(&text), "34");
		CHECK(!strstr(text_string(&text), "nan"));
		CHECK(!strstr(text_string(&text), "+inf") && !strstr(text_string(&text), "-inf"));
		text_done(&text);
	}
	scenario_done(&scenario);
}

static void rendering_twice_gives_the_same_bytes(void **state)
{
	struct scenario one;
	struct scenario other;
	scenario_doubtful(&one);
	scenario_doubtful(&other);
	const struct comparison *comparisons[] = { one.comparison, other.comparison };
	const struct report_options options = { 0 };
	for (size_t i = 0; i < report_format_count; i++) {
		struct text first = { 0 };
		struct text second = { 0 };
		report_formats[i]->render(&comparisons[0], 1, &options, &first);
		report_formats[i]->render(&comparisons[1], 1, &options, &second);
		CHECK_TEXT(text_string(&first), text_string(&second));
		text_done(&first);
		text_done(&second);
	}
	scenario_done(&one);
	scenario_done(&other);
}

static void nothing_to_render_is_allowed(void **state)
{
	const struct report_options options = { 0 };
	for (size_t i = 0; i < report_format_count; i++) {
		struct text text = { 0 };
		report_formats[i]->render(NULL, 0, &options, &text);
		text_done(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(formats_are_found_by_name),
		cmocka_unit_test(no_format_turns_missing_into_zero_or_not_a_number),
		cmocka_unit_test(every_format_names_guard_mark_and_withheld_verdict),
		cmocka_unit_test(rendering_twice_gives_the_same_bytes),
		cmocka_unit_test(nothing_to_render_is_allowed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
