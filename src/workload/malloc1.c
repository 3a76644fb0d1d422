/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * malloc and free of 128 MiB that are never read or written by the test. The C library serves a
 * block of this size by mmap and gives it back by munmap: its threshold grows at most to 32 MiB. It
 * differs from mmap1 by the one page that is touched, for the length in front of the block.
 *
 * The number lies when another malloc answers (LD_PRELOAD); when MALLOC_MMAP_THRESHOLD_,
 * MALLOC_MMAP_MAX_ or the glibc.malloc tunables keep the block on the heap, for then nothing of the
 * kernel is measured; and when MALLOC_PERTURB_ has the library fill the block. Transparent huge
 * pages make the one touched page a cleared 2 MiB.
 */
#include "workload/workload.h"

#include <errno.h>
#include <stdlib.h>

#define BATCH 8
#define SIZE_BYTES (128UL << 20)

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

const struct workload workload_malloc1 = {
	.about = {
		.name = "malloc1",
		.suite = "will-it-scale",
		.what = "malloc and free of 128 MiB, untouched",
		.stands = "mmap and munmap as the C library uses them, with one page fault",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 2,
		.claims_cpu = true,
	},
	.shape = WORK_LOOP,
	.batch = batch,
};
