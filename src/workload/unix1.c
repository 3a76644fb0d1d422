/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One byte written into a pair of connected local sockets of one's own and read at the other end
 * by the same task: a socket buffer is allocated, charged, queued, taken and freed. No task is
 * woken and none is switched to.
 *
 * The number lies when the sender's limit of memory (net.core.wmem_default, the control group's
 * kernel memory) differs between the sides.
 */
#include "base/mem.h"
#include "workload/workload.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/socket.h>

#define BATCH 64

struct pair {
	int ends[2];
};

static int enter(struct worker_self *self, struct error *err)
{
	struct pair *pair = mem_zero(sizeof(*pair));
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair->ends) < 0) {
		const int code = errno;
		free(pair);
		return error_errno(err, code, "cannot make a pair of local sockets");
	}
	self->state = pair;
	return 0;
}

static int64_t batch(struct worker_self *self)
{
	const struct pair *pair = self->state;
	char byte = 0;
	for (int i = 0; i < BATCH; i++)
		if (write(pair->ends[0], &byte, 1) != 1 || read(pair->ends[1], &byte, 1) != 1)
			return -errno;
	return BATCH;
}

static void leave(struct worker_self *self)
{
	struct pair *pair = self->state;
	(void)close(pair->ends[0]); /* Our own; nothing can be lost. */
	(void)close(pair->ends[1]);
	free(pair);
	self->state = NULL;
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_unix1 = {
	.about = {
		.name = "unix1",
		.suite = "will-it-scale",
		.what = "a byte through a pair of local sockets, by one task",
		.stands = "local stream sockets: buffers, their charge and queue",
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
