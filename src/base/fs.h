/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files under a root descriptor. Everything that assay reads of /proc and /sys goes through a root
 * fd, so that a recorded tree (--root DIR) answers as the machine would. `path` never begins with
 * '/'.
 */
#pragma once

#include "base/error.h"
#include "base/macros.h"

#include <stdbool.h>
#include <stddef.h>

#include <sys/types.h>

/* Opens `dir` ("/" for this machine) as a root; O_PATH-like, close-on-exec. Fd or negative errno
 * with err set. */
int fs_root_open(const char *dir, struct error *err);

/* openat below the root, O_CLOEXEC added. Fd or -errno; no error text, since absence is often an
 * outcome. */
int fs_open_at(int root_fd, const char *path, int flags);

/* Whole small file into buffer, terminated; at most size - 1 bytes are kept (rest dropped
 * silently). Number of bytes or -errno. */
ssize_t fs_read_at(int root_fd, const char *path, char *buffer, size_t size);

/* As fs_read_at, with blanks and newlines at the end removed. */
ssize_t fs_read_line_at(int root_fd, const char *path, char *buffer, size_t size);

/* pread from offset 0 until EOF or full (procfs gives a page at a time). Bytes or -errno;
 * terminates. */
ssize_t fs_pread_all(int fd, char *buffer, size_t size);

/* Whole file, any size up to `limit` bytes, into a new NUL-terminated block. */
int fs_read_whole_at(int root_fd, const char *path, size_t limit, char **ret_bytes,
		     size_t *ret_length, struct error *err);

/* Writes all bytes, retrying on EINTR and short writes. 0 or -errno. */
int fs_write_all(int fd, const void *bytes, size_t length);

/* Replaces `path` by a whole new content: temporary file beside it, fsync, rename, fsync of the
 * directory. */
int fs_replace(const char *path, const void *bytes, size_t length, mode_t mode, struct error *err);

/* mkdir -p; directories made here get `mode`. */
int fs_make_dirs(const char *path, mode_t mode, struct error *err);

bool fs_exists_at(int root_fd, const char *path);

/* Parses "0-3,8,10-11" as the kernel prints CPU and node lists. Calls each(number, user) in order.
 * Number of entries or -EINVAL. An empty list gives 0. */
int fs_list_each(const char *list, void (*each)(unsigned number, void *user), void *user);
