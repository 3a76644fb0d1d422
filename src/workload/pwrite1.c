/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pwrite over the first 4 KiB of a file of one's own: the inode's lock, the page made ready and
 * dirty, the copy from user space, the times of the inode.
 *
 * The number lies when write-back runs inside the window (a file of one page is dirtied again and
 * again), and when the sides' temporary directories are on different filesystems.
 */
#include "workload/task_file.h"
#include "workload/workload.h"

#include <errno.h>
#include <unistd.h>

#define BATCH 128

static int enter(struct worker_self *self, struct error *err)
{
	return task_file_enter_own(self, TASK_FILE_BLOCK, err);
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

const struct workload workload_pwrite1 = {
	.about = {
		.name = "pwrite1",
		.suite = "will-it-scale",
		.what = "pwrite of 4 KiB of a file of one's own",
		.stands = "page cache write path",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 1,
		.claims_cpu = true,
	},
	.shape = WORK_LOOP,
	.enter = enter,
	.batch = batch,
	.leave = task_file_leave,
};
