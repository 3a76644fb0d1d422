/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads of 4 KiB through a file of 1 MiB of one's own, from its start again at its end: the read
 * path of the page cache and the copy to user space. The read at the end that gives nothing counts
 * as an operation (one of 257).
 *
 * The number lies when the file is not cached (memory pressure), when its filesystem is not the
 * page cache's plain reader (FUSE, overlay, DAX), and when the sides' temporary directories are on
 * different filesystems.
 */
#include "base/auto.h"
#include "base/fs.h"
#include "base/mem.h"
#include "workload/workload.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define BATCH 128
#define READ_BYTES 4096
#define FILE_BYTES (1UL << 20)

struct reader {
	int fd;
	char buffer[READ_BYTES];
};

/* Written, not only given a size: a hole would be read without a page of the file. */
static int fill(int fd, struct error *err)
{
	AUTO(text) char *bytes = mem_zero(FILE_BYTES);
	const int failed = fs_write_all(fd, bytes, FILE_BYTES);
	if (failed)
		return error_errno(err, -failed, "cannot write the file to read");
	if (lseek(fd, 0, SEEK_SET) < 0)
		return error_errno(err, errno, "cannot go to the start of the file to read");
	return 0;
}

static int enter(struct worker_self *self, struct error *err)
{
	AUTO(fd) int fd = work_file(self->work, /* size= */ 0, err);
	if (fd < 0)
		return fd;
	const int failed = fill(fd, err);
	if (failed)
		return failed;
	struct reader *reader = mem_zero(sizeof(*reader));
	reader->fd = KEEP_FD(fd);
	self->state = reader;
	return 0;
}

static int64_t batch(struct worker_self *self)
{
	struct reader *reader = self->state;
	for (int i = 0; i < BATCH; i++) {
		const ssize_t got = read(reader->fd, reader->buffer, READ_BYTES);
		if (got < 0 || (got == 0 && lseek(reader->fd, 0, SEEK_SET) < 0))
			return -errno;
	}
	return BATCH;
}

static void leave(struct worker_self *self)
{
	struct reader *reader = self->state;
	(void)close(reader->fd); /* It has no name any more; closing removes it. */
	free(reader);
	self->state = NULL;
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_read1 = {
	.about = {
		.name = "read1",
		.suite = "will-it-scale",
		.what = "4 KiB reads through a cached file of one's own",
		.stands = "page cache read path and copy to user space",
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
