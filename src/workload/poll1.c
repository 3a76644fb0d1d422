/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * poll without waiting (timeout 0) for one file of one's own that is always ready: the table of
 * descriptors is copied in and out and one file is asked.
 *
 * The number lies when the sides' temporary directories are on different kinds of filesystem, some
 * of which answer poll themselves.
 */
#include "workload/task_file.h"
#include "workload/workload.h"

#include <errno.h>
#include <poll.h>

#define BATCH 128

static int enter(struct worker_self *self, struct error *err)
{
	return task_file_enter_own(self, /* filled= */ 0, err);
}

static int64_t batch(struct worker_self *self)
{
	const struct task_file *file = self->state;
	for (int i = 0; i < BATCH; i++) {
		struct pollfd asked = { .fd = file->fd, .events = POLLOUT };
		if (poll(&asked, 1, /* timeout= */ 0) < 0)
			return -errno;
	}
	return BATCH;
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_poll1 = {
	.about = {
		.name = "poll1",
		.suite = "will-it-scale",
		.what = "poll of one file that is ready",
		.stands = "poll(2): copying and asking one file",
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
