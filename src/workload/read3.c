/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads of 4 KiB past the page cache (O_DIRECT) through a file of 1 MiB of one's own, from its
 * start again at its end, where the read that gives nothing counts as an operation (one of 257):
 * pages are pinned, a request goes to the device, the task sleeps until it is answered.
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

static int enter(struct worker_self *self, struct error *err)
{
	int failed = task_file_enter_own(self, FILE_BYTES, err);
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

const struct workload workload_read3 = {
	.about = {
		.name = "read3",
		.suite = "will-it-scale",
		.what = "4 KiB O_DIRECT reads through a file of one's own",
		.stands = "direct read path and the block device",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 1,
	},
	.shape = WORK_LOOP,
	.enter = enter,
	.batch = batch,
	.leave = task_file_leave,
};
