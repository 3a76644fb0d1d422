/* SPDX-License-Identifier: GPL-2.0-or-later */
/* futex-hash: every wait is refused, whichever the key and however many futexes there are. */
#include "check.h"
#include "workload/drive.h"

#define BATCH 256

enum {
	PER_THREAD,
	WORKLOAD,
};

static struct drive run_with(const char *tasks, const char *futexes, const char *futex)
{
	struct work *work = drive_work("futex-hash", tasks, futexes, futex, NULL);
	struct drive run = { .batches = 3 };
	if (drive(work, &run) < 0)
		fail_msg("%s", run.err.text);
	CHECK_INT(run.tally.operations, 3 * BATCH * work_workers(work));
	work_free(work);
	return run;
}

/* Fewer than a batch, no divisor of it, and more than all batches together. */
static void any_number_of_futexes_is_gone_round(void **state)
{
	(void)run_with("nr_task=1", "futexes=1", "futex=private");
	(void)run_with("nr_task=1", "futexes=7", "futex=private");
	(void)run_with("nr_task=2", "futexes=5000", "futex=private");
	(void)run_with("nr_task=2", "futexes=7", "futex=shared");
}

static void the_average_is_the_sum_by_the_threads(void **state)
{
	const struct drive run = run_with("nr_task=3", "futexes=64", "futex=private");
	const double rate = run.tally.rate_per_sec;
	CHECK(rate > 0);
	CHECK_NEAR(run.values[WORKLOAD].number, rate, rate * 1e-9);
	CHECK_NEAR(run.values[PER_THREAD].number * 3, rate, rate * 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_number_of_futexes_is_gone_round),
		cmocka_unit_test(the_average_is_the_sum_by_the_threads),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
