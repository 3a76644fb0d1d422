/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The first byte of a file of one's own is locked for writing by fcntl(F_SETLKW), and unlocked.
 * Two operations a round. Nobody else wants the lock: the list of locks of the inode, its lock,
 * and the allocation of the record are what is pressed.
 *
 * The number lies on a network filesystem, which asks its server.
 */
#include "workload/task_file.h"
#include "workload/workload.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define BATCH_PAIRS 64

static int enter(struct worker_self *self, struct error *err)
{
	return task_file_enter_own(self, TASK_FILE_BLOCK, err);
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

const struct workload workload_lock1 = {
	.about = {
		.name = "lock1",
		.suite = "will-it-scale",
		.what = "POSIX lock and unlock of a byte of one's own file",
		.stands = "file locks without a rival",
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
