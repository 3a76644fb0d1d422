/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lseek to a page of one's own of one file, and a write of it: the inode's lock is common, the
 * pages are not.
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
	return task_file_prepare_same(work, task_file_page_each(work), err);
}

static int enter(struct worker_self *self, struct error *err)
{
	const int failed = task_file_open_same(self, err);
	if (!failed)
		task_file_take_page(self);
	return failed;
}

static int64_t batch(struct worker_self *self)
{
	const struct task_file *file = self->state;
	for (int i = 0; i < BATCH; i++)
		if (lseek(file->fd, file->offset, SEEK_SET) < 0 ||
		    write(file->fd, file->block, TASK_FILE_BLOCK) != TASK_FILE_BLOCK)
			return task_file_short(errno);
	return BATCH;
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_writeseek3 = {
	.about = {
		.name = "writeseek3",
		.suite = "will-it-scale",
		.what = "lseek and write of a page of one's own of a common file",
		.stands = "inode lock for writing, contended, pages of one's own",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 1,
	},
	.shape = WORK_LOOP,
	.prepare = prepare,
	.enter = enter,
	.batch = batch,
	.leave = task_file_leave,
	.retire = task_file_retire,
};
