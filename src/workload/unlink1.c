/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file is made in a directory that all workers share, closed, and removed: the inode's
 * allocation and its end, the change of the directory under its lock for writing, and the journal
 * where there is one.
 *
 * The number lies when the sides' temporary directories are on different filesystems or at
 * different depths, and when a security module looks at every open.
 */
#include "workload/named_file.h"
#include "workload/workload.h"

#define BATCH 32

static int enter(struct worker_self *self, struct error *err)
{
	return named_file_enter(self, NAMED_FILE_COMMON_DIRECTORY, err);
}

static int64_t batch(struct worker_self *self)
{
	return named_file_make(self, BATCH);
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_unlink1 = {
	.about = {
		.name = "unlink1",
		.suite = "will-it-scale",
		.what = "making and removing a file in a common directory",
		.stands = "directory changes under one lock, inode allocation",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 1,
		.claims_cpu = true,
	},
	.shape = WORK_LOOP,
	.has_names = true,
	.enter = enter,
	.batch = batch,
	.leave = named_file_leave,
};
