/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pread of 4 KiB of one file, each worker another page: the inode and its tree of pages are
 * common, the pages are not. Against pread2 it tells the page's count from the inode's data.
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
		if (pread(file->fd, file->block, TASK_FILE_BLOCK, file->offset) != TASK_FILE_BLOCK)
			return task_file_short(errno);
	return BATCH;
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_pread3 = {
	.about = {
		.name = "pread3",
		.suite = "will-it-scale",
		.what = "pread of a page of one's own of a common file",
		.stands = "page cache look-up: one inode",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 1,
		.claims_cpu = true,
	},
	.shape = WORK_LOOP,
	.prepare = prepare,
	.enter = enter,
	.batch = batch,
	.leave = task_file_leave,
	.retire = task_file_retire,
};
