/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A count of 1 written to an event descriptor of one's own and read back: the wait queue's lock
 * and two short copies, without a file and without anybody who waits.
 *
 * The number lies when the security module checks each access to an anonymous inode.
 */
#include "base/mem.h"
#include "workload/workload.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/eventfd.h>

#define BATCH 128

struct event {
	int fd;
};

static int enter(struct worker_self *self, struct error *err)
{
	const int fd = eventfd(0, EFD_CLOEXEC);
	if (fd < 0)
		return error_errno(err, errno, "cannot make an event descriptor");
	struct event *event = mem_zero(sizeof(*event));
	event->fd = fd;
	self->state = event;
	return 0;
}

static int64_t batch(struct worker_self *self)
{
	const struct event *event = self->state;
	for (int i = 0; i < BATCH; i++) {
		uint64_t count = 1;
		if (write(event->fd, &count, sizeof(count)) < 0 ||
		    read(event->fd, &count, sizeof(count)) < 0)
			return -errno;
	}
	return BATCH;
}

static void leave(struct worker_self *self)
{
	struct event *event = self->state;
	(void)close(event->fd); /* It holds nothing. */
	free(event);
	self->state = NULL;
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_eventfd1 = {
	.about = {
		.name = "eventfd1",
		.suite = "will-it-scale",
		.what = "a count written to an event descriptor and read back",
		.stands = "eventfd: its lock and the shortest read and write",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 1,
		.claims_cpu = true,
	},
	.shape = WORK_LOOP,
	.enter = enter,
	.batch = batch,
	.leave = leave,
};
