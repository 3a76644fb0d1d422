/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lseek to the start and a read of 4 KiB of a file of one's own: as pread1, with the position of
 * the open file and its lock.
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
		if (lseek(file->fd, file->offset, SEEK_SET) < 0 ||
		    read(file->fd, file->block, TASK_FILE_BLOCK) != TASK_FILE_BLOCK)
			return task_file_short(errno);
	return BATCH;
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_readseek1 = {
	.about = {
		.name = "readseek1",
		.suite = "will-it-scale",
		.what = "lseek and read of 4 KiB of a file of one's own",
		.stands = "file position, page cache look-up and copy",
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
