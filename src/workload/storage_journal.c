/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See storage_journal.h. */
#include "workload/storage_journal.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/mem.h"
#include "base/text.h"
#include "workload/storage_device.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/file.h>
#include <sys/stat.h>

#define NAME_END "-devices"
#define BOOT_ID_BYTES 64
#define JOURNAL_BYTES 4096
#define LINES_MAX 64
#define TRIES 50
#define PAUSE_NS (100 * NS_PER_MS)

struct storage_journal {
	char *path;
	int fd;
};

bool storage_journal_is(const char *name)
{
	return text_ends_with(name, NAME_END);
}

static bool read_boot(char buffer[static BOOT_ID_BYTES])
{
	AUTO(fd) int root_fd = fs_root_open("/", /* err= */ NULL);
	return root_fd >= 0 && fs_read_line_at(root_fd, "proc/sys/kernel/random/boot_id", buffer,
					       BOOT_ID_BYTES) > 0;
}

int storage_journal_new(const char *prefix, struct storage_journal **ret_journal, struct error *err)
{
	char boot[BOOT_ID_BYTES];
	if (!read_boot(boot))
		return error_set(err, EOPNOTSUPP,
				 "cannot read the boot's id in /proc/sys/kernel/random/boot_id");
	AUTO(text) char *path = mem_format("%s" NAME_END, prefix);
	AUTO(fd) int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
	if (fd < 0)
		return error_errno(err, errno, "cannot make the journal '%s'", path);
	struct storage_journal *journal = mem_zero(sizeof(*journal));
	journal->path = KEEP(path);
	journal->fd = KEEP_FD(fd);
	const int failed = storage_journal_note(journal, "boot", boot, err);
	if (failed) {
		storage_journal_close(journal);
		return failed;
	}
	*ret_journal = journal;
	return 0;
}

int storage_journal_note(struct storage_journal *journal, const char *kind, const char *name,
			 struct error *err)
{
	assert(!strpbrk(name, " \n"));
	AUTO(text) char *line = mem_format("%s %s\n", kind, name);
	/* One write, so that a kill leaves a whole line or none. */
	const int failed = fs_write_all(journal->fd, line, strlen(line));
	return failed ? error_errno(err, -failed, "cannot write the journal '%s'", journal->path)
		      : 0;
}

void storage_journal_close(struct storage_journal *journal)
{
	if (!journal)
		return;
	if (storage_journal_undo(journal->path))
		(void)unlink(journal->path); /* The scratch's removal would find it. */
	(void)close(journal->fd);
	free(journal->path);
	free(journal);
}

/* ---- reading ---- */

/* What may stand in a journal, so that no line of it can reach another thing. */
static bool is_ours(const char *name, const char *start)
{
	static const char allowed[] =
		"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-";
	if (!text_starts_with(name, start))
		return false;
	const char *rest = name + strlen(start);
	return *rest && rest[strspn(rest, allowed)] == '\0';
}

static bool is_believed(const char *kind, const char *name)
{
	return (text_equal(kind, "array") && is_ours(name, "md_assay_")) ||
	       (text_equal(kind, "ram") && is_ours(name, "/dev/ram")) ||
	       (text_equal(kind, "module") && text_equal(name, STORAGE_RAM_MODULE));
}

/* The file, -1 when it is not to be believed. */
static int open_trusted(const char *path)
{
	AUTO(fd) int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat about;
	if (fd < 0 || fstat(fd, &about) < 0 || !S_ISREG(about.st_mode))
		return -1;
	if (about.st_uid != geteuid() || (about.st_mode & (S_IWGRP | S_IWOTH)) ||
	    about.st_nlink != 1)
		return -1;
	return KEEP_FD(fd);
}

/* Cuts the text into its whole lines. */
static size_t split(char *bytes, char *ret_lines[static LINES_MAX])
{
	size_t n = 0;
	char *rest = bytes;
	for (char *end = strchr(rest, '\n'); end && n < LINES_MAX; end = strchr(rest, '\n')) {
		*end = '\0';
		ret_lines[n++] = rest;
		rest = end + 1;
	}
	return n;
}

size_t storage_journal_read(const char *path,
			    void (*each)(const char *kind, const char *name, void *user),
			    void *user)
{
	char boot[BOOT_ID_BYTES];
	char *lines[LINES_MAX];
	size_t told = 0;
	AUTO(fd) int fd = open_trusted(path);
	AUTO(text) char *bytes = mem_zero(JOURNAL_BYTES);
	if (fd < 0 || fs_pread_all(fd, bytes, JOURNAL_BYTES) <= 0 || !read_boot(boot))
		return 0;
	size_t n = split(bytes, lines);
	/* After another boot the names mean other things. */
	if (n == 0 || !text_starts_with(lines[0], "boot ") || !text_equal(lines[0] + 5, boot))
		return 0;
	/* Backwards: an array holds the disks below it, and disks hold their module. */
	while (n > 1) {
		char *name = strchr(lines[--n], ' ');
		if (!name)
			continue;
		*name++ = '\0';
		if (!is_believed(lines[n], name))
			continue;
		each(lines[n], name, user);
		told++;
	}
	return told;
}

/* ---- giving back ---- */

static int give_back_now(const char *kind, const char *name)
{
	if (text_equal(kind, "array"))
		return storage_array_stop(name);
	return text_equal(kind, "ram") ? storage_ram_wipe(name) : storage_ram_unload();
}

static void give_back(const char *kind, const char *name, void *user)
{
	bool *all_done = user;
	int failed = -EBUSY;
	for (unsigned i = 0; i < TRIES && (failed == -EBUSY || failed == -EAGAIN); i++) {
		if (i > 0)
			clock_sleep_until_ns(clock_monotonic_ns() + PAUSE_NS);
		failed = give_back_now(kind, name);
	}
	*all_done = *all_done && failed == 0;
}

bool storage_journal_undo(const char *path)
{
	bool all_done = true;
	AUTO(fd) int fd = open_trusted(path);
	/* Two at once (the janitor of a killed run and the next run) would see each other as users of an
	 * array. */
	if (fd < 0 || flock(fd, LOCK_EX) < 0)
		return true;
	(void)storage_journal_read(path, give_back, &all_done);
	return all_done;
}
