/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mmap and munmap of 128 MiB of a file of one's own, private and never touched: as mmap1, with the
 * file's tree of mappings and its lock besides.
 *
 * The number lies when the memory is filled at once (mlockall, MAP_POPULATE by a wrapper). With
 * threads every task takes the same mmap_lock; with processes none is shared.
 */
#include "workload/task_file.h"
#include "workload/workload.h"

#include <errno.h>

#include <sys/mman.h>

#define BATCH 32
#define SIZE_BYTES (128UL << 20)

static int enter(struct worker_self *self, struct error *err)
{
	return task_file_enter_sparse(self, SIZE_BYTES, err);
}

static int64_t batch(struct worker_self *self)
{
	const struct task_file *file = self->state;
	for (int i = 0; i < BATCH; i++) {
		void *block =
			mmap(NULL, SIZE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE, file->fd, 0);
		if (block == MAP_FAILED || munmap(block, SIZE_BYTES) < 0)
			return -errno;
	}
	return BATCH;
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_mmap2 = {
	.about = {
		.name = "mmap2",
		.suite = "will-it-scale",
		.what = "mmap and munmap of 128 MiB of a file, untouched",
		.stands = "tree of mappings of a file and mmap_lock for writing",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 2,
		.claims_cpu = true,
	},
	.shape = WORK_LOOP,
	.enter = enter,
	.batch = batch,
	.leave = task_file_leave,
};
