/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The first byte of one file is locked for writing by all workers by fcntl(F_SETLKW), and
 * unlocked. Two operations a round. Between processes the lock is wanted by all, who sleep and are
 * woken in turn; threads of one process own their locks in common, so that none ever waits.
 *
 * The number lies with more processes than CPUs, and on a network filesystem. The two modes
 * measure different things: never compare one with the other.
 */
#include "workload/task_file.h"
#include "workload/workload.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define BATCH_PAIRS 64

static int prepare(struct work *work, struct error *err)
{
	return task_file_prepare_same(work, TASK_FILE_BLOCK, err);
}

static int64_t batch(struct worker_self *self)
{
	const struct task_file *file = self->state;
	for (int i = 0; i < BATCH_PAIRS; i++) {
		struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1 };
		if (fcntl(file->fd, F_SETLKW, &lock) < 0)
			return -errno;
		lock.l_type = F_UNLCK;
		if (fcntl(file->fd, F_SETLKW, &lock) < 0)
			return -errno;
	}
	return 2L * BATCH_PAIRS;
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_lock2 = {
	.about = {
		.name = "lock2",
		.suite = "will-it-scale",
		.what = "POSIX lock and unlock of one byte by all workers",
		.stands = "file locks with rivals: sleep, wake, deadlock detection",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 1,
	},
	.shape = WORK_LOOP,
	.prepare = prepare,
	.enter = task_file_open_same,
	.batch = batch,
	.leave = task_file_leave,
	.retire = task_file_retire,
};
