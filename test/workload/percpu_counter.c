/* SPDX-License-Identifier: GPL-2.0-or-later */
/* percpu-counter: what the reader finds is what has not been folded. */
#include "check.h"
#include "workload/drive.h"

#define BATCH 61001

enum {
	RATE,
	RATE_TASK,
	NS_PER_ADD,
	DEVIATION_MEAN,
	DEVIATION_MAX,
	DEVIATION_BOUND,
	WORKLOAD,
};

static struct drive run_with(const char *counter, const char *threshold, const char *tasks,
			     const char *mode)
{
	struct work *work =
		drive_work("percpu-counter", counter, threshold, tasks, mode, "read_every=1", NULL);
	struct drive run = { .batches = 3 };
	if (drive(work, &run) < 0)
		fail_msg("%s", run.err.text);
	CHECK_INT(run.tally.operations, 3 * BATCH * work_workers(work));
	work_free(work);
	return run;
}

static void check_deviation(const struct drive *run, double mean, double max, double bound)
{
	CHECK_NEAR(run->values[DEVIATION_MEAN].number, mean, 1e-9);
	CHECK_NEAR(run->values[DEVIATION_MAX].number, max, 0);
	CHECK_NEAR(run->values[DEVIATION_BOUND].number, bound, 0);
}

/* After k batches of one worker the difference is what k * BATCH leaves when it is folded whenever it
 * has come to threshold + 1. */
static void the_reader_of_one_worker_misses_exactly_what_was_not_folded(void **state)
{
	struct drive run =
		run_with("counter=batched", "threshold=125", "nr_task=1", "mode=process");
	check_deviation(&run, (17 + 34 + 51) / 3.0, 51, 125);
	run = run_with("counter=batched", "threshold=32765", "nr_task=1", "mode=thread");
	check_deviation(&run, (28235 + 23704 + 19173) / 3.0, 28235, 32765);
	run = run_with("counter=batched", "threshold=1000000", "nr_task=1", "mode=process");
	check_deviation(&run, 2 * BATCH, 3 * BATCH, 1000000);
}

static void nothing_is_missed_where_every_addition_is_shared(void **state)
{
	struct drive run = run_with("counter=atomic", "threshold=125", "nr_task=2", "mode=process");
	check_deviation(&run, 0, 0, 0);
	run = run_with("counter=batched", "threshold=0", "nr_task=2", "mode=thread");
	check_deviation(&run, 0, 0, 0);
}

static void several_workers_never_deviate_beyond_the_bound(void **state)
{
	const char *const modes[] = { "mode=process", "mode=thread" };
	for (unsigned i = 0; i < 2; i++) {
		const struct drive run =
			run_with("counter=batched", "threshold=125", "nr_task=3", modes[i]);
		CHECK_NEAR(run.values[DEVIATION_BOUND].number, 375, 0);
		CHECK(run.values[DEVIATION_MAX].number <= 375);
		CHECK(run.values[DEVIATION_MEAN].number <= run.values[DEVIATION_MAX].number);
		CHECK(run.values[DEVIATION_MAX].number >= 17); /* The reader's own. */
	}
}

static void the_rates_are_one_another_restated(void **state)
{
	const struct drive run =
		run_with("counter=batched", "threshold=125", "nr_task=2", "mode=process");
	const double rate = run.tally.rate_per_sec;
	CHECK_NEAR(run.values[RATE].number, rate, rate * 1e-9);
	CHECK_NEAR(run.values[RATE_TASK].number, rate / 2, rate * 1e-9);
	CHECK_NEAR(run.values[NS_PER_ADD].number * rate / 2, 1e9, 1);
	CHECK_NEAR(run.values[WORKLOAD].number, rate, rate * 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_reader_of_one_worker_misses_exactly_what_was_not_folded),
		cmocka_unit_test(nothing_is_missed_where_every_addition_is_shared),
		cmocka_unit_test(several_workers_never_deviate_beyond_the_bound),
		cmocka_unit_test(the_rates_are_one_another_restated),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
