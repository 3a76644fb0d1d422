/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "given.h"

#include <math.h>

static const struct intake_options plain = { 0 };

static const char repetitions[] =
	"{\"context\": {\"num_cpus\": 2}, \"benchmarks\": [\n"
	"{\"name\": \"BM_Copy/8/repeats:3\", \"run_name\": \"BM_Copy/8\", \"run_type\": \"iteration\",\n"
	" \"iterations\": 100, \"real_time\": 10.5, \"cpu_time\": 10, \"time_unit\": \"us\",\n"
	" \"bytes_per_second\": 5e6},\n"
	"{\"name\": \"BM_Copy/8\", \"run_name\": \"BM_Copy/8\", \"run_type\": \"iteration\",\n"
	" \"real_time\": 11, \"cpu_time\": 10.25, \"time_unit\": \"us\", \"bytes_per_second\": 4e6},\n"
	"{\"name\": \"BM_Copy/8\", \"run_type\": \"iteration\", \"error_occurred\": true,\n"
	" \"error_message\": \"no memory\", \"time_unit\": \"us\"},\n"
	"{\"name\": \"BM_Copy/8_mean\", \"run_name\": \"BM_Copy/8\", \"run_type\": \"aggregate\",\n"
	" \"real_time\": 10.75, \"cpu_time\": 10.1, \"time_unit\": \"us\"}]}";

static void each_repetition_is_a_run_and_summaries_are_none(void **state)
{
	AUTO(intake_document) struct intake_document *document = given(repetitions, &plain);
	CHECK(document->format == &intake_google_benchmark);
	const double real[] = { 10.5, 11, (double)NAN };
	const struct intake_series *series = intake_series_find(document, "BM_Copy/8 real_time");
	holds(series, real, 3);
	CHECK_TEXT(series->unit, "us");
	CHECK_INT(series->better, BETTER_LOWER);
	CHECK_INT(intake_series_find(document, "BM_Copy/8 cpu_time")->n, 3);
	const struct intake_series *rate =
		intake_series_find(document, "BM_Copy/8 bytes_per_second");
	CHECK_INT(rate->n, 2);
	CHECK_INT(rate->better, BETTER_HIGHER);
	CHECK(rate->restated);
	CHECK_INT(document->n_remarks, 2);
	CHECK_TEXT(document->remarks[0], "given: a repetition of 'BM_Copy/8' ended with an error");
}

static void old_files_tell_summaries_by_their_names(void **state)
{
	AUTO(intake_document)
	struct intake_document *document =
		given("{\"context\": {}, \"benchmarks\": [{\"name\": \"BM_X\", \"real_time\": 3, "
		      "\"cpu_time\": 2, \"time_unit\": \"ns\"}, {\"name\": \"BM_X_stddev\", "
		      "\"real_time\": 1, \"cpu_time\": 1, \"time_unit\": \"ns\"}]}",
		      &plain);
	CHECK_INT(document->n_series, 2);
}

static void what_is_no_time_is_told_with_its_benchmark(void **state)
{
	refused("{\"context\": {}, \"benchmarks\": [{\"name\": \"BM_X\", \"real_time\": \"3\"}]}",
		&plain, "given: real_time of BM_X is a text, not a number");
	refused("{\"context\": {}, \"benchmarks\": [{\"real_time\": 3}]}", &plain,
		"given: benchmarks[0] has no \"name\"");
	refused("{\"context\": {}, \"benchmarks\": {}}", &plain,
		"given: no array \"benchmarks\", so it is no google-benchmark file");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_repetition_is_a_run_and_summaries_are_none),
		cmocka_unit_test(old_files_tell_summaries_by_their_names),
		cmocka_unit_test(what_is_no_time_is_told_with_its_benchmark),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
