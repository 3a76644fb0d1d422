/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table for people, whole, against its golden texts. */
#include "golden/golden.h"
#include "report/formats.h"
#include "report/scenario.h"

static char *render(const struct comparison *const *comparisons, size_t n,
		    const struct report_options *options)
{
	struct text text = { 0 };
	format_table.render(comparisons, n, options, &text);
	return text_take(&text);
}

static char *render_one(void (*make)(struct scenario *scenario),
			const struct report_options *options)
{
	struct scenario scenario;
	make(&scenario);
	const struct comparison *comparison = scenario.comparison;
	char *text = render(&comparison, 1, options);
	scenario_done(&scenario);
	return text;
}

static void a_clear_finding_reads_from_sentence_to_legend(void **state)
{
	const struct report_options options = { 0 };
	AUTO(text) char *text = render_one(scenario_plain, &options);
	golden_check("report-table-plain.txt", text);
}

static void every_doubt_stands_above_the_numbers(void **state)
{
	const struct report_options options = { 0 };
	AUTO(text) char *text = render_one(scenario_doubtful, &options);
	golden_check("report-table-doubtful.txt", text);
	CHECK_HOLDS(text, "differ in more than the subject");
	CHECK(strstr(text, "differ in more than the subject") < strstr(text, "\nScores"));
	CHECK(strstr(text, "runs of 6.2") < strstr(text, "\nScores"));
}

static void guards_marks_and_reasons_read_from_top_to_bottom(void **state)
{
	const struct report_options options = { 0 };
	AUTO(text) char *text = render_one(scenario_guarded, &options);
	golden_check("report-table-guarded.txt", text);
	const struct report_options all = { .all = true };
	AUTO(text) char *whole = render_one(scenario_guarded, &all);
	golden_check("report-table-guarded-all.txt", whole);
}

static void several_heads_have_a_block_each(void **state)
{
	const struct report_options options = { 0 };
	AUTO(text) char *text = render_one(scenario_three, &options);
	golden_check("report-table-three.txt", text);
}

static void several_points_share_one_legend(void **state)
{
	struct scenario plain;
	struct scenario three;
	scenario_plain(&plain);
	scenario_three(&three);
	const struct comparison *comparisons[] = { plain.comparison, three.comparison };
	const struct report_options options = { 0 };
	AUTO(text) char *text = render(comparisons, 2, &options);
	golden_check("report-table-points.txt", text);
	const char *legend = strstr(text, "What the columns mean");
	CHECK(legend && !strstr(legend + 1, "What the columns mean"));
	scenario_done(&plain);
	scenario_done(&three);
}

static void all_shows_every_row(void **state)
{
	const struct report_options options = { .all = true };
	AUTO(text) char *text = render_one(scenario_plain, &options);
	golden_check("report-table-all.txt", text);
	CHECK_HOLDS(text, "assay.cost.total_cpu_percent");
	CHECK_HOLDS(text, "meminfo.HugePages_Total");
}

static void colours_change_no_character(void **state)
{
	const struct report_options plain = { 0 };
	const struct report_options coloured = { .colour = true };
	AUTO(text) char *without = render_one(scenario_guarded, &plain);
	AUTO(text) char *with = render_one(scenario_guarded, &coloured);
	CHECK(strstr(with, "\033[31mworse") != NULL);
	CHECK(strstr(with, "\033[2mwithout that guard: worse") != NULL);
	CHECK(!strchr(without, '\033'));
	/* Take the escapes out: the rest must be the plain text. */
	char *to = with;
	for (const char *from = with; *from; from++) {
		if (*from == '\033')
			from = strchr(from, 'm');
		else
			*to++ = *from;
	}
	*to = '\0';
	CHECK_TEXT(with, without);
}

static void the_question_stands_above_the_sentence(void **state)
{
	const struct report_options options = { .question = "does it help?" };
	AUTO(text) char *with = render_one(scenario_plain, &options);
	AUTO(text) char *without = render_one(scenario_plain, &(struct report_options) { 0 });
	AUTO(text) char *want = mem_format("question: does it help?\n\n%s", without);
	CHECK_TEXT(with, want);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_clear_finding_reads_from_sentence_to_legend),
		cmocka_unit_test(every_doubt_stands_above_the_numbers),
		cmocka_unit_test(guards_marks_and_reasons_read_from_top_to_bottom),
		cmocka_unit_test(several_heads_have_a_block_each),
		cmocka_unit_test(several_points_share_one_legend),
		cmocka_unit_test(all_shows_every_row),
		cmocka_unit_test(colours_change_no_character),
		cmocka_unit_test(the_question_stands_above_the_sentence),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
