/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A task sends itself SIGUSR1 and handles it with a handler that does nothing: sending, the frame
 * on the user's stack and the return from it.
 *
 * raise(3) of the C library is used, as in the original, so the system calls around the sending
 * are the library's: glibc since 2.34 asks gettid and getpid first, older ones also block all
 * signals. The number therefore differs between C libraries; assay-probe carries its own, so both
 * sides of a comparison have the same one.
 */
#include "base/mem.h"
#include "workload/workload.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

#define BATCH 64

static void handle(int number)
{
}

/* The handler belongs to the whole process, so it is set before the workers and stays until all of
 * them have ended. */
static int prepare(struct work *work, struct error *err)
{
	struct sigaction *before = mem_zero(sizeof(*before));
	struct sigaction action = { .sa_handler = handle };
	if (sigaction(SIGUSR1, &action, before) < 0) {
		free(before);
		return error_errno(err, errno, "cannot handle SIGUSR1");
	}
	work_share(work, before);
	return 0;
}

/* A blocked signal would only stay pending, and the rate would be that of a system call. */
static int enter(struct worker_self *self, struct error *err)
{
	sigset_t ours;
	(void)sigemptyset(&ours); /* Neither fails for a valid number. */
	(void)sigaddset(&ours, SIGUSR1);
	const int code = pthread_sigmask(SIG_UNBLOCK, &ours, /* old= */ NULL);
	return code ? error_errno(err, code, "cannot unblock SIGUSR1") : 0;
}

static int64_t batch(struct worker_self *self)
{
	for (int i = 0; i < BATCH; i++)
		if (raise(SIGUSR1) != 0)
			return -EIO;
	return BATCH;
}

static void retire(struct work *work)
{
	struct sigaction *before = work_shared(work);
	if (!before)
		return;
	(void)sigaction(SIGUSR1, before, /* old= */ NULL); /* It was valid before. */
	free(before);
	work_share(work, NULL);
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_signal1 = {
	.about = {
		.name = "signal1",
		.suite = "will-it-scale",
		.what = "send oneself a signal and handle it",
		.stands = "signal sending, delivery and return",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 1,
		.claims_cpu = true,
	},
	.shape = WORK_LOOP,
	.prepare = prepare,
	.enter = enter,
	.batch = batch,
	.retire = retire,
};
