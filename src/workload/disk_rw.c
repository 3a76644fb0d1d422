/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * AIM7's disk_rw as suite VII (s7110) does it: a file of FILESIZE + POOLSIZE / tasks is written in
 * blocks of 1 KiB, closed, opened for writing and removed at once; then as many blocks are written
 * at random (seek, write). Nothing is synced.
 *
 * It presses the write path of a filesystem on pages that are dirty already: block reservation,
 * time stamps, the journal's locks; most of the kernel test robot's aim7 reports are of this one.
 * The number lies when the dirty limits (vm.dirty_*) or the memory do not hold all tasks' files:
 * then it is the disk's. A file over 32 MiB is met in its first 32 MiB only (the generator gives
 * 15 bits).
 */
#include "base/auto.h"
#include "workload/aim7.h"

#include <fcntl.h>

static int job(struct aim7_task *task)
{
	int failed = aim7_make(task);
	if (failed)
		return failed;
	AUTO(fd) int fd = aim7_open(task->path, O_WRONLY);
	if (fd < 0)
		return fd;
	failed = aim7_unlink(task);
	return failed ? failed : aim7_write_random(task, fd);
}

static int64_t batch(struct worker_self *self)
{
	return aim7_run(self, job);
}

static const struct parameter parameters[] = { AIM7_PARAMETERS, { 0 } };
static const struct metric metrics[] = { AIM7_S7110_METRICS, { 0 } };

const struct workload workload_disk_rw = {
	.about = {
		.name = "disk_rw",
		.suite = "aim7",
		.what = "write a file, then write its blocks anew at random",
		.stands = "overwriting of dirty pages, time stamps and journal of an inode",
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
