/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * disk_wrt as reaim does it: a file is made; sync; it is written in order in blocks of 1 KiB,
 * removed and closed; sync. disk_wrt of suite aim7 never syncs.
 *
 * The syncs are those of the original: of the whole machine, with everybody's dirty data. They are
 * called here; the original starts sync(1) for each, which costs a process on top. The number lies
 * on a machine on which anybody else writes.
 */
#include "base/auto.h"
#include "workload/aim7.h"

#include <unistd.h>

static int write_and_remove(struct aim7_task *task)
{
	AUTO(fd) int fd = aim7_creat(task);
	if (fd < 0)
		return fd;
	sync();
	const int failed = aim7_write(task, fd);
	return failed ? failed : aim7_unlink(task);
}

static int job(struct aim7_task *task)
{
	aim7_name(task);
	const int failed = write_and_remove(task);
	sync();
	return failed;
}

static int64_t batch(struct worker_self *self)
{
	return aim7_run(self, job);
}

static const struct parameter parameters[] = { AIM7_PARAMETERS, { 0 } };
static const struct metric metrics[] = { AIM7_REAIM_METRICS, { 0 } };

const struct workload workload_reaim_disk_wrt = {
	.about = {
		.name = "reaim-disk_wrt",
		.suite = "reaim",
		.what = "make a file, sync, write it, remove it, sync",
		.stands = "sync of a whole machine between making and writing",
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
