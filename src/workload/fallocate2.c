/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fallocate of the next 8 KiB of a file of one's own in the temporary directory, cut to nothing
 * when it holds 1 MiB: the filesystem's allocator of blocks and its journal.
 *
 * The number is that of the filesystem and its device; compare only sides with the same one. It
 * lies when the journal is written back inside the window by somebody else's fsync.
 */
#include "workload/task_file.h"
#include "workload/workload.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define BATCH 16
#define PIECE_BYTES 8192L
#define FILE_BYTES (1L << 20)

/* Space for the next piece of the file; a full file is cut off and begun anew. 0 or -errno. */
static int reserve(struct task_file *file)
{
	if (fallocate(file->fd, /* mode= */ 0, file->offset, PIECE_BYTES) < 0)
		return errno == EINTR ? 0 : -errno; /* Killed at leisure: tried again. */
	file->offset += PIECE_BYTES;
	if (file->offset < FILE_BYTES)
		return 0;
	file->offset = 0;
	return ftruncate(file->fd, 0) < 0 ? -errno : 0;
}

static int64_t batch(struct worker_self *self)
{
	for (int i = 0; i < BATCH; i++) {
		const int failed = reserve(self->state);
		if (failed)
			return failed;
	}
	return BATCH;
}

static int enter(struct worker_self *self, struct error *err)
{
	int failed = task_file_enter_own(self, /* filled= */ 0, err);
	if (failed)
		return failed;
	failed = reserve(self->state);
	if (!failed)
		return 0;
	task_file_leave(self);
	if (failed == -EOPNOTSUPP)
		return error_set(err, EOPNOTSUPP, "the filesystem of '%s' has no fallocate",
				 work_directory(self->work));
	return error_errno(err, -failed, "cannot reserve space in '%s'",
			   work_directory(self->work));
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_fallocate2 = {
	.about = {
		.name = "fallocate2",
		.suite = "will-it-scale",
		.what = "fallocate of 8 KiB pieces of a file",
		.stands = "block allocation of the filesystem, and its journal",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 1,
	},
	.shape = WORK_LOOP,
	.enter = enter,
	.batch = batch,
	.leave = task_file_leave,
};
