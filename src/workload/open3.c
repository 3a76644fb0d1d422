/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * open for reading and writing, and close, of one file by all workers: the count of references of
 * one directory entry bounces between the CPUs, and so do the locks of one inode.
 *
 * The number lies when the sides' temporary directories are on different filesystems or at
 * different depths, and when a security module looks at every open.
 */
#include "workload/named_file.h"
#include "workload/workload.h"

#define BATCH 32

static int enter(struct worker_self *self, struct error *err)
{
	return named_file_enter(self, NAMED_FILE_ONE, err);
}

static int64_t batch(struct worker_self *self)
{
	return named_file_open(self, BATCH);
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_open3 = {
	.about = {
		.name = "open3",
		.suite = "will-it-scale",
		.what = "open and close of one file by all workers",
		.stands = "path look-up: one directory entry's reference count",
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
