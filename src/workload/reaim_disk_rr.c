/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * disk_rr as reaim does it: a file is written in blocks of 1 KiB and closed; sync; as many blocks
 * are read at random; it is closed and removed; sync. Against disk_rr of suite aim7 it is another
 * quantity: what the disk takes weighs most.
 *
 * The syncs are those of the original: of the whole machine, with everybody's dirty data. They are
 * called here; the original starts sync(1) for each, which costs a process on top. The number lies
 * on a machine on which anybody else writes.
 */
#include "base/auto.h"
#include "workload/aim7.h"

#include <fcntl.h>
#include <unistd.h>

static int read_back(struct aim7_task *task)
{
	AUTO(fd) int fd = aim7_open(task->path, O_RDONLY);
	return fd < 0 ? fd : aim7_read_random(task, fd);
}

static int job(struct aim7_task *task)
{
	int failed = aim7_make(task);
	if (failed)
		return failed;
	sync();
	failed = read_back(task);
	if (!failed)
		failed = aim7_unlink(task);
	sync();
	return failed;
}

static int64_t batch(struct worker_self *self)
{
	return aim7_run(self, job);
}

static const struct parameter parameters[] = { AIM7_PARAMETERS, { 0 } };
static const struct metric metrics[] = { AIM7_REAIM_METRICS, { 0 } };

const struct workload workload_reaim_disk_rr = {
	.about = {
		.name = "reaim-disk_rr",
		.suite = "reaim",
		.what = "write a file, sync, read its blocks at random, sync",
		.stands = "sync of a whole machine, then reads of clean pages",
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
