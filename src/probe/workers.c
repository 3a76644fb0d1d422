/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Creation, release, watching and reaping of workers. See workers.h. */
#include "probe/workers.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/spawn.h"
#include "probe/barrier.h"
#include "probe/pin.h"
#include "probe/roll.h"
#include "probe/worker.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/wait.h>

#define CPUS_MAX 8192
#define GLANCE_NS (200 * NS_PER_US) /* A look at all counters that nobody interrupts takes less. */
#define GLANCE_EACH_NS 500
#define GLANCES_MAX 100
#define JOIN_SLICE_NS NS_PER_SEC /* Between looks for a thread that failed while others wait. */
#define KILL_PATIENCE_NS NS_PER_SEC

struct workers {
	const struct plan *plan; /* Borrowed. */
	const struct workload *row;
	uint64_t deadline_ns;
	struct area *area;
	struct barrier barrier;
	struct worker_task *tasks;
	struct roll *roll;  /* Which process is which worker; NULL with threads. */
	pthread_t *threads; /* NULL with processes. */
	uint64_t
		*noted[2]; /* Counts at begin and end of the window; NULL unless they take turns. */
	unsigned n;
	unsigned n_each; /* Of one copy of the workload. */
	unsigned made;
	unsigned ended; /* Processes reaped, or threads joined (in order). */
};

/* CPUs that this process may use; 1 when that cannot be found out. */
static unsigned allowed_cpus(void)
{
	const size_t size = CPU_ALLOC_SIZE(CPUS_MAX);
	cpu_set_t *cpus = mem_zero(size);
	const int failed = sched_getaffinity(0, size, cpus);
	const int n = failed ? 1 : CPU_COUNT_S(size, cpus);
	free(cpus);
	return (unsigned)n;
}

int workers_new(const struct plan *plan, uint64_t deadline_ns, struct workers **ret_workers,
		struct error *err)
{
	assert(plan->n_works > 0);
	AUTO(workers) struct workers *workers = mem_zero(sizeof(*workers));
	workers->plan = plan;
	workers->row = work_row(plan->works[0]);
	workers->deadline_ns = deadline_ns;
	workers->n_each = work_workers(plan->works[0]);
	workers->n = workers->n_each * plan->n_works;
	assert(workers->n > 0);
	const int failed = barrier_init(&workers->barrier, err);
	if (failed)
		return failed;
	workers->area = area_new(workers->n);
	if (!workers->area)
		return error_errno(err, errno, "cannot get memory for %u workers", workers->n);
	atomic_store(&workers->area->phase, PHASE_WARMUP);
	workers->tasks = mem_array(workers->n, sizeof(*workers->tasks));
	if (work_has_threads(plan->works[0]))
		workers->threads = mem_array(workers->n, sizeof(*workers->threads));
	else
		workers->roll = roll_new(workers->n);
	if (workers->n > allowed_cpus())
		for (unsigned i = 0; i < 2; i++)
			workers->noted[i] = mem_array(workers->n, sizeof(uint64_t));
	*ret_workers = KEEP(workers);
	return 0;
}

void workers_free(struct workers *workers)
{
	if (!workers)
		return;
	barrier_done(&workers->barrier);
	area_free(workers->area, workers->n);
	free(workers->tasks);
	free(workers->threads);
	roll_free(workers->roll);
	free(workers->noted[0]);
	free(workers->noted[1]);
	free(workers);
}

unsigned workers_count(const struct workers *workers)
{
	return workers->n;
}

bool workers_take_turns(const struct workers *workers)
{
	return workers->noted[0] != NULL;
}

/* The harness, too, waits for its turn among the workers; counts that grew for a while under its eyes are
 * of no time, and are read again. */
uint64_t workers_note(struct workers *workers, bool at_end)
{
	const uint64_t glance_ns = GLANCE_NS + workers->n * GLANCE_EACH_NS;
	uint64_t *noted = workers->noted[at_end];
	uint64_t before_ns = clock_monotonic_ns();
	for (unsigned tries = 0; noted && tries < GLANCES_MAX; tries++) {
		for (unsigned i = 0; i < workers->n; i++)
			noted[i] = atomic_load_explicit(&workers->area->slots[i].operations,
							memory_order_relaxed);
		const uint64_t after_ns = clock_monotonic_ns();
		if (after_ns - before_ns <= glance_ns)
			return before_ns + (after_ns - before_ns) / 2;
		before_ns = clock_monotonic_ns();
	}
	return before_ns;
}

uint64_t workers_noted(const struct workers *workers, unsigned index)
{
	assert(workers_take_turns(workers) && index < workers->n);
	assert(workers->noted[1][index] >= workers->noted[0][index]);
	return workers->noted[1][index] - workers->noted[0][index];
}

const struct slot *workers_slot(const struct workers *workers, unsigned index)
{
	assert(index < workers->n);
	return &workers->area->slots[index];
}

static unsigned count_in_state(const struct workers *workers, enum slot_state state)
{
	unsigned count = 0;
	for (unsigned i = 0; i < workers->n; i++)
		count += slot_state(&workers->area->slots[i]) == state;
	return count;
}

static int late(const struct workers *workers, enum slot_state reached, const char *verb,
		struct error *err)
{
	return error_set(err, ETIMEDOUT, "hung: no end after %g s (%u of %u workers had %s)",
			 clock_seconds(workers->plan->time_limit_ns),
			 count_in_state(workers, reached), workers->n, verb);
}

/* ---- noticing failures ---- */

/* "worker 3", or "worker 3 of instance 1" when there are several. */
static void name_worker(const struct workers *workers, unsigned index, char buffer[static 64])
{
	if (workers->plan->n_works == 1)
		(void)snprintf(buffer, 64, "worker %u", index);
	else
		(void)snprintf(buffer, 64, "worker %u of instance %u", index % workers->n_each,
			       index / workers->n_each);
}

static int told_failure(const struct workers *workers, unsigned index, struct error *err)
{
	char name[64];
	const struct slot *slot = &workers->area->slots[index];
	name_worker(workers, index, name);
	return error_set(err, -slot->code, "%s: %s", name, slot->reason);
}

/* A worker process has ended. `early`: whatever its exit, it should not have. */
static int judge_exit(const struct workers *workers, unsigned index, int status, bool early,
		      struct error *err)
{
	if (slot_state(&workers->area->slots[index]) == SLOT_FAILED)
		return told_failure(workers, index, err);
	if (status == 0 && !early)
		return 0;
	char name[64];
	char how[64];
	name_worker(workers, index, name);
	spawn_status_show(status, how, sizeof(how));
	return error_set(err, ECHILD, "%s %s: %s", name,
			 WIFSIGNALED(status) ? "was killed" : "ended early", how);
}

/* Reaps all processes that have ended, workers or orphans that came to us. */
static int look_at_processes(struct workers *workers, bool early, struct error *err)
{
	int status = 0;
	pid_t pid;
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		unsigned index;
		if (!roll_strike(workers->roll, pid, &index))
			continue;
		workers->ended++;
		const int failed = judge_exit(workers, index, status, early, err);
		if (failed)
			return failed;
	}
	return 0;
}

static int look_at_threads(const struct workers *workers, struct error *err)
{
	for (unsigned i = 0; i < workers->made; i++)
		if (slot_state(&workers->area->slots[i]) == SLOT_FAILED)
			return told_failure(workers, i, err);
	return 0;
}

static int look(struct workers *workers, bool early, struct error *err)
{
	return workers->threads ? look_at_threads(workers, err)
				: look_at_processes(workers, early, err);
}

/* Waits until all have told through the ready pipe. */
static int await_told(struct workers *workers, enum slot_state state, const char *verb,
		      struct error *err)
{
	for (unsigned told = 0; told < workers->n;) {
		told += barrier_listen(workers->barrier.ready[0], workers->deadline_ns);
		/* All have told: one that dies from now on is noticed by the next wait. */
		if (told == workers->n)
			break;
		const int failed = look(workers, /* early= */ true, err);
		if (failed)
			return failed;
		if (clock_monotonic_ns() >= workers->deadline_ns)
			return late(workers, state, verb, err);
	}
	return 0;
}

/* ---- creation ---- */

static int make_process(struct workers *workers, unsigned index, struct error *err)
{
	const pid_t pid = fork();
	if (pid == 0)
		worker_process(&workers->tasks[index]);
	if (pid < 0)
		return error_errno(err, errno, "cannot fork worker %u of %u", index, workers->n);
	roll_enter(workers->roll, pid, index);
	return 0;
}

/* A stack of what the workload asks for, but at least what this libc and this build can live with. */
static size_t stack_bytes(const struct workload *row)
{
	const long least = sysconf(_SC_THREAD_STACK_MIN);
	size_t bytes = row->stack_bytes;
	if (bytes < (size_t)(least > 0 ? least : PTHREAD_STACK_MIN))
		bytes = (size_t)(least > 0 ? least : PTHREAD_STACK_MIN);
	if (bytes < PROBE_STACK_BYTES_MIN)
		bytes = PROBE_STACK_BYTES_MIN;
	return bytes;
}

static int make_thread(struct workers *workers, unsigned index, struct error *err)
{
	pthread_attr_t attributes;
	int code = pthread_attr_init(&attributes);
	if (!code && workers->row->stack_bytes)
		code = pthread_attr_setstacksize(&attributes, stack_bytes(workers->row));
	if (!code)
		code = pthread_create(&workers->threads[index], &attributes, worker_thread,
				      &workers->tasks[index]);
	(void)pthread_attr_destroy(&attributes);
	if (code)
		return error_errno(err, code, "cannot create worker thread %u of %u", index,
				   workers->n);
	return 0;
}

static int make_one(struct workers *workers, struct work *work, unsigned index, struct error *err)
{
	const struct workload *row = workers->row;
	const unsigned slot = workers->made;
	int failed = row->before_worker ? row->before_worker(work, index, err) : 0;
	if (failed)
		return failed;
	workers->tasks[slot] = (struct worker_task) {
		.work = work,
		.area = workers->area,
		.barrier = &workers->barrier,
		.harness = pthread_self(),
		.index = index,
		.slot = slot,
	};
	failed = workers->threads ? make_thread(workers, slot, err)
				  : make_process(workers, slot, err);
	if (failed)
		return failed;
	workers->made++;
	if (row->after_worker)
		row->after_worker(work, index);
	return 0;
}

/* Makes the workers of one copy, which the harness is bound to the place of. */
static int make_copy(struct workers *workers, unsigned copy, struct error *err)
{
	const unsigned before = instances_before(workers->plan->instances, copy) * workers->n_each;
	struct work *work = workers->plan->works[copy];
	AUTO(pin) struct pin *pin = NULL;
	int failed = pin_new(work_pin(work), &pin, err);
	for (unsigned i = 0; !failed && i < workers->n_each; i++) {
		failed = pin_set(pin, before + i, err);
		if (!failed)
			failed = make_one(workers, work, i, err);
	}
	pin_restore(pin);
	return failed;
}

int workers_start(struct workers *workers, struct error *err)
{
	int failed = 0;
	for (unsigned copy = 0; !failed && copy < workers->plan->n_works; copy++) {
		failed = instances_bind(workers->plan->instances, copy, err);
		if (!failed)
			failed = make_copy(workers, copy, err);
		instances_release(workers->plan->instances);
	}
	if (failed)
		return failed;
	return await_told(workers, SLOT_READY, "reached the start barrier", err);
}

/* ---- the measured part ---- */

void workers_release(struct workers *workers)
{
	barrier_open_wake(&workers->barrier);
}

void workers_tell(struct workers *workers, enum phase phase)
{
	atomic_store_explicit(&workers->area->phase, (int)phase, memory_order_release);
}

int workers_watch(struct workers *workers, uint64_t until_ns, struct error *err)
{
	const uint64_t end = until_ns < workers->deadline_ns ? until_ns : workers->deadline_ns;
	do {
		(void)barrier_listen(/* fd= */ -1, end);
		const int failed = look(workers, /* early= */ true, err);
		if (failed)
			return failed;
	} while (clock_monotonic_ns() < end);
	return end < until_ns ? late(workers, SLOT_FINISHED, "finished", err) : 0;
}

int workers_await_still(struct workers *workers, struct error *err)
{
	return await_told(workers, SLOT_FINISHED, "finished", err);
}

void workers_dismiss(struct workers *workers)
{
	barrier_open_finish(&workers->barrier);
}

static int reap_processes(struct workers *workers, struct error *err)
{
	for (;;) {
		const int failed = look_at_processes(workers, /* early= */ false, err);
		if (failed)
			return failed;
		if (workers->ended == workers->n)
			return 0;
		if (clock_monotonic_ns() >= workers->deadline_ns)
			return late(workers, SLOT_FINISHED, "finished", err);
		(void)barrier_listen(/* fd= */ -1, workers->deadline_ns);
	}
}

/* Joins the next thread; 0, or ETIMEDOUT after `patience_ns`. By the wall clock, since thread checkers do
 * not know the call that takes another; were that clock set back meanwhile, a hang would be noticed
 * late here and in time by the supervisor. */
static int join_next(struct workers *workers, uint64_t patience_ns)
{
	const uint64_t until_ns = clock_wall_ns() + patience_ns;
	const struct timespec until = { .tv_sec = (time_t)(until_ns / NS_PER_SEC),
					.tv_nsec = (long)(until_ns % NS_PER_SEC) };
	const int code = pthread_timedjoin_np(workers->threads[workers->ended],
					      /* ret_value= */ NULL, &until);
	if (!code)
		workers->ended++;
	return code;
}

static int join_threads(struct workers *workers, struct error *err)
{
	while (workers->ended < workers->n) {
		const uint64_t now = clock_monotonic_ns();
		const uint64_t left = workers->deadline_ns > now ? workers->deadline_ns - now : 0;
		if (join_next(workers, left < JOIN_SLICE_NS ? left : JOIN_SLICE_NS) == 0)
			continue;
		const int failed = look_at_threads(workers, err);
		if (failed)
			return failed;
		if (clock_monotonic_ns() >= workers->deadline_ns)
			return late(workers, SLOT_FINISHED, "finished", err);
	}
	return look_at_threads(workers, err);
}

int workers_reap(struct workers *workers, struct error *err)
{
	assert(workers->made == workers->n);
	return workers->threads ? join_threads(workers, err) : reap_processes(workers, err);
}

/* ---- after a failure ---- */

/* Threads cannot be killed. Those in a loop stop when they are told; those that hang, or wait in a
 * batch for one that failed, remain. */
static bool stop_threads(struct workers *workers)
{
	if (workers->row->shape == WORK_LOOP) {
		workers_tell(workers, PHASE_STOP);
		barrier_open_wake(&workers->barrier);
		barrier_open_finish(&workers->barrier);
	}
	while (workers->ended < workers->made)
		if (join_next(workers, KILL_PATIENCE_NS) != 0)
			return false;
	return true;
}

bool workers_kill(struct workers *workers)
{
	if (workers->threads)
		return stop_threads(workers);
	roll_kill(workers->roll);
	while (workers->ended < workers->made) {
		const pid_t pid = waitpid(-1, /* status= */ NULL, 0);
		unsigned index;
		if (pid < 0 && errno != EINTR)
			break;
		if (pid > 0 && roll_strike(workers->roll, pid, &index))
			workers->ended++;
	}
	return true;
}
