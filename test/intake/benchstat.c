/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "given.h"

static const struct intake_options plain = { 0 };

static void each_line_is_a_run_and_each_unit_a_series(void **state)
{
	AUTO(intake_document)
	struct intake_document *document =
		given("goos: linux\npkg: example.org/copy\n"
		      "BenchmarkCopy/size=1K-4 \t 1000\t 120.5 ns/op\t 8.1 MB/s\t 64 B/op\n"
		      "BenchmarkCopy/size=1K-4   1200   118 ns/op   8.2 MB/s   64 B/op\n"
		      "BenchmarkOther 	 3	 7 widgets\n"
		      "PASS\nok  \texample.org/copy\t2.1s\n",
		      &plain);
	CHECK(document->format == &intake_benchstat);
	CHECK_INT(document->n_series, 4);
	const struct intake_series *time = &document->series[0];
	CHECK_TEXT(time->name, "Copy/size=1K-4");
	CHECK_TEXT(time->unit, "ns/op");
	CHECK_INT(time->better, BETTER_LOWER);
	holds(time, (const double[]) { 120.5, 118 }, 2);
	CHECK_INT(time->values[1].line, 4);
	CHECK(document->series[1].restated);
	CHECK_INT(document->series[1].better, BETTER_HIGHER);
	CHECK_INT(document->series[3].better, BETTER_UNKNOWN);
}

static void a_unit_line_gives_a_direction_wherever_it_stands(void **state)
{
	AUTO(intake_document)
	struct intake_document *document =
		given("BenchmarkA 1 7 widgets 3 x/op\nUnit widgets better=higher assume=exact\n"
		      "Unit x/op better=higher\n",
		      &plain);
	CHECK_INT(document->series[0].better, BETTER_HIGHER);
	CHECK_INT(document->series[1].better, BETTER_HIGHER);
}

static void packages_tell_benchmarks_of_one_name_apart(void **state)
{
	AUTO(intake_document)
	struct intake_document *document =
		given("pkg: a\nBenchmarkX 1 7 ns/op\npkg: b\nBenchmarkX 1 8 ns/op\n", &plain);
	CHECK_INT(document->n_series, 2);
	CHECK_TEXT(document->series[0].name, "a:X");
	CHECK_TEXT(document->series[1].name, "b:X");
}

static void what_tests_say_is_no_result(void **state)
{
	AUTO(intake_document)
	struct intake_document *document =
		given("BenchmarkX\nBenchmarkX-2 was slow today\n--- BENCH: BenchmarkX\n"
		      "BenchmarkX-2 10 5 ns/op\n",
		      &plain);
	CHECK_INT(document->n_series, 1);
	CHECK_INT(document->series[0].n, 1);
}

static void a_damaged_result_is_told_with_its_line(void **state)
{
	refused("BenchmarkX 1 7 ns/op\nBenchmarkX 1 7x ns/op\n", &plain,
		"given:2: '7x' of X is not a number");
	refused("BenchmarkX 1 7 ns/op\n\nBenchmarkX 1 7 ns/op 64\n", &plain,
		"given:3: a number without a unit; a result is a name, a count, and pairs of number "
		"and unit");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_line_is_a_run_and_each_unit_a_series),
		cmocka_unit_test(a_unit_line_gives_a_direction_wherever_it_stands),
		cmocka_unit_test(packages_tell_benchmarks_of_one_name_apart),
		cmocka_unit_test(what_tests_say_is_no_result),
		cmocka_unit_test(a_damaged_result_is_told_with_its_line),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
