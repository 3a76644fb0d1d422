/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files under a root descriptor. See fs.h. */
#include "base/fs.h"

#include "base/auto.h"
#include "base/mem.h"
#include "base/text.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>

int fs_root_open(const char *dir, struct error *err)
{
	const int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd >= 0 ? fd : error_errno(err, errno, "cannot open root directory '%s'", dir);
}

int fs_open_at(int root_fd, const char *path, int flags)
{
	assert(path[0] != '/');
	const int fd = openat(root_fd, path, flags | O_CLOEXEC);
	return fd >= 0 ? fd : -errno;
}

ssize_t fs_pread_all(int fd, char *buffer, size_t size)
{
	assert(size > 0);
	size_t have = 0;
	while (have < size - 1) {
		const ssize_t got = pread(fd, buffer + have, size - 1 - have, (off_t)have);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (got == 0)
			break;
		have += (size_t)got;
	}
	buffer[have] = '\0';
	return (ssize_t)have;
}

ssize_t fs_read_at(int root_fd, const char *path, char *buffer, size_t size)
{
	AUTO(fd) int fd = fs_open_at(root_fd, path, O_RDONLY);
	return fd < 0 ? fd : fs_pread_all(fd, buffer, size);
}

ssize_t fs_read_line_at(int root_fd, const char *path, char *buffer, size_t size)
{
	ssize_t length = fs_read_at(root_fd, path, buffer, size);
	while (length > 0 && isspace((unsigned char)buffer[length - 1]))
		buffer[--length] = '\0';
	return length;
}

int fs_read_whole_at(int root_fd, const char *path, size_t limit, char **ret_bytes,
		     size_t *ret_length, struct error *err)
{
	AUTO(fd) int fd = openat(root_fd, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return error_errno(err, errno, "cannot open '%s'", path);
	AUTO(text) char *bytes = NULL;
	size_t capacity = 0;
	size_t have = 0;
	for (;;) {
		bytes = mem_grow(bytes, &capacity, have + 4096 + 1, 1);
		const ssize_t got = read(fd, bytes + have, capacity - have - 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return error_errno(err, errno, "cannot read '%s'", path);
		if (got == 0)
			break;
		have += (size_t)got;
		if (have > limit)
			return error_set(err, EFBIG, "'%s' is longer than %zu bytes", path, limit);
	}
	bytes[have] = '\0';
	*ret_bytes = KEEP(bytes);
	*ret_length = have;
	return 0;
}

int fs_write_all(int fd, const void *bytes, size_t length)
{
	const char *at = bytes;
	while (length > 0) {
		const ssize_t written = write(fd, at, length);
		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return -errno;
		at += written;
		length -= (size_t)written;
	}
	return 0;
}

static int sync_directory_of(const char *path, struct error *err)
{
	AUTO(text) char *directory = mem_text(path);
	char *slash = strrchr(directory, '/');
	if (slash)
		slash[slash == directory ? 1 : 0] = '\0';
	AUTO(fd) int fd = open(slash ? directory : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || fsync(fd) < 0)
		return error_errno(err, errno, "cannot sync the directory of '%s'", path);
	return 0;
}

int fs_replace(const char *path, const void *bytes, size_t length, mode_t mode, struct error *err)
{
	AUTO(text) char *temporary = mem_format("%s.new-%d", path, (int)getpid());
	AUTO(fd) int fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
	if (fd < 0)
		return error_errno(err, errno, "cannot create '%s'", temporary);
	const int failed = fs_write_all(fd, bytes, length);
	if (failed || fsync(fd) < 0) {
		const int code = failed ? -failed : errno;
		(void)unlink(temporary); /* The failure to report is the write's. */
		return error_errno(err, code, "cannot write '%s'", temporary);
	}
	if (rename(temporary, path) < 0) {
		const int code = errno;
		(void)unlink(temporary); /* The failure to report is the rename's. */
		return error_errno(err, code, "cannot rename '%s' to '%s'", temporary, path);
	}
	return sync_directory_of(path, err);
}

static int make_dir(const char *path, mode_t mode, struct error *err)
{
	struct stat status;
	if (mkdir(path, mode) == 0)
		return 0;
	const int code = errno;
	/* A read-only file system may refuse before it sees that the directory is there. */
	if (stat(path, &status) == 0)
		return S_ISDIR(status.st_mode)
			       ? 0
			       : error_set(err, ENOTDIR, "'%s' is not a directory", path);
	return error_errno(err, code, "cannot make directory '%s'", path);
}

int fs_make_dirs(const char *path, mode_t mode, struct error *err)
{
	AUTO(text) char *part = mem_text(path);
	/* From the second byte on: a path that begins at the root has an empty first part. */
	for (char *at = part; *at; at++) {
		if (*at != '/' || at == part)
			continue;
		*at = '\0';
		const int failed = make_dir(part, mode, err);
		if (failed)
			return failed;
		*at = '/';
	}
	return make_dir(part, mode, err);
}

bool fs_exists_at(int root_fd, const char *path)
{
	return faccessat(root_fd, path, F_OK, 0) == 0;
}

/* One entry, "7" or "3-9"; moves *at behind it. Number of CPUs in it or -EINVAL. */
static int list_entry(const char **at, void (*each)(unsigned number, void *user), void *user)
{
	const char *end = *at + strlen(*at);
	uint64_t first;
	uint64_t last;
	if (!text_scan_u64(at, end, &first))
		return -EINVAL;
	last = first;
	if (**at == '-') {
		(*at)++;
		if (!text_scan_u64(at, end, &last))
			return -EINVAL;
	}
	if (last < first || last > 1U << 20)
		return -EINVAL;
	for (uint64_t number = first; number <= last; number++)
		each((unsigned)number, user);
	return (int)(last - first + 1);
}

int fs_list_each(const char *list, void (*each)(unsigned number, void *user), void *user)
{
	const char *at = list;
	int count = 0;
	while (isspace((unsigned char)*at))
		at++;
	while (*at && !isspace((unsigned char)*at)) {
		const int added = list_entry(&at, each, user);
		if (added < 0)
			return added;
		count += added;
		if (*at == ',' && isdigit((unsigned char)at[1]))
			at++;
		else if (*at && !isspace((unsigned char)*at))
			return -EINVAL;
	}
	return count;
}
