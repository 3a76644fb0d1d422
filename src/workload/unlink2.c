/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file is made in a directory of one's own, closed, and removed. Against unlink1 it tells the
 * lock of the directory from the filesystem's allocator and journal.
 *
 * The number lies when the sides' temporary directories are on different filesystems or at
 * different depths, and when a security module looks at every open.
 */
#include "workload/named_file.h"
#include "workload/workload.h"

#define BATCH 32

static int enter(struct worker_self *self, struct error *err)
{
	return named_file_enter(self, NAMED_FILE_OWN_DIRECTORY, err);
}

static int64_t batch(struct worker_self *self)
{
	return named_file_make(self, BATCH);
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_unlink2 = {
	.about = {
		.name = "unlink2",
		.suite = "will-it-scale",
		.what = "making and removing a file in one's own directory",
		.stands = "directory changes, inode allocation",
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
