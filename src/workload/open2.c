/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * open for reading and writing, and close, of a file of one's own in a directory of one's own.
 * Against open1 it tells what the common directory costs: its entry's count of references and the
 * name that is looked up one step deeper.
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

#include <sys/stat.h>

#define BATCH 32

/* The path is the state; the file is removed with all that bears the scratch's name. */
static int enter(struct worker_self *self, struct error *err)
{
	AUTO(text) char *directory = mem_format("%s-%u", work_scratch(self->work), self->index);
	if (mkdir(directory, 0700) < 0)
		return error_errno(err, errno, "cannot make the directory '%s'", directory);
	AUTO(text) char *path = mem_format("%s-%u/file", work_scratch(self->work), self->index);
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
	.leave = leave,
};
