/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lock, add to a variable behind the mutex, unlock. With threads all workers want the one mutex,
 * and what is measured is how the C library spins, sleeps in futex(2) and wakes; with processes
 * each has its own copy, nobody contends, and the kernel is not called. The variable shares the
 * mutex's cache line or the next one, so that whoever gets the mutex gets the variable with it.
 *
 * The number lies with more threads than CPUs, where a holder that is preempted stops all others.
 */
#include "workload/common_mutex.h"
#include "workload/workload.h"

#define BATCH 1024

/* Neither call can fail on a plain mutex that this thread does not hold yet, or holds. */
static int64_t batch(struct worker_self *self)
{
	struct common_mutex *common = work_shared(self->work);
	for (int i = 0; i < BATCH; i++) {
		(void)pthread_mutex_lock(&common->mutex);
		common->count++;
		(void)pthread_mutex_unlock(&common->mutex);
	}
	return BATCH;
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_pthread_mutex3 = {
	.about = {
		.name = "pthread_mutex3",
		.suite = "will-it-scale",
		.what = "add to a common variable under one mutex",
		.stands = "contended mutex with common data",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 1,
	},
	.shape = WORK_LOOP,
	.prepare = common_mutex_prepare,
	.batch = batch,
	.retire = common_mutex_retire,
};
