/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * open for reading and writing, and close, of a file of one's own; the files of all workers lie in
 * one directory: the look-up of a path in the directory cache, the allocation of an open file, the
 * search for a descriptor, and the end of all that.
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
	return named_file_open(self, BATCH);
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_open1 = {
	.about = {
		.name = "open1",
		.suite = "will-it-scale",
		.what = "open and close of one's own file in a common directory",
		.stands = "path look-up and allocation of open files",
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
