/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See scratch.h. */
#include "workload/scratch.h"

#include "base/auto.h"
#include "base/mem.h"
#include "base/text.h"
#include "workload/storage_journal.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME_START "assay-scratch-"
#define TREE_FILES_MAX 16

static void close_folder(DIR **folder)
{
	if (*folder)
		(void)closedir(*folder);
}

static int remove_one(const char *path, const struct stat *stat, int type, struct FTW *ftw)
{
	(void)stat;
	(void)type;
	(void)ftw;
	(void)remove(path); /* Whatever stays is found by the next run. */
	return 0;
}

static void remove_tree(const char *path)
{
	(void)nftw(path, remove_one, TREE_FILES_MAX, FTW_DEPTH | FTW_PHYS);
}

/* Of a name of another process that is dead. */
static bool is_stale(const char *name)
{
	if (!text_starts_with(name, NAME_START))
		return false;
	const char *number = name + strlen(NAME_START);
	char *end;
	const long pid = strtol(number, &end, 10);
	return end != number && *end == '-' && pid > 0 && kill((pid_t)pid, 0) < 0 && errno == ESRCH;
}

/* Removes the entries of the directory that begin with `start`, or, with NULL, the stale ones. */
static void remove_entries(const char *directory, const char *start)
{
	__attribute__((cleanup(close_folder))) DIR *folder = opendir(directory);
	if (!folder)
		return;
	for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
		if (start ? !text_starts_with(entry->d_name, start) : !is_stale(entry->d_name))
			continue;
		AUTO(text) char *path = mem_format("%s/%s", directory, entry->d_name);
		if (!storage_journal_is(entry->d_name) || storage_journal_undo(path))
			remove_tree(path);
	}
}

int scratch_new(const char *directory, char **ret_prefix, struct error *err)
{
	remove_entries(directory, /* start= */ NULL);
	AUTO(text)
	char *prefix = mem_format("%s/" NAME_START "%d-XXXXXX", directory, (int)getpid());
	AUTO(fd) int fd = mkostemp(prefix, O_CLOEXEC);
	if (fd < 0)
		return error_errno(err, errno, "cannot make a temporary file in '%s'", directory);
	if (unlink(prefix) <
	    0) /* It has only shown that the name is free and the place writable. */
		return error_errno(err, errno, "cannot remove '%s'", prefix);
	*ret_prefix = KEEP(prefix);
	return 0;
}

void scratch_remove(const char *prefix)
{
	const char *slash = strrchr(prefix, '/');
	assert(slash && text_starts_with(slash + 1, NAME_START));
	AUTO(text) char *directory = mem_text_n(prefix, (size_t)(slash - prefix));
	remove_entries(directory, slash + 1);
}

/* A file without a name. -errno where the filesystem has none. */
static int open_nameless(const char *directory)
{
	const int fd = open(directory, O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
	return fd < 0 ? -errno : fd;
}

/* The way of filesystems without such files: a name that goes at once. Only a run that is killed between
 * the two calls leaves it. */
static int open_and_unlink(const char *directory, struct error *err)
{
	AUTO(text) char *path = mem_format("%s/assay-work-XXXXXX", directory);
	AUTO(fd) int fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return error_errno(err, errno, "cannot make a temporary file in '%s'", directory);
	if (unlink(path) < 0)
		return error_errno(err, errno, "cannot remove '%s'", path);
	return KEEP_FD(fd);
}

int scratch_nameless(const char *directory, struct error *err)
{
	const int fd = open_nameless(directory);
	return fd >= 0 ? fd : open_and_unlink(directory, err);
}
