/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mmap and munmap of 128 MiB of private anonymous memory that is never touched: the tree of
 * mappings, its lock for writing, and the accounting of address space, without any page.
 *
 * The number lies when the memory is charged or filled at once (vm.overcommit_memory = 2 near its
 * limit, mlockall, MAP_POPULATE by a wrapper). With threads every task takes the same mmap_lock;
 * with processes none is shared.
 */
#include "workload/workload.h"

#include <errno.h>

#include <sys/mman.h>

#define BATCH 32
#define SIZE_BYTES (128UL << 20)

static int64_t batch(struct worker_self *self)
{
	for (int i = 0; i < BATCH; i++) {
		void *block = mmap(NULL, SIZE_BYTES, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (block == MAP_FAILED || munmap(block, SIZE_BYTES) < 0)
			return -errno;
	}
	return BATCH;
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_mmap1 = {
	.about = {
		.name = "mmap1",
		.suite = "will-it-scale",
		.what = "mmap and munmap of 128 MiB of anonymous memory, untouched",
		.stands = "tree of mappings and mmap_lock for writing",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 2,
		.claims_cpu = true,
	},
	.shape = WORK_LOOP,
	.batch = batch,
};
