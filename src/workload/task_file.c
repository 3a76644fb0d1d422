/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See task_file.h. */
#include "workload/task_file.h"

#include "base/auto.h"
#include "base/fs.h"
#include "base/mem.h"
#include "workload/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What prepare stored: the descriptor through which the one file is found again. */
struct same {
	int fd;
};

static void take(struct worker_self *self, int fd)
{
	void *block = NULL;
	/* O_DIRECT wants an aligned block. */
	if (posix_memalign(&block, (size_t)sysconf(_SC_PAGESIZE), TASK_FILE_BLOCK))
		abort(); /* Out of memory, as everywhere (base/mem.h). */
	memset(block, 0, TASK_FILE_BLOCK);
	struct task_file *file = mem_zero(sizeof(*file));
	file->fd = fd;
	file->block = block;
	self->state = file;
}

static int fill(int fd, uint64_t bytes, struct error *err)
{
	AUTO(text) char *block = mem_zero(bytes + 1); /* At least one: 0 bytes are no block. */
	const int failed = fs_write_all(fd, block, bytes);
	if (failed)
		return error_errno(err, -failed, "cannot fill the file to work on");
	if (lseek(fd, 0, SEEK_SET) < 0)
		return error_errno(err, errno, "cannot go to the start of the file to work on");
	return 0;
}

int task_file_enter_own(struct worker_self *self, uint64_t filled, struct error *err)
{
	AUTO(fd) int fd = work_file(self->work, /* size= */ 0, err);
	if (fd < 0)
		return fd;
	const int failed = fill(fd, filled, err);
	if (!failed)
		take(self, KEEP_FD(fd));
	return failed;
}

int task_file_enter_sparse(struct worker_self *self, uint64_t size, struct error *err)
{
	const int fd = work_file(self->work, size, err);
	if (fd < 0)
		return fd;
	take(self, fd);
	return 0;
}

int task_file_enter_in(struct worker_self *self, const char *directory, struct error *err)
{
	const int fd = scratch_nameless(directory, err);
	if (fd == -ENOENT || fd == -ENOTDIR)
		return error_set(err, EOPNOTSUPP, "there is no directory '%s'", directory);
	if (fd < 0)
		return fd;
	take(self, fd);
	return 0;
}

int task_file_prepare_same(struct work *work, uint64_t filled, struct error *err)
{
	AUTO(fd) int fd = work_file(work, /* size= */ 0, err);
	if (fd < 0)
		return fd;
	const int failed = fill(fd, filled, err);
	if (failed)
		return failed;
	struct same *same = mem_zero(sizeof(*same));
	same->fd = KEEP_FD(fd);
	work_share(work, same);
	return 0;
}

int task_file_open_same(struct worker_self *self, struct error *err)
{
	const struct same *same = work_shared(self->work);
	/* Through /proc a file without a name is opened anew, with a position and locks of its own;
	 * a copy of the descriptor would share both. */
	AUTO(text) char *path = mem_format("/proc/self/fd/%d", same->fd);
	const int fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return error_errno(err, errno, "cannot open the common file by '%s'", path);
	take(self, fd);
	return 0;
}

void task_file_retire(struct work *work)
{
	struct same *same = work_shared(work);
	if (!same)
		return;
	(void)close(same->fd); /* It has no name any more; closing removes it. */
	free(same);
	work_share(work, /* shared= */ NULL);
}

/* Pages are what the page cache is made of; a block is never larger. */
static uint64_t page_bytes(void)
{
	return (uint64_t)sysconf(_SC_PAGESIZE);
}

uint64_t task_file_page_each(const struct work *work)
{
	return page_bytes() * work_workers(work);
}

void task_file_take_page(struct worker_self *self)
{
	struct task_file *file = self->state;
	file->offset = (off_t)(page_bytes() * self->index);
}

int task_file_make_direct(struct worker_self *self, struct error *err)
{
	const struct task_file *file = self->state;
	const int flags = fcntl(file->fd, F_GETFL);
	if (flags >= 0 && fcntl(file->fd, F_SETFL, flags | O_DIRECT) == 0)
		return 0;
	const int code = errno;
	task_file_leave(self);
	if (code == EINVAL)
		return error_set(
			err, EOPNOTSUPP,
			"the filesystem of '%s' has no O_DIRECT; set TMPDIR to a directory "
			"on a disk",
			work_directory(self->work));
	return error_errno(err, code, "cannot switch to O_DIRECT");
}

void task_file_leave(struct worker_self *self)
{
	struct task_file *file = self->state;
	(void)close(file->fd); /* It has no name any more; closing removes it. */
	free(file->block);
	free(file);
	self->state = NULL;
}

int64_t task_file_short(int code)
{
	return code ? -code : -EIO;
}
