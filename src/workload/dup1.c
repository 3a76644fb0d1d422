/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dup(2) of the descriptor of a file of one's own, then close(2) of the copy: the search for a
 * free descriptor and its place in the table of open files. One operation is the pair.
 *
 * With threads all workers change one table under its lock, so the number is one of contention. It
 * lies when many descriptors are open: the search for a free one then takes longer.
 */
#include "workload/task_file.h"
#include "workload/workload.h"

#include <errno.h>
#include <unistd.h>

#define BATCH 256

static int enter(struct worker_self *self, struct error *err)
{
	return task_file_enter_own(self, /* filled= */ 0, err);
}

static int64_t batch(struct worker_self *self)
{
	const struct task_file *file = self->state;
	for (int i = 0; i < BATCH; i++) {
		const int copy = dup(file->fd);
		if (copy < 0 || close(copy) < 0)
			return -errno;
	}
	return BATCH;
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_dup1 = {
	.about = {
		.name = "dup1",
		.suite = "will-it-scale",
		.what = "dup and close of the descriptor of one's own file",
		.stands = "the table of open files and its lock",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 1,
		.claims_cpu = true,
	},
	.shape = WORK_LOOP,
	.enter = enter,
	.batch = batch,
	.leave = task_file_leave,
};
