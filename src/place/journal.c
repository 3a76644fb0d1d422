/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Journals are JSON files named after the writer: "changes-<pid>-<start time>.json". The start time
 * (field 22 of /proc/PID/stat) tells a writer that is alive from another process that got its
 * number. See journal.h.
 */
#include "place/journal.h"

#include "base/auto.h"
#include "base/fs.h"
#include "base/mem.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define JOURNAL_BYTES_MAX (16U << 20)
#define STAT_START_TIME 22

static void close_directory(DIR *directory)
{
	(void)closedir(directory); /* It was only read. */
}

DEFINE_AUTO(directory, DIR *, close_directory);
DEFINE_AUTO(json, json_t *, json_decref);

/* Start time of a process in clock ticks since boot; 0 when there is no such process. */
static uint64_t start_time(uint64_t pid)
{
	char path[64];
	char stat[1024];
	(void)snprintf(path, sizeof(path), "/proc/%" PRIu64 "/stat", pid);
	AUTO(fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fs_pread_all(fd, stat, sizeof(stat)) <= 0)
		return 0;
	/* The name in brackets may hold blanks: the fields are counted from its end. */
	char *at = strrchr(stat, ')');
	if (!at)
		return 0;
	char *rest = NULL;
	unsigned field = 2;
	for (char *word = strtok_r(at + 1, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		uint64_t ticks;
		if (++field == STAT_START_TIME)
			return text_parse_u64(word, &ticks) ? ticks : 0;
	}
	return 0;
}

static char *own_path(const char *directory)
{
	const uint64_t pid = (uint64_t)getpid();
	return mem_format("%s/changes-%" PRIu64 "-%" PRIu64 ".json", directory, pid,
			  start_time(pid));
}

static json_t *to_json(const struct changes *changes)
{
	json_t *list = json_array();
	for (size_t i = 0; i < changes->n; i++) {
		const struct change *change = &changes->items[i];
		json_t *item = json_object();
		(void)json_object_set_new(item, "path", json_string(change->path));
		(void)json_object_set_new(item, "directory",
					  json_boolean(change->kind == CHANGE_DIRECTORY));
		(void)json_object_set_new(item, "temporary", json_boolean(change->temporary));
		(void)json_object_set_new(item, "before",
					  json_string(change->before ? change->before : ""));
		(void)json_array_append_new(list, item);
	}
	return list;
}

int journal_write(const char *directory, const struct changes *changes, struct error *err)
{
	/* Others may see that there is a journal, so that their results can be warned of. */
	const int unmade = fs_make_dirs(directory, 0755, err);
	if (unmade)
		return unmade;
	AUTO(json) json_t *list = to_json(changes);
	AUTO(text) char *bytes = json_dumps(list, JSON_INDENT(1));
	AUTO(text) char *path = own_path(directory);
	return fs_replace(path, bytes, strlen(bytes), 0600, err);
}

int journal_remove(const char *directory, struct error *err)
{
	AUTO(text) char *path = own_path(directory);
	if (unlink(path) < 0 && errno != ENOENT)
		return error_errno(err, errno, "cannot remove '%s'", path);
	return 0;
}

static int from_json(const json_t *list, struct changes *changes)
{
	size_t index;
	const json_t *item;
	json_array_foreach(list, index, item)
	{
		const char *path = json_string_value(json_object_get(item, "path"));
		const char *before = json_string_value(json_object_get(item, "before"));
		if (!path || !before || !*path || *path == '/' || strstr(path, ".."))
			return -EBADMSG;
		if (json_is_true(json_object_get(item, "directory"))) {
			changes_add_directory(changes, path);
			continue;
		}
		changes_add_temporary(changes, path, before);
		struct change *change = &changes->items[changes->n - 1];
		change->temporary = json_is_true(json_object_get(item, "temporary"));
		change->before = mem_text(before);
	}
	changes->n_applied = changes->n;
	return 0;
}

static int recover_one(const char *path, int root_fd, unsigned *restored, struct error *err)
{
	AUTO(text) char *bytes = NULL;
	size_t length = 0;
	int failed = fs_read_whole_at(AT_FDCWD, path, JOURNAL_BYTES_MAX, &bytes, &length, err);
	if (failed)
		return failed;
	AUTO(json) json_t *list = json_loadb(bytes, length, 0, /* error= */ NULL);
	struct changes changes = { 0 };
	if (!json_is_array(list) || from_json(list, &changes)) {
		changes_done(&changes);
		return error_set(err, EBADMSG,
				 "'%s' is damaged: it lists settings that a crashed run left "
				 "applied; check them by hand and remove the file",
				 path);
	}
	const unsigned n = (unsigned)changes.n;
	failed = changes_undo(&changes, root_fd, err);
	changes_done(&changes);
	if (failed)
		return error_at(err,
				"settings of a crashed run cannot be put back (by hand: "
				"'before' in '%s', then remove that file)",
				path);
	*restored += n;
	if (unlink(path) < 0)
		return error_errno(err, errno, "cannot remove '%s'", path);
	return 0;
}

/* True for a journal whose writer is gone. */
static bool is_orphan(const char *name)
{
	uint64_t pid;
	uint64_t started;
	int used = 0;
	if (sscanf(name, "changes-%" SCNu64 "-%" SCNu64 ".json%n", &pid, &started, &used) != 2)
		return false;
	return used == (int)strlen(name) && start_time(pid) != started;
}

static void name_files(const char *path, struct text *files)
{
	struct changes changes = { 0 };
	AUTO(text) char *bytes = NULL;
	size_t length = 0;
	AUTO(json) json_t *list = NULL;
	if (!fs_read_whole_at(AT_FDCWD, path, JOURNAL_BYTES_MAX, &bytes, &length, /* err= */ NULL))
		list = json_loadb(bytes, length, 0, /* error= */ NULL);
	const bool readable = json_is_array(list) && !from_json(list, &changes);
	if (!readable)
		text_add(files, "%sthose that '%s' lists", files->length > 0 ? ", " : "", path);
	for (size_t i = 0; readable && i < changes.n; i++)
		text_add(files, "%s/%s", files->length > 0 ? ", " : "", changes.items[i].path);
	changes_done(&changes);
}

size_t journal_leftovers(const char *directory, struct text *files)
{
	size_t n = 0;
	AUTO(directory) DIR *entries = opendir(directory);
	const struct dirent *entry;
	while (entries && (entry = readdir(entries))) {
		if (!is_orphan(entry->d_name))
			continue;
		AUTO(text) char *path = mem_format("%s/%s", directory, entry->d_name);
		name_files(path, files);
		n++;
	}
	return n;
}

int journal_recover(const char *directory, int root_fd, unsigned *ret_restored, struct error *err)
{
	*ret_restored = 0;
	AUTO(directory) DIR *entries = opendir(directory);
	if (!entries)
		return errno == ENOENT ? 0 : error_errno(err, errno, "cannot open '%s'", directory);
	const struct dirent *entry;
	while ((entry = readdir(entries))) {
		if (!is_orphan(entry->d_name))
			continue;
		AUTO(text) char *path = mem_format("%s/%s", directory, entry->d_name);
		const int failed = recover_one(path, root_fd, ret_restored, err);
		if (failed)
			return failed;
	}
	return 0;
}
