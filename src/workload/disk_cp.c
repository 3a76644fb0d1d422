/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * AIM7's disk_cp as suite VII (s7110) does it: the one file that was prepared for all tasks is
 * opened, a new file is made and removed at once, and the one is copied to the other in blocks of
 * 1 KiB. Nothing is synced.
 *
 * It presses what disk_rd and disk_wrt press, in turn. The number lies when the dirty limits
 * (vm.dirty_*) or the memory do not hold all tasks' copies.
 */
#include "base/auto.h"
#include "workload/aim7.h"

#include <fcntl.h>

static int job(struct aim7_task *task)
{
	AUTO(fd) int from_fd = aim7_open(task->shared_path, O_RDONLY);
	if (from_fd < 0)
		return from_fd;
	aim7_name(task);
	AUTO(fd) int to_fd = aim7_creat(task);
	if (to_fd < 0)
		return to_fd;
	const int failed = aim7_unlink(task);
	return failed ? failed : aim7_copy(task, from_fd, to_fd);
}

static int64_t batch(struct worker_self *self)
{
	return aim7_run(self, job);
}

static const struct parameter parameters[] = { AIM7_PARAMETERS, { 0 } };
static const struct metric metrics[] = { AIM7_S7110_METRICS, { 0 } };

const struct workload workload_disk_cp = {
	.about = {
		.name = "disk_cp",
		.suite = "aim7",
		.what = "copy the shared file block by block",
		.stands = "read of shared cached pages and appending writes, in turn",
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
	.prepare = aim7_prepare_shared,
	.enter = aim7_enter,
	.batch = batch,
	.leave = aim7_leave,
	.score = aim7_score,
	.retire = aim7_retire,
};
