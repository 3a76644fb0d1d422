/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lseek to the start of one file that all workers opened, each for itself: the position is each
 * worker's own, the inode is common. A filesystem whose lseek takes the inode's lock shows here
 * and not in lseek1.
 *
 * The number lies when the sides' temporary directories are on different filesystems, or on one
 * that is not the page cache's plain reader and writer (FUSE, overlay, DAX).
 */
#include "workload/task_file.h"
#include "workload/workload.h"

#include <errno.h>
#include <unistd.h>

#define BATCH 256

static int prepare(struct work *work, struct error *err)
{
	return task_file_prepare_same(work, TASK_FILE_BLOCK, err);
}

static int64_t batch(struct worker_self *self)
{
	const struct task_file *file = self->state;
	for (int i = 0; i < BATCH; i++)
		if (lseek(file->fd, 0, SEEK_SET) < 0)
			return -errno;
	return BATCH;
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_lseek2 = {
	.about = {
		.name = "lseek2",
		.suite = "will-it-scale",
		.what = "lseek to the start of a file that all workers have open",
		.stands = "look-up of a file by its descriptor, common inode",
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
