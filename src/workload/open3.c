/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * open for reading and writing, and close, of one file by all workers: the count of references of
 * one directory entry bounces between the CPUs, and so do the locks of one inode.
 *
 * The number lies when the sides' temporary directories are on different filesystems or at
 * different depths, and when a security module looks at every open.
 */
#include "base/auto.h"
#include "base/mem.h"
#include "workload/workload.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define BATCH 32

/* The path is the state; the file is removed with all that bears the scratch's name. */
static int enter(struct worker_self *self, struct error *err)
{
	AUTO(text) char *path = mem_text(work_scratch(self->work));
	AUTO(fd) int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		return error_errno(err, errno, "cannot make '%s'", path);
	self->state = KEEP(path);
	return 0;
}

static int64_t batch(struct worker_self *self)
{
	for (int i = 0; i < BATCH; i++) {
		const int fd = open(self->state, O_RDWR);
		if (fd < 0 || close(fd) < 0)
			return -errno;
	}
	return BATCH;
}

static void leave(struct worker_self *self)
{
	free(self->state);
	self->state = NULL;
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
	.leave = leave,
};
