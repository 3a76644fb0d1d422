/* SPDX-License-Identifier: GPL-2.0-or-later */
/* futex-wake: all are woken in each repeat, by as few calls as the parameter allows. */
#include "check.h"
#include "workload/drive.h"

#include <sys/resource.h>

enum {
	WAKE_MS,
	NS_PER_THREAD,
	WAKE_MS_STDDEV,
	WAKE_CALLS,
};

static struct drive run_with(const char *threads, const char *wakes, const char *repeats,
			     const char *futex)
{
	struct work *work =
		drive_work("futex-wake", threads, wakes, repeats, futex, "settle_ms=50", NULL);
	struct drive run = { .batches = 1 };
	if (drive(work, &run) < 0)
		fail_msg("%s", run.err.text);
	work_free(work);
	return run;
}

static long blocked(void)
{
	struct rusage usage;
	CHECK_INT(getrusage(RUSAGE_SELF, &usage), 0);
	return usage.ru_nvcsw;
}

static void every_thread_blocks_and_is_woken_in_each_repeat(void **state)
{
	const char *const kinds[] = { "futex=private", "futex=shared" };
	for (size_t i = 0; i < 2; i++) {
		const long before = blocked();
		const struct drive run = run_with("threads=5", "wakes=1", "repeats=4", kinds[i]);
		CHECK_INT(run.tally.operations, 5 * 4);
		CHECK(blocked() - before >= 5 * 4);
		CHECK(run.values[WAKE_MS].number > 0);
		CHECK_NEAR(run.values[NS_PER_THREAD].number, run.values[WAKE_MS].number * 1e6 / 5,
			   1e-3);
	}
}

/* A thread that is late costs a call more; never is it one less. */
static void a_call_wakes_no_more_than_it_may(void **state)
{
	struct drive run = run_with("threads=6", "wakes=1", "repeats=2", "futex=private");
	CHECK(run.values[WAKE_CALLS].number >= 6);
	run = run_with("threads=6", "wakes=4", "repeats=2", "futex=private");
	CHECK(run.values[WAKE_CALLS].number >= 2);
	run = run_with("threads=6", "wakes=100", "repeats=2", "futex=shared");
	CHECK(run.values[WAKE_CALLS].number >= 1);
}

static void one_repeat_has_no_deviation(void **state)
{
	struct drive run = run_with("threads=2", "wakes=1", "repeats=1", "futex=private");
	CHECK(!value_is_known(run.values[WAKE_MS_STDDEV]));
	run = run_with("threads=2", "wakes=1", "repeats=2", "futex=private");
	CHECK(value_is_known(run.values[WAKE_MS_STDDEV]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_thread_blocks_and_is_woken_in_each_repeat),
		cmocka_unit_test(a_call_wakes_no_more_than_it_may),
		cmocka_unit_test(one_repeat_has_no_deviation),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
