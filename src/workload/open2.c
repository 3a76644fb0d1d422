/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * open for reading and writing, and close, of a file of one's own in a directory of one's own.
 * Against open1 it tells what the common directory costs: its entry's count of references and the
 * name that is looked up one step deeper.
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
	return named_file_open(self, BATCH);
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_open2 = {
	.about = {
		.name = "open2",
		.suite = "will-it-scale",
		.what = "open and close of one's own file in one's own directory",
		.stands = "path look-up and allocation of open files, no common directory",
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
