/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes of 4 KiB through a file of 1 MiB of one's own, from its start again at its end: the page
 * cache's write path over 256 pages, which are made in the first pass and only dirtied afterwards.
 *
 * The number lies when write-back runs inside the window (dirty pages of a disk are due after 30
 * seconds), and when the sides' temporary directories are on different filesystems.
 */
#include "workload/task_file.h"
#include "workload/workload.h"

#include <errno.h>
#include <unistd.h>

#define BATCH 128
#define FILE_BYTES (1L << 20)

static int enter(struct worker_self *self, struct error *err)
{
	return task_file_enter_own(self, /* filled= */ 0, err);
}

static int64_t batch(struct worker_self *self)
{
	struct task_file *file = self->state;
	for (int i = 0; i < BATCH; i++) {
		if (write(file->fd, file->block, TASK_FILE_BLOCK) != TASK_FILE_BLOCK)
			return task_file_short(errno);
		file->offset += TASK_FILE_BLOCK;
		if (file->offset < FILE_BYTES)
			continue;
		file->offset = 0;
		if (lseek(file->fd, 0, SEEK_SET) < 0)
			return -errno;
	}
	return BATCH;
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_write1 = {
	.about = {
		.name = "write1",
		.suite = "will-it-scale",
		.what = "4 KiB writes through a file of one's own",
		.stands = "page cache write path",
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
