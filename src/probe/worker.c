/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The measured loop lives here. Between two batches it does one relaxed store to the worker's own
 * cache line and one load of the phase word, which stays shared in every cache until the harness
 * changes it; no system call, no clock (only burn_permille, which is there to slow a workload down,
 * reads one). Each worker takes the time itself when it first sees a new phase, so that its operations
 * and its window belong together exactly, however late it was told.
 */
#include "probe/worker.h"

#include "base/clock.h"
#include "base/macros.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sys/prctl.h>

#define PERMILLE 1000

static void fail(struct slot *slot, int64_t code, const struct error *err)
{
	assert(code < 0);
	slot->code = (int)code;
	(void)snprintf(slot->reason, sizeof(slot->reason), "%.*s", SLOT_REASON_BYTES - 1,
		       err->code ? err->text : strerror((int)-code));
	slot_enter(slot, SLOT_FAILED);
}

/* The readings are ordered so that their own cost falls outside of the worker's window. */
static void open_window(struct slot *slot, uint64_t operations, int who)
{
	(void)getrusage(who, &slot->begin.used);
	slot->begin.operations = operations;
	slot->begin.at_ns = clock_monotonic_ns();
}

static void close_window(struct slot *slot, uint64_t operations, int who)
{
	slot->end.at_ns = clock_monotonic_ns();
	slot->end.operations = operations;
	(void)getrusage(who, &slot->end.used);
}

/* One batch, and behind it the CPU is kept busy for a share of the time that the batch took. */
static int64_t batch_and_burn(struct worker_self *self, uint64_t permille)
{
	const uint64_t start_ns = clock_monotonic_ns();
	const int64_t done = work_row(self->work)->batch(self);
	const uint64_t end_ns = clock_monotonic_ns();
	const uint64_t burn_ns = (end_ns - start_ns) * permille / PERMILLE;
	while (clock_monotonic_ns() - end_ns < burn_ns)
		;
	return done;
}

/* Batches until the harness says stop. 0 or the negative errno of a batch. */
static int64_t run_loop(struct worker_self *self, struct slot *slot, const _Atomic int *phase)
{
	int64_t (*const batch)(struct worker_self *) = work_row(self->work)->batch;
	const int who = work_has_threads(self->work) ? RUSAGE_THREAD : RUSAGE_SELF;
	const uint64_t burn = work_number(self->work, "burn_permille");
	uint64_t operations = 0;
	int seen = PHASE_WARMUP;
	do {
		const int64_t done = UNLIKELY(burn > 0) ? batch_and_burn(self, burn) : batch(self);
		if (UNLIKELY(done < 0))
			return done;
		operations += (uint64_t)done;
		atomic_store_explicit(&slot->operations, operations, memory_order_relaxed);
		const int now = atomic_load_explicit(phase, memory_order_acquire);
		if (LIKELY(now == seen))
			continue;
		if (now == PHASE_MEASURE)
			open_window(slot, operations, who);
		else
			close_window(slot, operations, who);
		seen = now;
	} while (seen < PHASE_STOP);
	return 0;
}

static int64_t run_once(struct worker_self *self, struct slot *slot)
{
	const int64_t done = work_row(self->work)->batch(self);
	if (done < 0)
		return done;
	/* Only one of several copies side by side is judged by this; the whole by the harness's clock. */
	slot->end.at_ns = clock_monotonic_ns();
	atomic_store_explicit(&slot->operations, (uint64_t)done, memory_order_relaxed);
	return 0;
}

static void work_through(struct worker_self *self, const struct worker_task *task,
			 struct slot *slot)
{
	const bool loops = work_row(task->work)->shape == WORK_LOOP;
	slot_enter(slot, SLOT_READY);
	barrier_tell(task->barrier);
	barrier_wait_wake(task->barrier);
	const int64_t code =
		loops ? run_loop(self, slot, &task->area->phase) : run_once(self, slot);
	if (code < 0) {
		fail(slot, code, &self->err);
		return;
	}
	slot_enter(slot, SLOT_FINISHED);
	if (loops) {
		/* Idle until the last samples are taken: what leaving costs is not in them. */
		barrier_tell(task->barrier);
		barrier_wait_finish(task->barrier);
	}
}

/* False when the worker failed. */
static bool run(const struct worker_task *task)
{
	const struct workload *row = work_row(task->work);
	struct slot *slot = &task->area->slots[task->slot];
	struct worker_self self = { .work = task->work, .index = task->index };
	const int failed = row->enter ? row->enter(&self, &self.err) : 0;
	if (failed) {
		fail(slot, failed, &self.err);
		return false;
	}
	work_through(&self, task, slot);
	if (row->leave)
		row->leave(&self);
	return slot_state(slot) != SLOT_FAILED;
}

void *worker_thread(void *task)
{
	const struct worker_task *mine = task;
	if (!run(mine))
		(void)pthread_kill(mine->harness, SIGCHLD);
	return NULL;
}

void worker_process(const struct worker_task *task)
{
	/* The harness's own handlers and mask are none of the workload's. */
	(void)signal(SIGCHLD, SIG_DFL);
	(void)signal(SIGTERM, SIG_DFL);
	sigset_t none;
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, /* old= */ NULL);
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	barrier_drop_harness_ends(task->barrier);
	_exit(run(task) ? 0 : 1);
}
