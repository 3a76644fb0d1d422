/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A byte goes to a partner task through one pipe and comes back through another: wake-up, switch
 * to the partner, wake-up, switch back. Two operations a round. The partner is made by the worker,
 * is a process or a thread as the worker is, and inherits its binding to a CPU, so that with the
 * preset each round is two switches on one CPU.
 *
 * The number lies without the binding (pin=none): on two CPUs each task switches with the idle task
 * only, and the rate is that of leaving idle and of interrupts between CPUs.
 */
#include "base/auto.h"
#include "base/mem.h"
#include "workload/workload.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/prctl.h>
#include <sys/wait.h>

#define BATCH_ROUNDS 64

/* The two pipes and the partner; descriptors are -1 when closed. */
struct pair {
	int to_partner[2];   /* Read end, write end. */
	int from_partner[2]; /* Read end, write end. */
	pid_t process;       /* 0 when the partner is a thread. */
	pthread_t thread;
};

static void shut(int *fd)
{
	if (*fd >= 0)
		(void)close(*fd); /* Our own pipe; nothing can be lost. */
	*fd = -1;
}

/* 0, or -errno; -EPIPE when the other side is gone. */
static int pass_on(int fd, char *byte)
{
	ssize_t count;
	do
		count = write(fd, byte, 1);
	while (count < 0 && errno == EINTR);
	return count == 1 ? 0 : -errno;
}

static int take(int fd, char *byte)
{
	ssize_t count;
	do
		count = read(fd, byte, 1);
	while (count < 0 && errno == EINTR);
	if (count == 1)
		return 0;
	return count == 0 ? -EPIPE : -errno;
}

/* The partner sends every byte back until the worker closes its write end. */
static void *answer(void *argument)
{
	const struct pair *pair = argument;
	const int from = pair->to_partner[0];
	const int to = pair->from_partner[1];
	char byte;
	while (take(from, &byte) == 0 && pass_on(to, &byte) == 0)
		;
	return NULL;
}

static int start_process(struct pair *pair, struct error *err)
{
	const pid_t worker = getpid();
	const pid_t process = fork();
	if (process < 0)
		return error_errno(err, errno, "cannot fork the partner");
	if (process == 0) {
		/* A killed worker takes its partner along; it may have been killed before this. */
		if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != worker)
			_exit(1);
		shut(&pair->to_partner[1]);
		shut(&pair->from_partner[0]);
		(void)answer(pair); /* It has no result. */
		_exit(0);
	}
	pair->process = process;
	shut(&pair->to_partner[0]);
	shut(&pair->from_partner[1]);
	return 0;
}

static int start_thread(struct pair *pair, struct error *err)
{
	const int code = pthread_create(&pair->thread, /* attributes= */ NULL, answer, pair);
	return code ? error_errno(err, code, "cannot make the partner thread") : 0;
}

static void release(struct pair *pair)
{
	shut(&pair->to_partner[0]);
	shut(&pair->to_partner[1]);
	shut(&pair->from_partner[0]);
	shut(&pair->from_partner[1]);
	free(pair);
}

static int enter(struct worker_self *self, struct error *err)
{
	struct pair *pair = mem_zero(sizeof(*pair));
	*pair = (struct pair) { .to_partner = { -1, -1 }, .from_partner = { -1, -1 } };
	int failed;
	if (pipe2(pair->to_partner, O_CLOEXEC) < 0 || pipe2(pair->from_partner, O_CLOEXEC) < 0)
		failed = error_errno(err, errno, "cannot make two pipes");
	else if (work_has_threads(self->work))
		failed = start_thread(pair, err);
	else
		failed = start_process(pair, err);
	if (failed) {
		release(pair);
		return failed;
	}
	self->state = pair;
	return 0;
}

static int64_t batch(struct worker_self *self)
{
	const struct pair *pair = self->state;
	const int to = pair->to_partner[1];
	const int from = pair->from_partner[0];
	char byte = 0;
	for (int i = 0; i < BATCH_ROUNDS; i++) {
		int failed = pass_on(to, &byte);
		if (!failed)
			failed = take(from, &byte);
		if (failed)
			return failed;
	}
	return 2L * BATCH_ROUNDS;
}

static void leave(struct worker_self *self)
{
	struct pair *pair = self->state;
	shut(&pair->to_partner[1]); /* The end of its input ends the partner. */
	if (pair->process)
		while (waitpid(pair->process, /* status= */ NULL, 0) < 0 && errno == EINTR)
			;
	else
		(void)pthread_join(pair->thread, /* result= */ NULL); /* It was made by us. */
	release(pair);
	self->state = NULL;
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_context_switch1 = {
	.about = {
		.name = "context_switch1",
		.suite = "will-it-scale",
		.what = "a byte to a partner task and back through two pipes",
		.stands = "wake-up and context switch on one CPU",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 1,
	},
	.shape = WORK_LOOP,
	.enter = enter,
	.batch = batch,
	.leave = leave,
};
