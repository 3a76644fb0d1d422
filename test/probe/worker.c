/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/worker.h"

#include "base/clock.h"
#include "check.h"
#include "fake.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include <sys/wait.h>

struct stage {
	struct work *work;
	struct area *area;
	struct barrier barrier;
	struct worker_task task;
};

static void open_stage(struct stage *stage, const struct workload *row, const char *mode,
		       const char *how)
{
	const char *const settings[] = { mode, "nr_task=1", how, NULL };
	struct error err = { 0 };
	stage->work = fake_work(row, settings);
	stage->area = area_new(1);
	CHECK(stage->area);
	CHECK_INT(barrier_init(&stage->barrier, &err), 0);
	atomic_store(&stage->area->phase, PHASE_WARMUP);
	stage->task = (struct worker_task) {
		.work = stage->work,
		.area = stage->area,
		.barrier = &stage->barrier,
		.harness = pthread_self(),
	};
}

static void close_stage(struct stage *stage)
{
	barrier_done(&stage->barrier);
	area_free(stage->area, 1);
	work_free(stage->work);
}

static void await_told(const struct stage *stage)
{
	while (barrier_listen(stage->barrier.ready[0], clock_monotonic_ns() + NS_PER_SEC) == 0)
		;
}

static void await_operations(const struct slot *slot, uint64_t least)
{
	while (atomic_load(&slot->operations) < least)
		clock_sleep_until_ns(clock_monotonic_ns() + NS_PER_MS);
}

static void the_window_begins_and_ends_with_whole_batches(void **state)
{
	(void)state;
	struct stage stage;
	pthread_t thread;
	open_stage(&stage, &fake_loop, "mode=thread", "how=plain");
	const struct slot *slot = &stage.area->slots[0];
	CHECK_INT(pthread_create(&thread, NULL, worker_thread, &stage.task), 0);
	await_told(&stage);
	CHECK(slot_state(slot) == SLOT_READY);
	CHECK_INT(atomic_load(&slot->operations), 0);
	barrier_open_wake(&stage.barrier);
	await_operations(slot, 300);
	const uint64_t begin_ns = clock_monotonic_ns();
	atomic_store(&stage.area->phase, PHASE_MEASURE);
	await_operations(slot, 1000);
	atomic_store(&stage.area->phase, PHASE_STOP);
	await_told(&stage);
	CHECK(slot_state(slot) == SLOT_FINISHED);
	CHECK(slot->begin.at_ns >= begin_ns);
	CHECK(slot->end.at_ns > slot->begin.at_ns);
	CHECK(slot->begin.operations >= 300);
	CHECK(slot->end.operations > slot->begin.operations);
	CHECK_INT(slot->begin.operations % 100, 0);
	CHECK_INT(slot->end.operations % 100, 0);
	CHECK_INT(atomic_load(&slot->operations), slot->end.operations);
	barrier_open_finish(&stage.barrier);
	CHECK_INT(pthread_join(thread, NULL), 0);
	close_stage(&stage);
}

/* The fake's batch sleeps for a millisecond and says 100 operations. */
static void a_burning_worker_takes_the_share_longer(void **state)
{
	(void)state;
	const char *const settings[] = { "mode=thread", "nr_task=1", "burn_permille=2000", NULL };
	struct stage stage;
	pthread_t thread;
	open_stage(&stage, &fake_loop, "mode=thread", "how=plain");
	work_free(stage.work);
	stage.work = fake_work(&fake_loop, settings);
	stage.task.work = stage.work;
	const struct slot *slot = &stage.area->slots[0];
	CHECK_INT(pthread_create(&thread, NULL, worker_thread, &stage.task), 0);
	await_told(&stage);
	barrier_open_wake(&stage.barrier);
	await_operations(slot, 100);
	atomic_store(&stage.area->phase, PHASE_MEASURE);
	await_operations(slot, 1000);
	atomic_store(&stage.area->phase, PHASE_STOP);
	await_told(&stage);
	const uint64_t batches = (slot->end.operations - slot->begin.operations) / 100;
	CHECK(batches >= 3);
	CHECK(slot->end.at_ns - slot->begin.at_ns >= batches * 3 * NS_PER_MS);
	barrier_open_finish(&stage.barrier);
	CHECK_INT(pthread_join(thread, NULL), 0);
	close_stage(&stage);
}

static int status_of_process(struct stage *stage)
{
	const pid_t child = fork();
	if (child == 0)
		worker_process(&stage->task);
	barrier_open_wake(&stage->barrier);
	int status = -1;
	CHECK_INT(waitpid(child, &status, 0), child);
	return status;
}

static void a_fixed_worker_works_once_and_ends_well(void **state)
{
	(void)state;
	struct stage stage;
	open_stage(&stage, &fake_fixed, "mode=process", "how=plain");
	CHECK_INT(status_of_process(&stage), 0);
	CHECK(slot_state(&stage.area->slots[0]) == SLOT_FINISHED);
	CHECK_INT(atomic_load(&stage.area->slots[0].operations), 7);
	close_stage(&stage);
}

static void a_failing_batch_leaves_its_reason_and_exits_1(void **state)
{
	(void)state;
	struct stage stage;
	open_stage(&stage, &fake_fixed, "mode=process", "how=fail");
	const int status = status_of_process(&stage);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 1);
	CHECK(slot_state(&stage.area->slots[0]) == SLOT_FAILED);
	CHECK_INT(stage.area->slots[0].code, -EIO);
	CHECK_TEXT(stage.area->slots[0].reason, "planted: batch failed");
	close_stage(&stage);
}

static void a_worker_that_may_not_enter_never_tells_the_barrier(void **state)
{
	(void)state;
	struct stage stage;
	open_stage(&stage, &fake_fixed, "mode=process", "how=refuse");
	const int status = status_of_process(&stage);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 1);
	CHECK_INT(stage.area->slots[0].code, -EACCES);
	CHECK_INT(barrier_listen(stage.barrier.ready[0], clock_monotonic_ns()), 0);
	close_stage(&stage);
}

static void a_worker_process_has_the_default_signals_back(void **state)
{
	(void)state;
	/* SIGTERM is blocked and ignored here; a worker that hangs must still die of it. */
	struct stage stage;
	sigset_t term;
	(void)sigemptyset(&term);
	(void)sigaddset(&term, SIGTERM);
	(void)sigprocmask(SIG_BLOCK, &term, NULL);
	(void)signal(SIGTERM, SIG_IGN);
	open_stage(&stage, &fake_fixed, "mode=process", "how=hang");
	const pid_t child = fork();
	if (child == 0)
		worker_process(&stage.task);
	await_told(&stage);
	(void)kill(child, SIGTERM);
	int status = -1;
	CHECK_INT(waitpid(child, &status, 0), child);
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
	close_stage(&stage);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_window_begins_and_ends_with_whole_batches),
		cmocka_unit_test(a_burning_worker_takes_the_share_longer),
		cmocka_unit_test(a_fixed_worker_works_once_and_ends_well),
		cmocka_unit_test(a_failing_batch_leaves_its_reason_and_exits_1),
		cmocka_unit_test(a_worker_that_may_not_enter_never_tells_the_barrier),
		cmocka_unit_test(a_worker_process_has_the_default_signals_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
