/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of the table: widths, wrapping, what is left out and said to be. */
#include "check.h"
#include "report/column.h"
#include "report/formats.h"
#include "report/scenario.h"

static char *render(const struct scenario *scenario, const struct report_options *options)
{
	struct text text = { 0 };
	const struct comparison *comparison = scenario->comparison;
	format_table.render(&comparison, 1, options, &text);
	return text_take(&text);
}

static size_t widest_line(const char *text)
{
	AUTO(text) char *copy = mem_text(text);
	size_t widest = 0;
	char *rest = NULL;
	for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		widest = column_width(line) > widest ? column_width(line) : widest;
	return widest;
}

static void no_line_is_wider_than_asked_for(void **state)
{
	void (*const makers[])(struct scenario *) = { scenario_plain, scenario_doubtful,
						      scenario_three, scenario_guarded };
	static const unsigned widths[] = { 80, 81, 85, 92, 93, 97, 100, 200 };
	for (size_t i = 0; i < 4; i++) {
		struct scenario scenario;
		makers[i](&scenario);
		for (size_t j = 0; j < 8; j++) {
			const struct report_options options = { .all = true, .width = widths[j] };
			AUTO(text) char *text = render(&scenario, &options);
			CHECK(widest_line(text) <= widths[j]);
		}
		scenario_done(&scenario);
	}
}

static void a_narrow_terminal_leaves_the_interval_to_the_sentence(void **state)
{
	struct scenario scenario;
	scenario_plain(&scenario);
	const struct report_options narrow = { .width = 80 };
	AUTO(text) char *text = render(&scenario, &narrow);
	CHECK(!strstr(text, "99 % interval\n"));
	CHECK_HOLDS(text, "99 % interval +3.6 to +4.8 %");
	CHECK_HOLDS(text, "  worse     hackbench.");
	scenario_done(&scenario);
}

static void a_long_name_wraps_whole(void **state)
{
	struct scenario scenario;
	scenario_doubtful(&scenario);
	const struct report_options options = { 0 };
	AUTO(text) char *text = render(&scenario, &options);
	CHECK(!strstr(text, "numa-vmstat.node1.a_very_long_name_of_a_counter_that_wraps"));
	/* Taking line ends and indents out gives the name back. */
	char *to = text;
	for (const char *from = text; *from; from++)
		if (*from != '\n' && *from != ' ')
			*to++ = *from;
	*to = '\0';
	CHECK_HOLDS(text, "numa-vmstat.node1.a_very_long_name_of_a_counter_that_wraps");
	scenario_done(&scenario);
}

static void a_score_tells_test_direction_margin_and_looks_below_its_row(void **state)
{
	struct scenario scenario;
	scenario_guarded(&scenario);
	const struct report_options options = { .width = 200 };
	AUTO(text) char *text = render(&scenario, &options);
	CHECK_HOLDS(text,
		    " withheld  hackbench.time_sec (s)\n"
		    "            lower is better; p 1e-06 adjusted (block permutation); same means "
		    "within ±1 %\n"
		    "            withheld (starved): the CPUs of head were idle 61 % of the time\n"
		    "            without that guard: worse\n");
	CHECK_HOLDS(
		text,
		" worse     hackbench.throughput (KiB/s)\n"
		"            higher is better; p 2e-06 adjusted (sequential block permutation); "
		"same means within ±1 %; decided at 8 of at most 20 runs a side\n"
		"            hackbench.throughput marked expected by anna on 2026-11-30, within "
		"±5 % (this change is outside): the counters were moved\n");
	CHECK_HOLDS(
		text,
		" undecided w.latency_us (us)\n"
		"            lower is better; p 0.31 adjusted (block permutation); same means "
		"within ±1 %\n"
		"            undecided: about 34 runs a side would decide if the estimate holds\n");
	CHECK_HOLDS(
		text,
		" better*   w.pages (us)\n"
		"            higher is better; p 4e-06 adjusted (moderated t); same means within ±2.4 "
		"%; provisional: the test assumes more than the random order of the runs\n");
	CHECK_HOLDS(text, "no limits  undecided w.setup_us");
	CHECK_HOLDS(text, "\n            undecided: these runs could have given p 0.1 at best\n");
	scenario_done(&scenario);
}

static void sides_stand_above_their_columns_by_name_where_it_fits(void **state)
{
	struct scenario scenario;
	scenario_three(&scenario);
	const struct report_options options = { 0 };
	AUTO(text) char *three = render(&scenario, &options);
	CHECK_HOLDS(three, "\n  default              thp-off                      99 % interval\n");
	CHECK_HOLDS(three, "\n  default            two-groups                     99 % interval\n");
	scenario.sides[2].name = "a-name-of-more-than-twenty";
	AUTO(text) char *longer = render(&scenario, &options);
	CHECK_HOLDS(longer,
		    "\n  against             compared                      99 % interval\n");
	scenario_done(&scenario);
	scenario_doubtful(&scenario);
	AUTO(text) char *named = render(&scenario, &options);
	CHECK_HOLDS(named,
		    "\n      6.1            6.2 with \"patch, v2\"           99 % interval\n");
	scenario.sides[1].name = "a-name-of-more-than-twenty"; /* Then both are roles. */
	AUTO(text) char *doubtful = render(&scenario, &options);
	CHECK_HOLDS(doubtful, "\n     base                 head  ");
	scenario_done(&scenario);
}

static void a_score_without_meaning_is_shown_only_with_all(void **state)
{
	struct scenario scenario;
	scenario_doubtful(&scenario);
	const struct report_options presets = { 0 };
	AUTO(text) char *text = render(&scenario, &presets);
	CHECK(!strstr(text, "per_thread_ops"));
	const struct report_options all = { .all = true, .width = 200 };
	AUTO(text) char *whole = render(&scenario, &all);
	CHECK_HOLDS(whole, "example.per_thread_ops");
	CHECK_HOLDS(whole, "n/a");
	scenario_done(&scenario);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_line_is_wider_than_asked_for),
		cmocka_unit_test(a_narrow_terminal_leaves_the_interval_to_the_sentence),
		cmocka_unit_test(a_long_name_wraps_whole),
		cmocka_unit_test(a_score_tells_test_direction_margin_and_looks_below_its_row),
		cmocka_unit_test(sides_stand_above_their_columns_by_name_where_it_fits),
		cmocka_unit_test(a_score_without_meaning_is_shown_only_with_all),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
