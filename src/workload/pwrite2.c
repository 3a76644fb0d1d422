/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pwrite over the first 4 KiB of one file by all workers: most filesystems let one writer at a
 * time into an inode, and this is the queue before its lock.
 *
 * The number lies when write-back runs inside the window, and when the sides' temporary
 * directories are on different filesystems.
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
		if (pwrite(file->fd, file->block, TASK_FILE_BLOCK, file->offset) != TASK_FILE_BLOCK)
			return task_file_short(errno);
	return BATCH;
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_pwrite2 = {
	.about = {
		.name = "pwrite2",
		.suite = "will-it-scale",
		.what = "pwrite of the same 4 KiB by all workers",
		.stands = "inode lock for writing, contended",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 1,
	},
	.shape = WORK_LOOP,
	.prepare = prepare,
	.enter = task_file_open_same,
	.batch = batch,
	.leave = task_file_leave,
	.retire = task_file_retire,
};
