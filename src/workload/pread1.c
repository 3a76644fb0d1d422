/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pread of the first 4 KiB of a file of one's own, always in the page cache: one look-up of a page
 * and one copy to user space.
 *
 * The number lies when the sides' temporary directories are on different filesystems, or on one
 * that is not the page cache's plain reader and writer (FUSE, overlay, DAX).
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
		if (pread(file->fd, file->block, TASK_FILE_BLOCK, file->offset) != TASK_FILE_BLOCK)
			return task_file_short(errno);
	return BATCH;
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_pread1 = {
	.about = {
		.name = "pread1",
		.suite = "will-it-scale",
		.what = "pread of 4 KiB of a file of one's own",
		.stands = "page cache look-up and copy to user space",
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
