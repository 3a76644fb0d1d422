/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf bench futex wake: threads block on one futex, and another wakes them all, some a call. The
 * time of the waking is the score: the hash bucket's lock and its list, the wake queue, and for each
 * thread the scheduler's wake-up, which sends an interrupt where the thread's CPU is another and
 * idle. One operation is one thread woken. What the threads do after that is not waited for.
 *
 * perf's threads are new in each repeat and end inside the time, beside the waker; these come back, so
 * that the waking alone is left, and the times are shorter than perf's (assay-workload(7)).
 * Two futexes take turns, so that a thread which is back for the next round cannot be woken twice in
 * one.
 *
 * The number lies when a thread is not blocked yet as the waking begins (wake_calls is then above
 * threads / wakes; wait longer, settle_ms), when woken threads take the waker's CPU from it (more
 * threads than CPUs, or all on one), and by deep idle states, whose exit is paid by the CPU that is
 * woken but whose interrupt is paid by the waker.
 */
#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"
#include "workload/workload.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/syscall.h>

#define LINE_BYTES 128 /* A pair: the prefetcher fetches them so. */
#define FUTEXES 2
#define POLL_NS NS_PER_MS

/* Threads share it; the waiters write `arrived` only, and outside the time that is taken. */
struct bench {
	_Alignas(LINE_BYTES) _Atomic uint32_t words[FUTEXES]; /* 0; 1 = give up. */
	_Alignas(LINE_BYTES) _Atomic uint64_t arrived;
	uint64_t threads;
	uint64_t repeats;
	uint64_t settle_ns;
	int wakes;
	int private_flag; /* FUTEX_PRIVATE_FLAG or 0. */

	/* The waker's, over its repeats. */
	double sum_ms;
	double sum_squares_ms;
	uint64_t calls;
};

static unsigned count(const struct work *work)
{
	return (unsigned)work_number(work, "threads") + 1;
}

static int prepare(struct work *work, struct error *err)
{
	struct bench *bench = aligned_alloc(LINE_BYTES, sizeof(*bench));
	if (!bench)
		return error_errno(err, ENOMEM, "cannot allocate the futexes");
	*bench = (struct bench) {
		.threads = work_number(work, "threads"),
		.repeats = work_number(work, "repeats"),
		.settle_ns = work_number(work, "settle_ms") * NS_PER_MS,
		.wakes = (int)work_number(work, "wakes"),
		.private_flag =
			text_equal(work_word(work, "futex"), "private") ? FUTEX_PRIVATE_FLAG : 0,
	};
	work_share(work, bench);
	return 0;
}

static void retire(struct work *work)
{
	free(work_shared(work));
	work_share(work, /* shared= */ NULL);
}

/* What FUTEX_WAKE and FUTEX_WAIT return, or -errno. */
static long futex(struct bench *bench, uint64_t repeat, int operation, int value)
{
	const long done = syscall(SYS_futex, &bench->words[repeat % FUTEXES],
				  operation | bench->private_flag, value, NULL, NULL, 0);
	return done < 0 ? -errno : done;
}

static int64_t wait_all(struct bench *bench)
{
	for (uint64_t repeat = 0; repeat < bench->repeats; repeat++) {
		(void)atomic_fetch_add(&bench->arrived, 1);
		long done;
		do
			done = futex(bench, repeat, FUTEX_WAIT, 0);
		while (done == -EINTR);
		if (done < 0)
			return done; /* -EAGAIN: the waker has failed and says why. */
	}
	return 0;
}

/* Wakes until all have been woken; 0 or -errno. */
static int wake_round(struct bench *bench, uint64_t repeat)
{
	const uint64_t begin_ns = clock_monotonic_ns();
	for (uint64_t woken = 0; woken < bench->threads;) {
		const long done = futex(bench, repeat, FUTEX_WAKE, bench->wakes);
		if (done < 0)
			return (int)done;
		woken += (uint64_t)done;
		bench->calls++;
		assert(woken <= bench->threads);
	}
	const double ms = (double)(clock_monotonic_ns() - begin_ns) / (double)NS_PER_MS;
	bench->sum_ms += ms;
	bench->sum_squares_ms += ms * ms;
	return 0;
}

static void release_all(struct bench *bench)
{
	for (uint64_t i = 0; i < FUTEXES; i++) {
		atomic_store(&bench->words[i], 1);
		(void)futex(bench, i, FUTEX_WAKE, INT_MAX); /* We are failing already. */
	}
}

static int64_t wake_all(struct bench *bench)
{
	for (uint64_t repeat = 0; repeat < bench->repeats; repeat++) {
		while (atomic_load(&bench->arrived) < bench->threads * (repeat + 1))
			clock_sleep_until_ns(clock_monotonic_ns() + POLL_NS);
		/* The last to arrive have yet to block. */
		clock_sleep_until_ns(clock_monotonic_ns() + bench->settle_ns);
		const int failed = wake_round(bench, repeat);
		if (failed) {
			release_all(bench);
			return failed;
		}
	}
	return (int64_t)(bench->threads * bench->repeats);
}

/* The last worker wakes the others, so that the i-th waiter is bound to the i-th CPU. */
static int64_t batch(struct worker_self *self)
{
	struct bench *bench = work_shared(self->work);
	const bool waker = self->index == bench->threads;
	const int64_t done = waker ? wake_all(bench) : wait_all(bench);
	return done < 0 ? error_errno(&self->err, (int)-done, "futex of the %s",
				      waker ? "waker" : "waiters")
			: done;
}

static void score(const struct work *work, const struct tally *tally, struct value *ret_values)
{
	const struct bench *bench = work_shared(work);
	const double n = (double)bench->repeats;
	const double mean = bench->sum_ms / n;
	(void)tally;
	/* Rounding can leave a variance of 0 below it. */
	const double variance =
		bench->repeats > 1 ? fmax(0, (bench->sum_squares_ms - n * mean * mean) / (n - 1))
				   : 0;
	ret_values[0] = value_known(mean);
	ret_values[1] = value_known(mean * (double)NS_PER_MS / (double)bench->threads);
	ret_values[2] = bench->repeats > 1 ? value_known(sqrt(variance)) : value_not_applicable();
	ret_values[3] = value_known((double)bench->calls / n);
}

static const struct parameter parameters[] = {
	{
		.name = "threads",
		.alias = "t",
		.what = "threads that wait and are woken",
		.type = PARAMETER_NUMBER,
		.preset = "100%",
		.min = 1,
		.max = 16383,
		.percent_of_cpus = true,
	},
	{
		.name = "wakes",
		.alias = "w",
		.what = "threads to wake by one call, at most",
		.type = PARAMETER_NUMBER,
		.preset = "1",
		.min = 1,
		.max = 16383,
	},
	{
		.name = "futex",
		.what = "the futex's key is private to the process, or shared (-S)",
		.type = PARAMETER_WORD,
		.preset = "private",
		.words = "private shared",
	},
	{
		.name = "repeats",
		.alias = "r",
		.what = "times that all are woken",
		.type = PARAMETER_NUMBER,
		.preset = "10",
		.min = 1,
		.max = 1000000,
	},
	{
		.name = "settle_ms",
		.what = "milliseconds between the last thread's arrival and the waking",
		.type = PARAMETER_NUMBER,
		.preset = "100",
		.min = 0,
		.max = 60000,
	},
	{
		.name = "mode",
		.what = "tasks are threads",
		.type = PARAMETER_WORD,
		.preset = "thread",
		.words = "thread",
	},
	{
		.name = "pin",
		.what = "bind waiter i to the i-th core, the i-th CPU, or not at all; the waker is the last",
		.type = PARAMETER_WORD,
		.preset = "cpu",
		.words = "core cpu none",
	},
	{ 0 },
};

static const struct metric metrics[] = {
	{
		.name = "futex-wake.wake_ms",
		.unit = "ms",
		.kind = METRIC_SCORE,
		.better = BETTER_LOWER,
		.role = ROLE_SCORE,
		.what = "time to wake all threads once, mean over the repeats",
	},
	{
		.name = "futex-wake.ns_per_thread",
		.unit = "ns",
		.kind = METRIC_SCORE,
		.better = BETTER_LOWER,
		.role = ROLE_RESTATED,
		.what = "the same by the number of threads",
	},
	{
		.name = "futex-wake.wake_ms_stddev",
		.unit = "ms",
		.kind = METRIC_SCORE,
		.better = BETTER_LOWER,
		.role = ROLE_EVIDENCE,
		.what = "standard deviation of the repeats' times",
	},
	{
		.name = "futex-wake.wake_calls",
		.unit = "1",
		.kind = METRIC_SCORE,
		.better = BETTER_NONE,
		.role = ROLE_EVIDENCE,
		.what = "calls of FUTEX_WAKE a repeat; above threads / wakes some were not blocked yet",
	},
	{ 0 },
};

const struct workload workload_futex_wake = {
	.about = {
		.name = "futex-wake",
		.what = "perf bench futex wake: one thread wakes all others, which wait on one futex",
		.stands = "FUTEX_WAKE: hash bucket, wake queue, and the scheduler's wake-ups",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 1,
	},
	.shape = WORK_FIXED,
	.count = count,
	.prepare = prepare,
	.batch = batch,
	.score = score,
	.retire = retire,
};
