/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "intake/pair.h"

#include "base/mem.h"
#include "given.h"

#include <stdlib.h>

static const struct intake_options plain = { 0 };
static const struct intake_pair_options all = { 0 };

struct case_of { /* One or two texts, put beside each other. */
	struct intake_document *documents[2];
	struct intake_pairs *pairs;
	struct error err;
	int failed;
};

static struct case_of put(const char *first, const char *second,
			  const struct intake_pair_options *options)
{
	struct case_of put = { .documents = { given(first, &plain),
					      second ? given(second, &plain) : NULL } };
	put.failed =
		intake_pair_up(put.documents[0], put.documents[1], options, &put.pairs, &put.err);
	return put;
}

static void done(struct case_of *put)
{
	intake_pairs_free(put->pairs);
	intake_free(put->documents[0]);
	intake_free(put->documents[1]);
}

static void refused_pair(const char *first, const char *second,
			 const struct intake_pair_options *options, const char *sentence)
{
	struct case_of refused = put(first, second, options);
	CHECK_INT(refused.failed, -EINVAL);
	CHECK_TEXT(refused.err.text, sentence);
	done(&refused);
}

static void two_columns_are_base_and_head_in_that_order(void **state)
{
	struct case_of two = put("10,20\n11,21\n", NULL, &all);
	CHECK_INT(two.failed, 0);
	CHECK_INT(two.pairs->n, 1);
	CHECK_TEXT(two.pairs->base_name, "base");
	CHECK_TEXT(two.pairs->pairs[0].name, "value");
	CHECK_NEAR(two.pairs->pairs[0].base->values[0].value.number, 10, 0);
	done(&two);
}

static void names_say_which_side_is_which(void **state)
{
	struct case_of reversed = put("{\"head\": [20], \"base\": [10]}", NULL, &all);
	CHECK_NEAR(reversed.pairs->pairs[0].base->values[0].value.number, 10, 0);
	CHECK_TEXT(reversed.pairs->head_name, "head");
	done(&reversed);
	struct case_of other = put("tip,patched\n1,2\n", NULL, &all);
	CHECK_TEXT(other.pairs->base_name, "tip");
	CHECK_TEXT(other.pairs->head_name, "patched");
	done(&other);
}

static void of_several_columns_two_must_be_named(void **state)
{
	refused_pair(
		"a,b,c\n1,2,3\n", NULL, &all,
		"given (read as csv) holds 3 series, 'a', 'b', 'c': give a second file, or say "
		"which two with --sides BASE,HEAD");
	const struct intake_pair_options named = { .base = "c", .head = "a" };
	struct case_of chosen = put("a,b,c\n1,2,3\n", NULL, &named);
	CHECK_INT(chosen.failed, 0);
	CHECK_NEAR(chosen.pairs->pairs[0].base->values[0].value.number, 3, 0);
	done(&chosen);
	const struct intake_pair_options wrong = { .base = "c", .head = "d" };
	refused_pair("a,b,c\n1,2,3\n", NULL, &wrong, "given has no series 'd', only 'a', 'b', 'c'");
}

static void one_series_is_no_comparison(void **state)
{
	refused_pair("1\n2\n", NULL, &all,
		     "given (read as numbers) holds one series, 'value', and a comparison takes "
		     "two: give a second file");
	/* Two measures of one benchmark are not its two sides. */
	refused_pair(
		"BenchmarkX 1 7 ns/op 8 B/op\n", NULL, &all,
		"given (read as benchstat) holds 2 series, 'X ns/op', 'X B/op': give a second file, or say "
		"which two with --sides BASE,HEAD");
}

static void commands_of_hyperfine_are_sides_in_their_order(void **state)
{
	struct case_of two = put(
		"{\"results\": [{\"command\": \"a\", \"times\": [1]},"
		"{\"command\": \"./a-command that is longer than any column\", \"times\": [2]}]}",
		NULL, &all);
	CHECK_TEXT(two.pairs->pairs[0].name, "time");
	CHECK_INT(two.pairs->pairs[0].better, BETTER_LOWER);
	CHECK_TEXT(two.pairs->base_name, "base");
	CHECK_TEXT(two.pairs->remarks[0],
		   "base is 'a', head is './a-command that is longer than any column'");
	done(&two);
}

static void two_files_are_paired_by_name_and_unit(void **state)
{
	struct case_of two = put("BenchmarkA 1 7 ns/op 5 B/op\nBenchmarkB 1 3 ns/op 1 MB/s\n",
				 "BenchmarkB 1 4 ns/op\nBenchmarkA 1 8 ns/op 6 B/op\n"
				 "BenchmarkC 1 8 ns/op\n",
				 &all);
	CHECK_INT(two.failed, 0);
	CHECK_INT(two.pairs->n, 3);
	CHECK_TEXT(two.pairs->pairs[0].name, "A ns/op");
	CHECK_NEAR(two.pairs->pairs[1].head->values[0].value.number, 6, 0);
	CHECK_TEXT(two.pairs->pairs[2].name, "B");
	CHECK_INT(two.pairs->n_remarks, 2); /* One path given twice, and C. */
	done(&two);
	const struct intake_pair_options bytes = { .metric = "B/op" };
	struct case_of some = put("BenchmarkA 1 7 ns/op 5 B/op\nBenchmarkB 1 3 ns/op\n",
				  "BenchmarkA 1 8 ns/op 6 B/op\n", &bytes);
	CHECK_INT(some.pairs->n, 1);
	CHECK_TEXT(some.pairs->pairs[0].unit, "B/op");
	done(&some);
}

static void single_series_are_paired_whatever_they_are_called(void **state)
{
	struct case_of two = put("old\n1\n", "new\n2\n", &all);
	CHECK_TEXT(two.pairs->pairs[0].name, "value");
	done(&two);
	refused_pair("a,b\n1,2\n", "c,d\n1,2\n", &all,
		     "the sides have no series in common: 'a', 'b' against 'c', 'd'");
	const struct intake_pair_options none = { .metric = "zzz" };
	refused_pair("a,b\n1,2\n", "a,b\n1,2\n", &none, "given has no series of that name");
}

static void times_in_two_units_are_brought_to_one(void **state)
{
	struct case_of two = put("{\"context\":{},\"benchmarks\":[{\"name\":\"X\",\"real_time\":5,"
				 "\"time_unit\":\"us\"}]}",
				 "{\"context\":{},\"benchmarks\":[{\"name\":\"X\",\"real_time\":7,"
				 "\"time_unit\":\"ms\"}]}",
				 &all);
	CHECK_INT(two.failed, 0);
	CHECK_NEAR(two.pairs->pairs[0].head_scale, 1000, 1e-9);
	CHECK_TEXT(two.pairs->pairs[0].unit, "us");
	done(&two);
	refused_pair("BenchmarkX 1 7 ns/op\n", "BenchmarkX 1 7 B/op\n", &all,
		     "'X' is in ns/op on one side and in B/op on the other");
}

static void sides_with_several_measures_pair_them(void **state)
{
	struct case_of two = put("{\"head\": {\"t\": [3], \"f\": [4]}, \"base\": {\"t\": [1], "
				 "\"f\": [2]}}",
				 NULL, &all);
	CHECK_INT(two.pairs->n, 2);
	CHECK_TEXT(two.pairs->base_name, "base");
	CHECK_NEAR(two.pairs->pairs[0].base->values[0].value.number, 1, 0);
	CHECK_NEAR(two.pairs->pairs[0].head->values[0].value.number, 3, 0);
	done(&two);
}

static void a_broken_column_is_an_error_once_it_is_wanted(void **state)
{
	refused_pair("a,b\n1,2\n3,4*\n", NULL, &all, "given:3: '4*' in column 'b' is not a number");
	const struct intake_pair_options sound = { .base = "a", .head = "c" };
	struct case_of two = put("a,b,c\n1,2,3\n3,4*,5\n", NULL, &sound);
	CHECK_INT(two.failed, 0);
	done(&two);
}

static void different_things_are_no_two_sides(void **state)
{
	refused_pair("BenchmarkA 1 7 ns/op\n", "BenchmarkB 1 7 ms/op\n", &all,
		     "the sides measure different things by their names: 'A ns/op' against "
		     "'B ms/op'; if they do not, give both the same name");
	refused_pair("time_ms\n1\n", "mem_kb\n2\n", &all,
		     "the sides measure different things by their names: 'time_ms' against "
		     "'mem_kb'; if they do not, give both the same name");
	refused_pair("base (s),head (ms)\n1,2\n", NULL, &all,
		     "'base (s)' and 'head (ms)' are in different units by their names; bring both "
		     "to one unit");
	refused_pair("time_ms,mem_kb\n1,2\n", NULL, &all,
		     "'time_ms' and 'mem_kb' are in different units by their names; bring both to "
		     "one unit");
	struct case_of one_unit = put("base [ms],head [ms]\n1,2\n", NULL, &all);
	CHECK_INT(one_unit.failed, 0);
	done(&one_unit);
	struct case_of no_unit = put("v1 (old),v2 (new)\n1,2\n", NULL, &all);
	CHECK_INT(no_unit.failed, 0);
	done(&no_unit);
	/* The name of a file, with or without its ending, says nothing of the measure. */
	struct case_of file = put("given\n1\n", "time\n2\n", &all);
	CHECK_INT(file.failed, 0);
	done(&file);
	struct case_of commands =
		put("{\"results\": [{\"command\": \"a\", \"times\": [1]}]}",
		    "{\"results\": [{\"command\": \"b\", \"times\": [2]}]}", &all);
	CHECK_INT(commands.failed, 0);
	done(&commands);
}

static void one_measurement_given_twice_is_told(void **state)
{
	const struct intake_pair_options twice = { .base = "a", .head = "a" };
	refused_pair("a,b\n1,2\n", NULL, &twice,
		     "'a' of given is named as both sides; name two series");
	struct case_of copied = put("a,b\n1,1\n2,2\n", NULL, &all);
	CHECK_INT(copied.pairs->n_remarks, 1);
	CHECK_TEXT(copied.pairs->remarks[0], "'value' has the same numbers in the same order on "
					     "both sides: was one measurement given twice?");
	done(&copied);
	struct case_of constant = put("a,b\n2,2\n2,2\n", NULL, &all);
	CHECK_INT(constant.pairs->n_remarks, 0);
	done(&constant);
	struct case_of file = put("1\n", "1\n", &all); /* Both are called "given". */
	CHECK_TEXT(file.pairs->remarks[0],
		   "both sides are one file, 'given': nothing can have changed");
	done(&file);
}

static void a_single_series_comes_with_what_was_left_out(void **state)
{
	refused_pair(
		"a,b\n1,5 ms\n2,6 ms\n", NULL, &all,
		"given (read as csv) holds one series, 'a', and a comparison takes two: give a "
		"second file; a column is left out: given:2: '5 ms' in column 'b' is not a "
		"number");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_columns_are_base_and_head_in_that_order),
		cmocka_unit_test(names_say_which_side_is_which),
		cmocka_unit_test(of_several_columns_two_must_be_named),
		cmocka_unit_test(one_series_is_no_comparison),
		cmocka_unit_test(commands_of_hyperfine_are_sides_in_their_order),
		cmocka_unit_test(two_files_are_paired_by_name_and_unit),
		cmocka_unit_test(single_series_are_paired_whatever_they_are_called),
		cmocka_unit_test(times_in_two_units_are_brought_to_one),
		cmocka_unit_test(sides_with_several_measures_pair_them),
		cmocka_unit_test(a_broken_column_is_an_error_once_it_is_wanted),
		cmocka_unit_test(different_things_are_no_two_sides),
		cmocka_unit_test(one_measurement_given_twice_is_told),
		cmocka_unit_test(a_single_series_comes_with_what_was_left_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
