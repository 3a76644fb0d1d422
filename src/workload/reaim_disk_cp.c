/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * disk_cp as reaim does it: sync; the one file that was prepared for all tasks is copied in blocks
 * of 1 KiB to a new file, which is removed; sync. disk_cp of suite aim7 removes the copy before it
 * is written, and never syncs.
 *
 * The syncs are those of the original: of the whole machine, with everybody's dirty data. They are
 * called here; the original starts sync(1) for each, which costs a process on top. The number lies
 * on a machine on which anybody else writes.
 */
#include "base/auto.h"
#include "workload/aim7.h"

#include <fcntl.h>
#include <unistd.h>

static int copy_and_remove(struct aim7_task *task)
{
	AUTO(fd) int from_fd = aim7_open(task->shared_path, O_RDONLY);
	if (from_fd < 0)
		return from_fd;
	AUTO(fd) int to_fd = aim7_creat(task);
	if (to_fd < 0)
		return to_fd;
	const int failed = aim7_copy(task, from_fd, to_fd);
	return failed ? failed : aim7_unlink(task);
}

static int job(struct aim7_task *task)
{
	sync();
	aim7_name(task);
	const int failed = copy_and_remove(task);
	sync();
	return failed;
}

static int64_t batch(struct worker_self *self)
{
	return aim7_run(self, job);
}

static const struct parameter parameters[] = { AIM7_PARAMETERS, { 0 } };
static const struct metric metrics[] = { AIM7_REAIM_METRICS, { 0 } };

const struct workload workload_reaim_disk_cp = {
	.about = {
		.name = "reaim-disk_cp",
		.suite = "reaim",
		.what = "sync, copy the shared file, remove the copy, sync",
		.stands = "sync of a whole machine around a copy through the page cache",
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
