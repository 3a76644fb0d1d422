/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/workers.h"

#include "base/clock.h"
#include "check.h"
#include "fake.h"
#include "probe/barrier.h"

#include <errno.h>

#include <sys/wait.h>

static struct error err;

struct stage {
	struct work *work;
	struct plan plan;
	struct workers *workers;
};

static void open_stage(struct stage *stage, const struct workload *row, const char *mode,
		       const char *how, uint64_t limit_ns)
{
	const char *const settings[] = { mode, "nr_task=3", how, NULL };
	stage->work = fake_work(row, settings);
	stage->plan = fake_plan(&stage->work);
	stage->plan.time_limit_ns = limit_ns;
	err = (struct error) { 0 };
	CHECK_INT(workers_new(&stage->plan, clock_monotonic_ns() + limit_ns, &stage->workers, &err),
		  0);
	CHECK_INT(workers_count(stage->workers), 3);
}

static void close_stage(struct stage *stage)
{
	workers_free(stage->workers);
	work_free(stage->work);
	/* Nothing is left, neither running nor as a zombie. */
	CHECK_INT(waitpid(-1, NULL, WNOHANG), -1);
	CHECK_INT(errno, ECHILD);
}

static void check_fixed_run(const char *mode)
{
	struct stage stage;
	open_stage(&stage, &fake_fixed, mode, "how=plain", 20 * NS_PER_SEC);
	CHECK_INT(workers_start(stage.workers, &err), 0);
	for (unsigned i = 0; i < 3; i++)
		CHECK(slot_state(workers_slot(stage.workers, i)) == SLOT_READY);
	workers_release(stage.workers);
	CHECK_INT(workers_reap(stage.workers, &err), 0);
	for (unsigned i = 0; i < 3; i++)
		CHECK_INT(workers_slot(stage.workers, i)->operations, 7);
	close_stage(&stage);
}

static void processes_are_released_together_and_reaped(void **state)
{
	(void)state;
	check_fixed_run("mode=process");
}

static void threads_are_released_together_and_joined(void **state)
{
	(void)state;
	check_fixed_run("mode=thread");
}

/* Starts, releases and watches a loop, or reaps a fixed amount; the failure that comes of it. */
static int failure_of(struct stage *stage)
{
	int failed = workers_start(stage->workers, &err);
	if (failed)
		return failed;
	workers_release(stage->workers);
	if (work_row(stage->work)->shape == WORK_LOOP)
		return workers_watch(stage->workers, clock_monotonic_ns() + 15 * NS_PER_SEC, &err);
	return workers_reap(stage->workers, &err);
}

static void check_failure(const struct workload *row, const char *mode, const char *how, int code,
			  const char *piece)
{
	struct stage stage;
	open_stage(&stage, row, mode, how, 10 * NS_PER_SEC);
	const uint64_t begin_ns = clock_monotonic_ns();
	CHECK_INT(failure_of(&stage), code);
	/* At once, not at the deadline. */
	CHECK(clock_monotonic_ns() - begin_ns < 8 * NS_PER_SEC);
	CHECK_HOLDS(err.text, piece);
	CHECK(workers_kill(stage.workers));
	close_stage(&stage);
}

static void a_process_that_dies_is_named_with_its_signal(void **state)
{
	(void)state;
	check_failure(&fake_fixed, "mode=process", "how=die", -ECHILD,
		      "worker 1 was killed: signal 9 (Killed)");
	check_failure(&fake_loop, "mode=process", "how=die", -ECHILD,
		      "worker 1 was killed: signal 9 (Killed)");
}

static void a_process_that_exits_is_named_with_its_code(void **state)
{
	(void)state;
	check_failure(&fake_fixed, "mode=process", "how=exit", -ECHILD,
		      "worker 1 ended early: exit code 3");
	check_failure(&fake_loop, "mode=process", "how=exit", -ECHILD,
		      "worker 1 ended early: exit code 3");
}

static void a_batch_that_fails_gives_its_reason(void **state)
{
	(void)state;
	check_failure(&fake_fixed, "mode=process", "how=fail", -EIO,
		      "worker 1: planted: batch failed");
	check_failure(&fake_fixed, "mode=thread", "how=fail", -EIO,
		      "worker 1: planted: batch failed");
	check_failure(&fake_loop, "mode=process", "how=fail", -EIO,
		      "worker 1: planted: batch failed");
	check_failure(&fake_loop, "mode=thread", "how=fail", -EIO,
		      "worker 1: planted: batch failed");
}

static void a_worker_that_may_not_enter_gives_its_reason(void **state)
{
	(void)state;
	check_failure(&fake_fixed, "mode=process", "how=refuse", -EACCES,
		      "worker 1: planted: may not enter");
	check_failure(&fake_loop, "mode=thread", "how=refuse", -EACCES,
		      "worker 1: planted: may not enter");
}

static void hanging_processes_are_counted_and_killed(void **state)
{
	(void)state;
	struct stage stage;
	open_stage(&stage, &fake_fixed, "mode=process", "how=hang", 300 * NS_PER_MS);
	CHECK_INT(failure_of(&stage), -ETIMEDOUT);
	CHECK_TEXT(err.text, "hung: no end after 0.3 s (2 of 3 workers had finished)");
	CHECK(workers_kill(stage.workers));
	close_stage(&stage);
}

static void a_loop_that_does_not_stop_is_noticed(void **state)
{
	(void)state;
	struct stage stage;
	open_stage(&stage, &fake_loop, "mode=process", "how=hang", 500 * NS_PER_MS);
	CHECK_INT(workers_start(stage.workers, &err), 0);
	workers_release(stage.workers);
	workers_tell(stage.workers, PHASE_MEASURE);
	CHECK_INT(workers_watch(stage.workers, clock_monotonic_ns() + 50 * NS_PER_MS, &err), 0);
	workers_tell(stage.workers, PHASE_STOP);
	CHECK_INT(workers_await_still(stage.workers, &err), -ETIMEDOUT);
	CHECK_HOLDS(err.text, "(2 of 3 workers had finished)");
	CHECK(workers_kill(stage.workers));
	close_stage(&stage);
}

static void a_loop_stands_still_until_it_is_dismissed(void **state)
{
	(void)state;
	struct stage stage;
	open_stage(&stage, &fake_loop, "mode=process", "how=plain", 20 * NS_PER_SEC);
	CHECK_INT(workers_start(stage.workers, &err), 0);
	workers_release(stage.workers);
	workers_tell(stage.workers, PHASE_MEASURE);
	CHECK_INT(workers_watch(stage.workers, clock_monotonic_ns() + 50 * NS_PER_MS, &err), 0);
	workers_tell(stage.workers, PHASE_STOP);
	CHECK_INT(workers_await_still(stage.workers, &err), 0);
	for (unsigned i = 0; i < 3; i++) {
		const struct slot *slot = workers_slot(stage.workers, i);
		CHECK(slot_state(slot) == SLOT_FINISHED);
		CHECK(slot->end.operations > slot->begin.operations);
	}
	CHECK_INT(waitpid(-1, NULL, WNOHANG), 0);
	workers_dismiss(stage.workers);
	CHECK_INT(workers_reap(stage.workers, &err), 0);
	close_stage(&stage);
}

int main(void)
{
	barrier_hold_back_child_signals();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(processes_are_released_together_and_reaped),
		cmocka_unit_test(threads_are_released_together_and_joined),
		cmocka_unit_test(a_process_that_dies_is_named_with_its_signal),
		cmocka_unit_test(a_process_that_exits_is_named_with_its_code),
		cmocka_unit_test(a_batch_that_fails_gives_its_reason),
		cmocka_unit_test(a_worker_that_may_not_enter_gives_its_reason),
		cmocka_unit_test(hanging_processes_are_counted_and_killed),
		cmocka_unit_test(a_loop_that_does_not_stop_is_noticed),
		cmocka_unit_test(a_loop_stands_still_until_it_is_dismissed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
