/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lseek to the start and a read of 4 KiB of one file by all workers, each with its own open file
 * and position: one page's count of references bounces between the CPUs.
 *
 * The number lies when the sides' temporary directories are on different filesystems, or on one
 * that is not the page cache's plain reader and writer (FUSE, overlay, DAX).
 */
#include "workload/task_file.h"
#include "workload/workload.h"

#include <errno.h>
#include <unistd.h>

#define BATCH 128

static int prepare(struct work *work, struct error *err)
{
	return task_file_prepare_same(work, TASK_FILE_BLOCK, err);
}

static int64_t batch(struct worker_self *self)
{
	const struct task_file *file = self->state;
	for (int i = 0; i < BATCH; i++)
		if (lseek(file->fd, file->offset, SEEK_SET) < 0 ||
		    read(file->fd, file->block, TASK_FILE_BLOCK) != TASK_FILE_BLOCK)
			return task_file_short(errno);
	return BATCH;
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_readseek2 = {
	.about = {
		.name = "readseek2",
		.suite = "will-it-scale",
		.what = "lseek and read of the same 4 KiB by all workers",
		.stands = "file position, one page's reference count",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 1,
		.claims_cpu = true,
	},
	.shape = WORK_LOOP,
	.prepare = prepare,
	.enter = task_file_open_same,
	.batch = batch,
	.leave = task_file_leave,
	.retire = task_file_retire,
};
