/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The score of a plain loop. */
#include "check.h"
#include "workload/drive.h"

#include <math.h>

static void score(const char *mode, const struct tally *tally, struct value *ret_values)
{
	struct work *work = drive_work("getppid1", mode, "nr_task=4", NULL);
	workload_score_rate(work, tally, ret_values);
	work_free(work);
}

static const struct tally four_workers = {
	.elapsed_ns = 2000000000,
	.operations = 8000,
	.rate_per_sec = 4100.0,
	.n_workers = 4,
};

static void a_run_with_processes_has_no_rate_of_threads(void **state)
{
	struct value values[3];
	score("mode=process", &four_workers, values);
	CHECK_NEAR(values[0].number, 1025.0, 0.0);
	CHECK_INT(values[1].state, VALUE_NOT_APPLICABLE);
	CHECK_NEAR(values[2].number, 4100.0, 0.0);
}

static void a_run_with_threads_has_no_rate_of_processes(void **state)
{
	struct value values[3];
	score("mode=thread", &four_workers, values);
	CHECK_INT(values[0].state, VALUE_NOT_APPLICABLE);
	CHECK_INT(values[1].state, VALUE_KNOWN);
	CHECK_NEAR(values[1].number, 1025.0, 0.0);
	CHECK_NEAR(values[2].number, 4100.0, 0.0);
}

static void a_rate_that_could_not_be_taken_is_missing(void **state)
{
	struct tally tally = four_workers;
	tally.rate_per_sec = (double)NAN;
	struct value values[3];
	score("mode=process", &tally, values);
	CHECK_INT(values[0].state, VALUE_MISSING);
	CHECK_INT(values[1].state, VALUE_NOT_APPLICABLE);
	CHECK_INT(values[2].state, VALUE_MISSING);
}

static void no_operation_at_all_is_a_rate_of_zero(void **state)
{
	struct tally tally = four_workers;
	tally.operations = 0;
	tally.rate_per_sec = 0;
	struct value values[3];
	score("mode=thread", &tally, values);
	CHECK_INT(values[1].state, VALUE_KNOWN);
	CHECK_NEAR(values[1].number, 0.0, 0.0);
}

static void the_metrics_stand_in_the_order_of_the_score(void **state)
{
	const struct metric *metrics = workload_find("getppid1")->about.metrics;
	CHECK_TEXT(metrics[0].name, "will-it-scale.per_process_ops");
	CHECK_TEXT(metrics[1].name, "will-it-scale.per_thread_ops");
	CHECK_TEXT(metrics[2].name, "will-it-scale.workload");
	CHECK(metrics[3].name == NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_with_processes_has_no_rate_of_threads),
		cmocka_unit_test(a_run_with_threads_has_no_rate_of_processes),
		cmocka_unit_test(a_rate_that_could_not_be_taken_is_missing),
		cmocka_unit_test(no_operation_at_all_is_a_rate_of_zero),
		cmocka_unit_test(the_metrics_stand_in_the_order_of_the_score),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
