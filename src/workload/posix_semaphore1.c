/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sem_wait and sem_post on a semaphore of one's own that is always free: two atomic operations of
 * the C library and no system call. A number that moves with the kernel says that interrupts,
 * migration or the clock of the CPU moved.
 *
 * The number lies when the compiler or the C library changed between the sides.
 */
#include "base/mem.h"
#include "workload/workload.h"

#include <errno.h>
#include <semaphore.h>
#include <stdlib.h>

#define BATCH 1024

static int enter(struct worker_self *self, struct error *err)
{
	sem_t *semaphore = mem_zero(sizeof(*semaphore));
	(void)sem_init(semaphore, /* pshared= */ 0, 1); /* Fails only for a larger value. */
	self->state = semaphore;
	return 0;
}

static int64_t batch(struct worker_self *self)
{
	sem_t *semaphore = self->state;
	for (int i = 0; i < BATCH; i++)
		if (sem_wait(semaphore) < 0 || sem_post(semaphore) < 0)
			return -errno;
	return BATCH;
}

static void leave(struct worker_self *self)
{
	(void)sem_destroy(self->state); /* Nobody waits for it. */
	free(self->state);
	self->state = NULL;
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_posix_semaphore1 = {
	.about = {
		.name = "posix_semaphore1",
		.suite = "will-it-scale",
		.what = "sem_wait and sem_post of a free semaphore",
		.stands = "atomic operations of the C library: a twin without the kernel",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 1,
		.claims_cpu = true,
	},
	.shape = WORK_LOOP,
	.enter = enter,
	.batch = batch,
	.leave = leave,
};
