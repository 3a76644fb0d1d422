/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads of 4 KiB through one file of 1 MiB by all workers, each with its own open file and
 * position, from the start again at the end. The read at the end that gives nothing counts as an
 * operation (one of 257).
 *
 * The number lies when the sides' temporary directories are on different filesystems, or on one
 * that is not the page cache's plain reader and writer (FUSE, overlay, DAX).
 */
#include "workload/task_file.h"
#include "workload/workload.h"

#include <errno.h>
#include <unistd.h>

#define BATCH 128
#define FILE_BYTES (1UL << 20)

static int prepare(struct work *work, struct error *err)
{
	return task_file_prepare_same(work, FILE_BYTES, err);
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

const struct workload workload_read2 = {
	.about = {
		.name = "read2",
		.suite = "will-it-scale",
		.what = "4 KiB reads through a cached file that all workers have open",
		.stands = "page cache read path, common pages",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 1,
		.claims_cpu = true,
	},
	.shape = WORK_LOOP,
	.prepare = prepare,
	.enter = task_file_open_same,
	.batch = batch,
	.leave = task_file_leave,
	.retire = task_file_retire,
};
