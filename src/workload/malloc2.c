/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * malloc and free of 1 KiB, never read or written by the test. The block comes from the thread's
 * own cache of the C library and goes back there: after the first pair nothing of the kernel is
 * called. It is the twin of malloc1 that shows a change outside of the kernel.
 *
 * The number lies when another malloc answers (LD_PRELOAD), when glibc.malloc.tcache_count or
 * MALLOC_PERTURB_ is set, and it differs between C libraries far more than between kernels.
 */
#include "workload/workload.h"

#include <errno.h>
#include <stdlib.h>

#define BATCH 1024
#define SIZE_BYTES 1024

static int64_t batch(struct worker_self *self)
{
	for (int i = 0; i < BATCH; i++) {
		void *block = malloc(SIZE_BYTES);
		/* The compiler must not see that the block is unused and drop the pair. */
		__asm__ volatile("" : : "r"(block) : "memory");
		if (!block)
			return -ENOMEM;
		free(block);
	}
	return BATCH;
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_malloc2 = {
	.about = {
		.name = "malloc2",
		.suite = "will-it-scale",
		.what = "malloc and free of 1 KiB, untouched",
		.stands = "the C library alone: a twin without the kernel",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 2,
		.claims_cpu = true,
	},
	.shape = WORK_LOOP,
	.batch = batch,
};
