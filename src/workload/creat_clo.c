/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * AIM7's creat-clo: a thousand times a job a file is opened by creat(2) and closed, always by the
 * same name, and removed at the end. The first call makes the file; the others open it and
 * truncate what is empty. All tasks work in one directory (or in one a device). A job counts once,
 * not its thousand calls.
 *
 * It presses the look-up of a name, the lock of the directory on making and removing, the journal
 * and the inode's time stamps: set_bit on buffer heads that are set already showed here. reaim has
 * the same job, so it has no row of its own.
 *
 * The number lies when the sides' filesystems were made differently or are of different age
 * (storage=directory: an old, full directory against an empty one), when a security module looks
 * at every open, and with more tasks than the time of a job can bear (the last task's end is the
 * time).
 */
#include "base/auto.h"
#include "workload/aim7.h"

#define CALLS 1000

static int job(struct aim7_task *task)
{
	aim7_name(task);
	for (int i = 0; i < CALLS; i++) {
		AUTO(fd) int fd = aim7_creat(task);
		if (fd < 0)
			return fd;
	}
	return aim7_unlink(task);
}

static int64_t batch(struct worker_self *self)
{
	return aim7_run(self, job);
}

static const struct parameter parameters[] = { AIM7_PARAMETERS, { 0 } };
static const struct metric metrics[] = { AIM7_S7110_METRICS, { 0 } };

const struct workload workload_creat_clo = {
	.about = {
		.name = "creat-clo",
		.suite = "aim7",
		.what = "creat and close, a thousand times a job",
		.stands = "making of a file, truncation of an empty one, locks of a shared directory",
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
