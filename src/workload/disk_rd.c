/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * AIM7's disk_rd as suite VII (s7110) does it: the one file that was prepared for all tasks is
 * opened, read in order in blocks of 1 KiB, and closed.
 *
 * It presses the look-up of a cached page and the reference that each reader takes of it, on pages
 * that all tasks share. The number lies when the file does not fit the memory, and says nothing of
 * a disk when it does.
 */
#include "base/auto.h"
#include "workload/aim7.h"

#include <fcntl.h>

static int job(struct aim7_task *task)
{
	AUTO(fd) int fd = aim7_open(task->shared_path, O_RDONLY);
	return fd < 0 ? fd : aim7_read(task, fd);
}

static int64_t batch(struct worker_self *self)
{
	return aim7_run(self, job);
}

static const struct parameter parameters[] = { AIM7_PARAMETERS, { 0 } };
static const struct metric metrics[] = { AIM7_S7110_METRICS, { 0 } };

const struct workload workload_disk_rd = {
	.about = {
		.name = "disk_rd",
		.suite = "aim7",
		.what = "read the shared file in order",
		.stands = "read of cached pages that all tasks share",
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
