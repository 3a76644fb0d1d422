/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads of 4 KiB past the page cache (O_DIRECT) through one file of 1 MiB by all workers, each
 * with its own open file and position, from the start again at the end, where the read that gives
 * nothing counts as an operation (one of 257).
 *
 * The number is that of the device below: an SSD, a disk, a loop file. It lies when another
 * program uses the device, and it is unsupported where the filesystem of the temporary directory
 * has no O_DIRECT (tmpfs of older kernels).
 */
#include "workload/task_file.h"
#include "workload/workload.h"

#include <errno.h>
#include <unistd.h>

#define BATCH 8
#define FILE_BYTES (1UL << 20)

static int prepare(struct work *work, struct error *err)
{
	return task_file_prepare_same(work, FILE_BYTES, err);
}

static int enter(struct worker_self *self, struct error *err)
{
	int failed = task_file_open_same(self, err);
	if (!failed)
		failed = task_file_make_direct(self, err);
	return failed;
}

static int64_t batch(struct worker_self *self)
{
	const struct task_file *file = self->state;
	for (int i = 0; i < BATCH; i++) {
		const ssize_t got = read(file->fd, file->block, TASK_FILE_BLOCK);
		if (got < 0 || (got == 0 && lseek(file->fd, 0, SEEK_SET) < 0))
			return -errno;
	}
	return BATCH;
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_read4 = {
	.about = {
		.name = "read4",
		.suite = "will-it-scale",
		.what = "4 KiB O_DIRECT reads through a file that all workers have open",
		.stands = "direct read path and the block device",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 1,
	},
	.shape = WORK_LOOP,
	.prepare = prepare,
	.enter = enter,
	.batch = batch,
	.leave = task_file_leave,
	.retire = task_file_retire,
};
