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
						      scenario_three };
	static const unsigned widths[] = { 80, 92, 100, 200 };
	for (size_t i = 0; i < 3; i++) {
		struct scenario scenario;
		makers[i](&scenario);
		for (size_t j = 0; j < 4; j++) {
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

static void evidence_is_capped_and_the_rest_counted(void **state)
{
	struct scenario scenario = { .n_sides = 2 };
	for (size_t i = 0; i < 2; i++) {
		scenario.samples[i] = sample_make(i ? "head" : "base", 6);
		for (size_t m = 0; m < 30; m++) {
			AUTO(text) char *name = mem_format("proc-vmstat.counter%02zu", m);
			scenario_counted(&scenario.samples[i], name, "1", i && m < 25 ? 200 : 100,
					 1);
		}
		sample_spread(&scenario.samples[i], &scenario_time, 1, 0.01);
	}
	const struct metric one_sided = scenario_counter("slabinfo.gone", "1");
	sample_spread(&scenario.samples[0], &one_sided, 5, 1);
	scenario_judge(&scenario);
	const struct report_options presets = { 0 };
	AUTO(text) char *text = render(&scenario, &presets);
	CHECK_HOLDS(text, "25 moved (5 more not shown), 5 did not, 1 have values on one side only; "
			  "--all shows every");
	const struct report_options few = { .evidence_max = 3 };
	AUTO(text) char *shorter = render(&scenario, &few);
	CHECK_HOLDS(shorter, "25 moved (22 more not shown)");
	const struct report_options all = { .all = true };
	AUTO(text) char *whole = render(&scenario, &all);
	CHECK_HOLDS(whole, "25 moved, 5 did not, 1 have values on one side only\n");
	CHECK_HOLDS(whole, "missing: slabinfo.gone on head: ");
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
		cmocka_unit_test(evidence_is_capped_and_the_rest_counted),
		cmocka_unit_test(a_score_without_meaning_is_shown_only_with_all),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
