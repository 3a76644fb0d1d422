/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whole runs, and what happens inside the measured window: the linker sends every call of the allocator,
 * of open and of the phase marks through the functions below, which count in shared memory.
 */
#include "probe/harness.h"

#include "base/clock.h"
#include "base/fs.h"
#include "check.h"
#include "fake.h"
#include "record/wire.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/mman.h>

/* ---- counting calls inside the window ---- */

struct counts {
	_Atomic int in_window;
	_Atomic unsigned in_window_calls;
	_Atomic unsigned all_calls;
	_Atomic unsigned marks;
	pid_t reader; /* The test itself reads the stream meanwhile, and may allocate. */
};

/* Shared with the harness, which is a child. */
static struct counts *counts;

static void count(void)
{
	if (!counts || getpid() == counts->reader)
		return;
	atomic_fetch_add(&counts->all_calls, 1);
	if (atomic_load(&counts->in_window))
		atomic_fetch_add(&counts->in_window_calls, 1);
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
int __real_open(const char *path, int flags, ...);
int __real_openat(int directory, const char *path, int flags, ...);
int __real_wire_phase(struct wire *wire, enum phase phase, uint64_t at_ns);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *block, size_t size);
void __wrap_free(void *block);
int __wrap_open(const char *path, int flags, unsigned mode);
int __wrap_openat(int directory, const char *path, int flags, unsigned mode);
int __wrap_wire_phase(struct wire *wire, enum phase phase, uint64_t at_ns);

void *__wrap_malloc(size_t size)
{
	count();
	return __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	count();
	return __real_calloc(n, size);
}

void *__wrap_realloc(void *block, size_t size)
{
	count();
	return __real_realloc(block, size);
}

void __wrap_free(void *block)
{
	count();
	__real_free(block);
}

int __wrap_open(const char *path, int flags, unsigned mode)
{
	count();
	return __real_open(path, flags, mode);
}

int __wrap_openat(int directory, const char *path, int flags, unsigned mode)
{
	count();
	return __real_openat(directory, path, flags, mode);
}

/* The frame of MEASURE is written just before the release, that of STOP after the last sample. */
int __wrap_wire_phase(struct wire *wire, enum phase phase, uint64_t at_ns)
{
	if (counts) {
		atomic_fetch_add(&counts->marks, 1);
		atomic_store(&counts->in_window, phase == PHASE_MEASURE);
	}
	return __real_wire_phase(wire, phase, at_ns);
}

static const struct monitor *const two_monitors[] = { &fake_monitor, &fake_edges_monitor };

static struct run *run_of(const struct workload *row, const char *const *settings)
{
	struct work *work = fake_work(row, settings);
	struct plan plan = fake_plan(&work);
	plan.monitors = two_monitors;
	plan.n_monitors = 2;
	plan.interval_ns = 10 * NS_PER_MS;
	struct run *run = fake_run(&plan, /* signal_number= */ 0);
	work_free(work);
	CHECK(run);
	return run;
}

static void check_quiet_window(const struct workload *row, const char *const *settings)
{
	*counts = (struct counts) { .reader = getpid() };
	struct run *run = run_of(row, settings);
	CHECK_INT(run->outcome, RUN_COMPLETE);
	CHECK(run->series[0].n_samples >= 3); /* The sampling thread did work inside. */
	CHECK(counts->marks >= 4);
	CHECK(counts->all_calls > 0); /* The counting itself works. */
	CHECK_INT(counts->in_window_calls, 0);
	run_free(run);
}

static void nothing_is_allocated_or_opened_inside_the_window(void **state)
{
	(void)state;
	counts = mmap(NULL, sizeof(*counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	CHECK(counts != MAP_FAILED);
	const char *const loop_processes[] = { "nr_task=2", "warmup=0.05", "duration=0.2", NULL };
	const char *const loop_threads[] = { "mode=thread", "nr_task=2", "warmup=0.05",
					     "duration=0.2", NULL };
	const char *const fixed_processes[] = { "nr_task=3", "how=slow", NULL };
	const char *const fixed_threads[] = { "mode=thread", "nr_task=3", "how=slow", NULL };
	check_quiet_window(&fake_loop, loop_processes);
	check_quiet_window(&fake_loop, loop_threads);
	check_quiet_window(&fake_fixed, fixed_processes);
	check_quiet_window(&fake_fixed, fixed_threads);
	(void)munmap(counts, sizeof(*counts));
	counts = NULL;
}

static void nor_by_any_monitor_of_the_table(void **state)
{
	(void)state;
	const char *const settings[] = { "nr_task=2", "warmup=0", "duration=0.3", NULL };
	struct work *work = fake_work(&fake_loop, settings);
	struct plan plan = fake_plan(&work);
	struct error err = { 0 };
	plan.root_fd = fs_root_open("/", &err);
	CHECK(plan.root_fd >= 0);
	plan.monitors = monitor_table;
	plan.n_monitors = monitor_table_count;
	plan.interval_ns = 20 * NS_PER_MS;
	counts = mmap(NULL, sizeof(*counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	CHECK(counts != MAP_FAILED);
	counts->reader = getpid();
	struct run *run = fake_run(&plan, /* signal_number= */ 0);
	CHECK(run);
	CHECK_INT(run->outcome, RUN_COMPLETE);
	CHECK(run->n_series >= 2);
	CHECK(counts->all_calls > 0);
	CHECK_INT(counts->in_window_calls, 0);
	run_free(run);
	(void)munmap(counts, sizeof(*counts));
	counts = NULL;
	(void)close(plan.root_fd);
	work_free(work);
}

/* ---- whole runs ---- */

static void check_loop(const char *mode, const char *has, const char *has_not)
{
	const char *const settings[] = { mode, "nr_task=2", "warmup=0.1", "duration=0.3", NULL };
	struct run *run = run_of(&fake_loop, settings);
	CHECK_INT(run->outcome, RUN_COMPLETE);
	CHECK_TEXT(run->workload, "fake-loop");
	for (unsigned i = 1; i < PHASE_COUNT; i++)
		CHECK(run->phase_ns[i] >= run->phase_ns[i - 1] && run->phase_ns[i] > 0);
	CHECK(run->phase_ns[PHASE_MEASURE] - run->phase_ns[PHASE_WARMUP] >= 100 * NS_PER_MS);
	CHECK(run->phase_ns[PHASE_STOP] - run->phase_ns[PHASE_MEASURE] >= 300 * NS_PER_MS);
	CHECK_INT(run->n_workers, 2);
	for (unsigned i = 0; i < 2; i++) {
		CHECK(run->workers[i].operations > 0);
		CHECK_INT(run->workers[i].operations % 100, 0);
		CHECK(run->workers[i].elapsed_ns > 0);
		/* It sleeps at least a millisecond for each hundred. */
		CHECK(run->workers[i].operations / 100 <=
		      run->workers[i].elapsed_ns / NS_PER_MS + 1);
	}
	const struct measured *score = run_metric_find(run, has);
	const struct measured *other = run_metric_find(run, has_not);
	CHECK(score && value_is_known(score->value) && score->value.number > 0);
	CHECK(other && other->value.state == VALUE_NOT_APPLICABLE);
	CHECK_INT(run->series[1].n_samples, 2);
	run_free(run);
}

static void a_loop_of_processes_is_measured(void **state)
{
	(void)state;
	check_loop("mode=process", "will-it-scale.per_process_ops", "will-it-scale.per_thread_ops");
}

static void a_loop_of_threads_is_measured(void **state)
{
	(void)state;
	check_loop("mode=thread", "will-it-scale.per_thread_ops", "will-it-scale.per_process_ops");
}

static void check_fixed(const char *mode)
{
	const char *const settings[] = { mode, "nr_task=3", "how=slow", NULL };
	struct run *run = run_of(&fake_fixed, settings);
	CHECK_INT(run->outcome, RUN_COMPLETE);
	CHECK_INT(run->phase_ns[PHASE_WARMUP], 0);
	CHECK_INT(run->n_workers, 3);
	for (unsigned i = 0; i < 3; i++)
		CHECK_INT(run->workers[i].operations, 7);
	const struct measured *score = run_metric_find(run, "fake-fixed.time_sec");
	CHECK(score && value_is_known(score->value));
	/* The slow worker sleeps 0.4 s; the window as marked holds the score's. */
	CHECK(score->value.number >= 0.4);
	CHECK(score->value.number <= run_window_seconds(run).number);
	/* What prepare stored is there for the score, and released after it. */
	const struct measured *prepared = run_metric_find(run, "fake-fixed.prepared");
	CHECK(prepared && value_is_known(prepared->value));
	CHECK_NEAR(prepared->value.number, 100, 0);
	run_free(run);
}

static void the_time_of_a_fixed_amount_lasts_until_the_last_has_ended(void **state)
{
	(void)state;
	check_fixed("mode=process");
	check_fixed("mode=thread");
}

static void an_unsupported_workload_is_told_apart_from_a_failed_one(void **state)
{
	(void)state;
	const char *const unsupported[] = { "how=unsupported", NULL };
	struct run *run = run_of(&fake_fixed, unsupported);
	CHECK_INT(run->outcome, RUN_UNSUPPORTED);
	CHECK_TEXT(run->reason, "planted: this machine has no such thing");
	CHECK_INT(run->phase_ns[PHASE_MEASURE], 0);
	run_free(run);
	const char *const failing[] = { "how=fail", NULL };
	run = run_of(&fake_fixed, failing);
	CHECK_INT(run->outcome, RUN_FAILED);
	CHECK_TEXT(run->reason, "worker 1: planted: batch failed");
	const struct measured *score = run_metric_find(run, "fake-fixed.time_sec");
	CHECK(score);
	CHECK_INT(score->value.state, VALUE_MISSING);
	run_free(run);
}

static void a_dying_worker_ends_a_loop_long_before_its_time(void **state)
{
	(void)state;
	const char *const settings[] = { "nr_task=2", "how=die", "duration=15", NULL };
	const uint64_t begin_ns = clock_monotonic_ns();
	struct run *run = run_of(&fake_loop, settings);
	CHECK(clock_monotonic_ns() - begin_ns < 10 * NS_PER_SEC);
	CHECK_INT(run->outcome, RUN_FAILED);
	CHECK_TEXT(run->reason, "worker 1 was killed: signal 9 (Killed)");
	run_free(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_allocated_or_opened_inside_the_window),
		cmocka_unit_test(nor_by_any_monitor_of_the_table),
		cmocka_unit_test(a_loop_of_processes_is_measured),
		cmocka_unit_test(a_loop_of_threads_is_measured),
		cmocka_unit_test(the_time_of_a_fixed_amount_lasts_until_the_last_has_ended),
		cmocka_unit_test(an_unsupported_workload_is_told_apart_from_a_failed_one),
		cmocka_unit_test(a_dying_worker_ends_a_loop_long_before_its_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
