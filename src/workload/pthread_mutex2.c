/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lock and unlock of a mutex on the worker's own stack: never contended, two atomic operations of
 * the C library, no system call. A number that moves with the kernel says that interrupts,
 * migration or the clock of the CPU moved.
 *
 * The number lies when the compiler or the C library changed between the sides.
 */
#include "workload/workload.h"

#include <pthread.h>

#define BATCH 1024

/* Neither call can fail on a plain mutex that this thread does not hold yet, or holds. */
static int64_t batch(struct worker_self *self)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	for (int i = 0; i < BATCH; i++) {
		(void)pthread_mutex_lock(&mutex);
		(void)pthread_mutex_unlock(&mutex);
	}
	return BATCH;
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_pthread_mutex2 = {
	.about = {
		.name = "pthread_mutex2",
		.suite = "will-it-scale",
		.what = "lock and unlock of a mutex of one's own",
		.stands = "atomic operations of the C library: a twin without the kernel",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 1,
		.claims_cpu = true,
	},
	.shape = WORK_LOOP,
	.batch = batch,
};
