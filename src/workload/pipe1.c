/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One task writes a byte into its own pipe and reads it back: the pipe's mutex, its ring of
 * buffers and the copy of one byte, without any wake-up or switch. One operation is the pair.
 *
 * The number lies when user pipes are over their limits (fs.pipe-user-pages-soft): the pipe then
 * has fewer buffers. It says nothing of wake-ups; context_switch1 does.
 */
#include "base/mem.h"
#include "workload/workload.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define BATCH 128

struct ends {
	int read_end;
	int write_end;
};

static int enter(struct worker_self *self, struct error *err)
{
	int fds[2];
	if (pipe2(fds, O_CLOEXEC) < 0)
		return error_errno(err, errno, "cannot make a pipe");
	struct ends *ends = mem_zero(sizeof(*ends));
	*ends = (struct ends) { .read_end = fds[0], .write_end = fds[1] };
	self->state = ends;
	return 0;
}

static int64_t batch(struct worker_self *self)
{
	const struct ends ends = *(const struct ends *)self->state;
	for (int i = 0; i < BATCH; i++) {
		char byte = 0;
		while (write(ends.write_end, &byte, 1) != 1)
			if (errno != EINTR)
				return -errno;
		while (read(ends.read_end, &byte, 1) != 1)
			if (errno != EINTR)
				return -errno;
	}
	return BATCH;
}

static void leave(struct worker_self *self)
{
	struct ends *ends = self->state;
	(void)close(ends->read_end); /* Only this test's own pipe. */
	(void)close(ends->write_end);
	free(ends);
	self->state = NULL;
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_pipe1 = {
	.about = {
		.name = "pipe1",
		.suite = "will-it-scale",
		.what = "write and read one byte of one's own pipe",
		.stands = "pipe mutex and buffers without wake-ups",
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
