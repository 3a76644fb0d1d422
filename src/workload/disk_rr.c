/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * AIM7's disk_rr as suite VII (s7110) does it: a file of FILESIZE + POOLSIZE / tasks is written in
 * blocks of 1 KiB, closed, opened for reading and removed at once; then as many blocks are read at
 * random (seek, read). Nothing is synced: what was written is read from the page cache.
 *
 * It presses write and read of four blocks a page, the making and the truncation of a file with
 * dirty pages. The number lies when the dirty limits (vm.dirty_*) or the memory do not hold all
 * tasks' files: then it is the disk's. A file over 32 MiB is met in its first 32 MiB only (the
 * generator gives 15 bits).
 */
#include "base/auto.h"
#include "workload/aim7.h"

#include <fcntl.h>

static int job(struct aim7_task *task)
{
	int failed = aim7_make(task);
	if (failed)
		return failed;
	AUTO(fd) int fd = aim7_open(task->path, O_RDONLY);
	if (fd < 0)
		return fd;
	failed = aim7_unlink(task);
	return failed ? failed : aim7_read_random(task, fd);
}

static int64_t batch(struct worker_self *self)
{
	return aim7_run(self, job);
}

static const struct parameter parameters[] = { AIM7_PARAMETERS, { 0 } };
static const struct metric metrics[] = { AIM7_S7110_METRICS, { 0 } };

const struct workload workload_disk_rr = {
	.about = {
		.name = "disk_rr",
		.suite = "aim7",
		.what = "write a file, then read its blocks at random",
		.stands = "write and read of small blocks through the page cache",
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
