/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See named_file.h. */
#include "workload/named_file.h"

#include "base/auto.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/stat.h>

int named_file_enter(struct worker_self *self, enum named_file_place place, struct error *err)
{
	AUTO(text) char *own = mem_format("%s-%u", work_scratch(self->work), self->index);
	AUTO(text) char *path = NULL;
	if (place == NAMED_FILE_OWN_DIRECTORY && mkdir(own, 0700) < 0)
		return error_errno(err, errno, "cannot make the directory '%s'", own);
	if (place == NAMED_FILE_OWN_DIRECTORY)
		path = mem_format("%s/file", own);
	else
		path = mem_text(place == NAMED_FILE_ONE ? work_scratch(self->work) : own);
	AUTO(fd) int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		return error_errno(err, errno, "cannot make '%s'", path);
	self->state = KEEP(path);
	return 0;
}

void named_file_leave(struct worker_self *self)
{
	free(self->state);
	self->state = NULL;
}

int64_t named_file_open(const struct worker_self *self, int n)
{
	for (int i = 0; i < n; i++) {
		const int fd = open(self->state, O_RDWR);
		if (fd < 0 || close(fd) < 0)
			return -errno;
	}
	return n;
}

int64_t named_file_make(const struct worker_self *self, int n)
{
	for (int i = 0; i < n; i++) {
		const int fd = open(self->state, O_RDWR | O_CREAT, 0600);
		if (fd < 0 || close(fd) < 0 || unlink(self->state) < 0)
			return -errno;
	}
	return n;
}
