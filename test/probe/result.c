/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/result.h"

#include "base/clock.h"
#include "check.h"
#include "fake.h"

#include <errno.h>
#include <unistd.h>

#include <sys/mman.h>

static struct error err;

/* Three loops in threads that were measured when `measured`, and have ended. */
static struct workers *loops_that_ran(struct work *work, bool measured)
{
	struct workers *workers = NULL;
	const uint64_t limit_ns = 20 * NS_PER_SEC;
	CHECK_INT(workers_new(work, clock_monotonic_ns() + limit_ns, limit_ns, &workers, &err), 0);
	CHECK_INT(workers_start(workers, &err), 0);
	workers_release(workers);
	if (measured) {
		workers_tell(workers, PHASE_MEASURE);
		CHECK_INT(workers_watch(workers, clock_monotonic_ns() + 50 * NS_PER_MS, &err), 0);
	}
	workers_tell(workers, PHASE_STOP);
	CHECK_INT(workers_await_still(workers, &err), 0);
	workers_dismiss(workers);
	CHECK_INT(workers_reap(workers, &err), 0);
	return workers;
}

static const char *const three_threads[] = { "mode=thread", "nr_task=3", NULL };

static void the_rate_is_the_sum_of_each_workers_own(void **state)
{
	(void)state;
	struct work *work = fake_work(&fake_loop, three_threads);
	struct workers *workers = loops_that_ran(work, /* measured= */ true);
	struct tally tally;
	CHECK_INT(result_tally(work, workers, 12345, &tally, &err), 0);
	double rate = 0;
	uint64_t operations = 0;
	for (unsigned i = 0; i < 3; i++) {
		const struct slot *slot = workers_slot(workers, i);
		const uint64_t own = slot->end.operations - slot->begin.operations;
		operations += own;
		rate += (double)own / clock_seconds(slot->end.at_ns - slot->begin.at_ns);
	}
	CHECK_INT(tally.n_workers, 3);
	CHECK_INT(tally.elapsed_ns, 12345);
	CHECK_INT(tally.operations, operations);
	CHECK(operations > 0);
	CHECK_NEAR(tally.rate_per_sec, rate, rate * 1e-12);
	CHECK(tally.cpus_online >= 1);
	const struct usage usage = result_usage(workers, 777);
	CHECK_INT(usage.elapsed_ns, 777);
	CHECK(usage.voluntary_switches > 0);
	workers_free(workers);
	work_free(work);
}

static void a_window_without_a_batch_is_no_measurement(void **state)
{
	(void)state;
	struct work *work = fake_work(&fake_loop, three_threads);
	struct workers *workers = loops_that_ran(work, /* measured= */ false);
	struct tally tally = { .n_workers = 99 };
	CHECK_INT(result_tally(work, workers, 1, &tally, &err), -ETIME);
	CHECK_HOLDS(err.text, "worker 0 completed no batch");
	CHECK_INT(tally.n_workers, 99);
	workers_free(workers);
	work_free(work);
}

static void the_scores_of_a_failed_run_are_missing_and_not_zero(void **state)
{
	(void)state;
	struct work *work = fake_work(&fake_loop, three_threads);
	const int fd = memfd_create("stream", 0);
	struct wire *wire = wire_new(fd);
	CHECK_INT(result_send_scores(wire, work, /* tally= */ NULL), 0);
	CHECK_INT(wire_end(wire, RUN_FAILED, "planted"), 0);
	wire_free(wire);
	struct run *run = fake_read(fd);
	const struct measured *score = run_metric_find(run, "will-it-scale.per_thread_ops");
	CHECK(score);
	CHECK_INT(score->value.state, VALUE_MISSING);
	CHECK_INT(score->value.why, MISSING_FAILED);
	run_free(run);
	(void)close(fd);
	work_free(work);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_rate_is_the_sum_of_each_workers_own),
		cmocka_unit_test(a_window_without_a_batch_is_no_measurement),
		cmocka_unit_test(the_scores_of_a_failed_run_are_missing_and_not_zero),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
