/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lseek to the start of a file of one's own, where it stands already: the shortest call that looks
 * a file up by its descriptor. With threads one shared table of files is looked into, with the
 * count of references that this costs; a process that is alone on its table is spared that.
 *
 * The number lies when the sides' temporary directories are on different filesystems, or on one
 * that is not the page cache's plain reader and writer (FUSE, overlay, DAX).
 */
#include "workload/task_file.h"
#include "workload/workload.h"

#include <errno.h>
#include <unistd.h>

#define BATCH 256

static int enter(struct worker_self *self, struct error *err)
{
	return task_file_enter_own(self, TASK_FILE_BLOCK, err);
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

const struct workload workload_lseek1 = {
	.about = {
		.name = "lseek1",
		.suite = "will-it-scale",
		.what = "lseek to the start of a file of one's own",
		.stands = "look-up of a file by its descriptor",
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
