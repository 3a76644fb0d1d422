/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two tasks and two pipes of 4-byte messages, both write then read: a task finds the other's message
 * there already or waits once, so an operation costs one voluntary context switch where perf-pipe
 * pays two switches (a wake-up that preempts the writer adds to it). This is `perf bench sched pipe`
 * since perf 6.15; the name says that it must never be compared with a result of an older perf,
 * which is perf-pipe here. One operation is one message each way.
 *
 * perf takes its first time before it makes the second task; here both tasks stand at the barrier
 * when the time begins, so making a task is not part of the score (microseconds of seconds).
 *
 * The number lies by placement even more than perf-pipe's: on two CPUs the tasks may run for long
 * stretches without any switch. Bind it (pin=cpu, or a prefix that leaves one CPU) when the sides are
 * to be compared.
 */
#include "base/clock.h"
#include "base/mem.h"
#include "workload/workload.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define TASKS 2

/* Worker i reads from pipe i and writes into the other one. Descriptors are -1 when closed. */
struct pipes {
	int fds[TASKS][2]; /* Read end, write end. */
};

static unsigned count(const struct work *work)
{
	return TASKS;
}

static void shut(int *fd)
{
	if (*fd >= 0)
		(void)close(*fd); /* Our own pipe; nothing can be lost. */
	*fd = -1;
}

static void shut_all(struct pipes *pipes)
{
	for (int i = 0; i < TASKS; i++) {
		shut(&pipes->fds[i][0]);
		shut(&pipes->fds[i][1]);
	}
}

static void retire(struct work *work)
{
	struct pipes *pipes = work_shared(work);
	if (pipes)
		shut_all(pipes);
	free(pipes);
	work_share(work, /* shared= */ NULL);
}

static int prepare(struct work *work, struct error *err)
{
	struct pipes *pipes = mem_zero(sizeof(*pipes));
	*pipes = (struct pipes) { { { -1, -1 }, { -1, -1 } } };
	work_share(work, pipes);
	for (int i = 0; i < TASKS; i++)
		if (pipe2(pipes->fds[i], O_CLOEXEC) < 0) {
			const int code = errno;
			retire(work);
			return error_errno(err, code, "cannot make a pipe");
		}
	return 0;
}

/* Processes keep only their own two ends, so that the end of one is seen by the other. */
static void after_worker(struct work *work, unsigned index)
{
	if (index == TASKS - 1 && !work_has_threads(work))
		shut_all(work_shared(work));
}

static int enter(struct worker_self *self, struct error *err)
{
	if (work_has_threads(self->work))
		return 0;
	struct pipes *pipes = work_shared(self->work);
	shut(&pipes->fds[self->index][1]);
	shut(&pipes->fds[1 - self->index][0]);
	return 0;
}

/* One message; 0 or -errno, -EPIPE when the other task is gone. Four bytes are never split. */
static int send_one(int fd)
{
	const int32_t message = 0;
	ssize_t done;
	do
		done = write(fd, &message, sizeof(message));
	while (done < 0 && errno == EINTR);
	return done == (ssize_t)sizeof(message) ? 0 : done < 0 ? -errno : -EIO;
}

static int receive_one(int fd)
{
	int32_t message;
	ssize_t done;
	do
		done = read(fd, &message, sizeof(message));
	while (done < 0 && errno == EINTR);
	return done == (ssize_t)sizeof(message) ? 0 : done < 0 ? -errno : -EPIPE;
}

/* The whole job of one task. Operations are counted by the first worker only. */
static int64_t batch(struct worker_self *self)
{
	const struct pipes *pipes = work_shared(self->work);
	const int from = pipes->fds[self->index][0];
	const int to = pipes->fds[1 - self->index][1];
	const uint64_t loops = work_number(self->work, "loops");
	uint64_t done = 0;
	int failed = 0;
	for (; done < loops && !failed; done++) {
		failed = send_one(to);
		if (!failed)
			failed = receive_one(from);
	}
	if (failed)
		return error_errno(&self->err, -failed, "message %llu of task %u",
				   (unsigned long long)done, self->index);
	return self->index == 0 ? (int64_t)loops : 0;
}

static void score(const struct work *work, const struct tally *tally, struct value *ret_values)
{
	const uint64_t loops = work_number(work, "loops");
	const double us = (double)tally->elapsed_ns / (double)NS_PER_US;
	ret_values[0] = value_known(us / (double)loops);
	ret_values[1] = tally->elapsed_ns
				? value_known((double)loops / clock_seconds(tally->elapsed_ns))
				: value_missing(MISSING_MALFORMED);
}

static const struct parameter parameters[] = {
	{
		.name = "loops",
		.alias = "l",
		.what = "operations of a run",
		.type = PARAMETER_NUMBER,
		.preset = "1000000",
		.min = 1,
		.max = 1000000000000,
	},
	{
		.name = "mode",
		.what = "tasks are processes or threads",
		.type = PARAMETER_WORD,
		.preset = "process",
		.words = "process thread",
	},
	{
		.name = "pin",
		.what = "bind task i to the i-th core, the i-th CPU, or not at all",
		.type = PARAMETER_WORD,
		.preset = "none",
		.words = "core cpu none",
	},
	{ 0 },
};

static const struct metric metrics[] = {
	{
		.name = "perf-pipe-both-write.usecs_per_op",
		.unit = "us",
		.kind = METRIC_SCORE,
		.better = BETTER_LOWER,
		.role = ROLE_SCORE,
		.what = "elapsed time by operations",
	},
	{
		.name = "perf-pipe-both-write.ops_per_sec",
		.unit = "ops/s",
		.kind = METRIC_SCORE,
		.better = BETTER_HIGHER,
		.role = ROLE_RESTATED,
		.what = "operations by elapsed time",
	},
	{ 0 },
};

const struct workload workload_perf_pipe_both_write = {
	.about = {
		.name = "perf-pipe-both-write",
		.what = "4 bytes both ways between two tasks that both write first (perf bench sched pipe since 6.15)",
		.stands = "pipe transfer and wake-up between two tasks that run ahead of each other",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 1,
	},
	.shape = WORK_FIXED,
	.count = count,
	.prepare = prepare,
	.after_worker = after_worker,
	.enter = enter,
	.batch = batch,
	.score = score,
	.retire = retire,
};
