/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * AIM7's disk_wrt as suite VII (s7110) does it: a file is made, removed at once, written in order
 * in blocks of 1 KiB, and closed, which frees it. Nothing is synced, so that most of it never
 * reaches a disk.
 *
 * It presses appending writes (page allocation, block reservation) and the truncation of a file
 * with dirty pages. The number lies when the dirty limits (vm.dirty_*) make the tasks write to the
 * disk after all.
 */
#include "base/auto.h"
#include "workload/aim7.h"

static int job(struct aim7_task *task)
{
	aim7_name(task);
	AUTO(fd) int fd = aim7_creat(task);
	if (fd < 0)
		return fd;
	const int failed = aim7_unlink(task);
	return failed ? failed : aim7_write(task, fd);
}

static int64_t batch(struct worker_self *self)
{
	return aim7_run(self, job);
}

static const struct parameter parameters[] = { AIM7_PARAMETERS, { 0 } };
static const struct metric metrics[] = { AIM7_S7110_METRICS, { 0 } };

const struct workload workload_disk_wrt = {
	.about = {
		.name = "disk_wrt",
		.suite = "aim7",
		.what = "write a file that has no name any more",
		.stands = "allocation and release of dirty pages and blocks",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 1,
		.needs = NEED_ROOT,
		.needs_why = STORAGE_NEEDS_WHY,
	},
	.shape = WORK_FIXED,
	.has_names = true,
	.check = storage_check,
	.count = aim7_count,
	.prepare = aim7_prepare,
	.enter = aim7_enter,
	.batch = batch,
	.leave = aim7_leave,
	.score = aim7_score,
	.retire = aim7_retire,
};
