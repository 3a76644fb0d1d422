/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers as runs: values, units, blocks, pairs and builds. */
#include "cli/stat_case.h"

#include "stat_given.h"

static const struct intake_options plain = { 0 };
static const struct stat_layout unknown_order = { .better = BETTER_UNKNOWN };

static double value_of(const struct stat_case *one, size_t side, size_t i)
{
	CHECK_INT(one->runs[side][i]->n_metrics, 1);
	CHECK(value_is_known(one->runs[side][i]->metrics[0].value));
	return one->runs[side][i]->metrics[0].value.number;
}

static void each_number_is_a_complete_run_of_one_score(void **state)
{
	struct stat_given given;
	stat_give(&given, "old,new\n10,12\n11,NA\n10.5,\n", NULL, &plain, unknown_order);
	const struct stat_case *one = given.cases[0];
	CHECK_INT(one->n[0], 3);
	CHECK_INT(one->n[1], 2);
	CHECK_NEAR(value_of(one, 0, 2), 10.5, 0);
	CHECK_INT(one->runs[1][1]->metrics[0].value.state, VALUE_MISSING);
	CHECK_INT(one->runs[0][0]->outcome, RUN_COMPLETE);
	CHECK_INT(one->runs[0][0]->metrics[0].metric.role, ROLE_SCORE);
	CHECK_TEXT(one->names[0], "old");
	CHECK_TEXT(one->jobs[1]->subject, "new");
	CHECK(one->places[0] == NULL);
	CHECK(one->sides[1].places == NULL);
	stat_judge(&given);
	CHECK_INT(stat_case_row(one)->cells[0].summary.n, 3);
	CHECK_INT(stat_case_row(one)->cells[1].n_missing, 1);
	stat_done(&given);
}

static void the_direction_is_the_persons_before_the_formats(void **state)
{
	struct stat_given given;
	stat_give(&given, "BenchmarkX 1 7 ns/op\n", "BenchmarkX 1 8 ns/op\n", &plain,
		  unknown_order);
	CHECK_INT(given.cases[0]->runs[0][0]->metrics[0].metric.better, BETTER_LOWER);
	CHECK_TEXT(given.cases[0]->runs[0][0]->metrics[0].metric.unit, "ns/op");
	stat_done(&given);
	const struct stat_layout higher = { .better = BETTER_HIGHER };
	stat_give(&given, "BenchmarkX 1 7 ns/op\n", "BenchmarkX 1 8 ns/op\n", &plain, higher);
	CHECK_INT(given.cases[0]->runs[0][0]->metrics[0].metric.better, BETTER_HIGHER);
	stat_done(&given);
}

static void the_heads_numbers_come_in_the_bases_unit(void **state)
{
	struct stat_given given;
	stat_give(&given,
		  "{\"context\":{},\"benchmarks\":[{\"name\":\"X\",\"real_time\":5000,"
		  "\"time_unit\":\"us\"}]}",
		  "{\"context\":{},\"benchmarks\":[{\"name\":\"X\",\"real_time\":7,"
		  "\"time_unit\":\"ms\"}]}",
		  &plain, unknown_order);
	CHECK_NEAR(value_of(given.cases[0], 1, 0), 7000, 1e-9);
	stat_done(&given);
}

static void rows_are_pairs_by_their_line(void **state)
{
	const struct stat_layout paired = { .paired = true };
	struct stat_given given;
	stat_give(&given, "base,head\n1,2\n,3\n4,5\n", NULL, &plain, paired);
	const struct stat_case *one = given.cases[0];
	CHECK_INT(one->n[0], 2);
	CHECK_INT(one->n[1], 3);
	CHECK_INT(one->places[0][0].block, one->places[1][0].block);
	CHECK_INT(one->places[0][1].block, one->places[1][2].block);
	CHECK(one->places[0][1].block != one->places[1][1].block);
	CHECK(one->places[0][0].sequence < one->places[0][1].sequence);
	stat_judge(&given);
	stat_done(&given);
}

static void pairs_of_two_files_need_equal_numbers(void **state)
{
	const struct stat_layout paired = { .paired = true };
	struct stat_given given;
	stat_give(&given, "1\n2\n", "3\n4\n", &plain, paired);
	CHECK_INT(given.cases[0]->places[0][1].block, given.cases[0]->places[1][1].block);
	stat_done(&given);
	stat_give(&given, "1\n2\n", "3\n4\n5\n", &plain, paired);
	CHECK_INT(given.failed, -EINVAL);
	CHECK_TEXT(given.err.text,
		   "pairs need as many values on both sides; 'value' has 2 against 3");
	stat_done(&given);
}

static void blocks_are_told_apart_by_their_words(void **state)
{
	const struct intake_options options = { .blocks = "day" };
	const struct stat_layout blocks = { .has_blocks = true };
	struct stat_given given;
	stat_give(&given, "day,base,head\nmon,1,2\ntue,3,4\nmon,5,6\n", NULL, &options, blocks);
	const struct run_place *base = given.cases[0]->places[0];
	const struct run_place *head = given.cases[0]->places[1];
	CHECK_INT(base[0].block, base[2].block);
	CHECK(base[0].block != base[1].block);
	CHECK_INT(base[1].block, head[1].block);
	CHECK(base[0].sequence != head[0].sequence);
	stat_done(&given);
	stat_give(&given, "day,base,head\nmon,1,2\n,3,4\n", NULL, &options, blocks);
	CHECK_INT(given.failed, -EINVAL);
	CHECK_TEXT(given.err.text, "line 3 of 'value' names no block");
	stat_done(&given);
}

static void a_build_counts_once_with_the_mean_of_its_runs(void **state)
{
	const struct intake_options options = { .builds = "build" };
	const struct stat_layout builds = { .has_builds = true };
	struct stat_given given;
	stat_give(&given, "build,base,head\na,1,10\na,3,NA\nb,5,NA\na,5,20\n", NULL, &options,
		  builds);
	const struct stat_case *one = given.cases[0];
	CHECK_INT(one->n[0], 2);
	CHECK_NEAR(value_of(one, 0, 0), 3, 0);
	CHECK_NEAR(value_of(one, 0, 1), 5, 0);
	CHECK_NEAR(value_of(one, 1, 0), 15, 0);
	CHECK_INT(one->runs[1][1]->metrics[0].value.state, VALUE_MISSING);
	stat_done(&given);
	stat_give(&given, "build,base,head\na,1,2\n,3,4\n", NULL, &options, builds);
	CHECK_INT(given.failed, -EINVAL);
	CHECK_TEXT(given.err.text, "line 3 of 'base' names no build");
	stat_done(&given);
}

static void a_long_name_is_cut_where_utf8_allows(void **state)
{
	char text[700] = "{\"base\": {\"";
	for (size_t i = 0; i < 100; i++)
		strcat(text, i ? "\xc3\xa9" : "x"); /* The cut falls into a character. */
	strcat(text, "\": [1]}, \"head\": {\"");
	for (size_t i = 0; i < 100; i++)
		strcat(text, i ? "\xc3\xa9" : "x");
	strcat(text, "\": [2]}}");
	struct stat_given given;
	stat_give(&given, text, NULL, &plain, unknown_order);
	const char *name = given.cases[0]->runs[0][0]->metrics[0].metric.name;
	CHECK(strlen(name) < METRIC_NAME_BYTES);
	CHECK_HOLDS(name, "\xc3\xa9?...");
	stat_done(&given);
	stat_case_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_number_is_a_complete_run_of_one_score),
		cmocka_unit_test(the_direction_is_the_persons_before_the_formats),
		cmocka_unit_test(the_heads_numbers_come_in_the_bases_unit),
		cmocka_unit_test(rows_are_pairs_by_their_line),
		cmocka_unit_test(pairs_of_two_files_need_equal_numbers),
		cmocka_unit_test(blocks_are_told_apart_by_their_words),
		cmocka_unit_test(a_build_counts_once_with_the_mean_of_its_runs),
		cmocka_unit_test(a_long_name_is_cut_where_utf8_allows),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
