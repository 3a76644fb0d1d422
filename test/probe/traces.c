/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of what is there, before and after. See traces.h. */
#include "traces.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/mem.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/wait.h>

#define LOOK_EVERY_NS (5 * NS_PER_MS)
#define LISTING_BYTES (4U << 20)

struct traces {
	char *directory;
	struct text there; /* One line each. */
};

static void add_names(const char *directory, const char *prefix, struct text *text)
{
	DIR *folder = opendir(directory);
	for (const struct dirent *entry = folder ? readdir(folder) : NULL; entry;
	     entry = readdir(folder))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
		    text_starts_with(entry->d_name, prefix))
			text_add(text, "%s/%s\n", directory, entry->d_name);
	if (folder)
		(void)closedir(folder);
}

/* The first `n_words` words of each line. */
static void add_lines(const char *path, unsigned n_words, struct text *text)
{
	AUTO(text) char *bytes = NULL;
	size_t length = 0;
	if (fs_read_whole_at(AT_FDCWD, path, LISTING_BYTES, &bytes, &length, NULL) != 0)
		return;
	char *rest = NULL;
	for (char *line = strtok_r(bytes, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		char *word_rest = NULL;
		text_add(text, "%s:", path);
		unsigned n = 0;
		for (char *word = strtok_r(line, " \t", &word_rest); word && n < n_words;
		     word = strtok_r(NULL, " \t", &word_rest), n++)
			text_add(text, " %s", word);
		text_add(text, "\n");
	}
}

/* Loop devices that have a file behind them; an unused one is no trace. */
static void add_loop_devices(struct text *text)
{
	DIR *folder = opendir("/sys/block");
	for (const struct dirent *entry = folder ? readdir(folder) : NULL; entry;
	     entry = readdir(folder)) {
		char path[NAME_MAX + 64];
		(void)snprintf(path, sizeof(path), "/sys/block/%s/loop/backing_file",
			       entry->d_name);
		add_lines(path, 1, text);
	}
	if (folder)
		(void)closedir(folder);
}

static void list(const char *directory, struct text *text)
{
	static const char *const devices[] = { "md", "ram", "dm-", "zram" };
	add_names(directory, "", text);
	add_names("/dev/shm", "", text);
	add_names("/dev/mqueue", "", text);
	add_lines("/proc/self/mountinfo", 5, text); /* Up to the mount point. */
	add_lines("/proc/sysvipc/shm", 2, text);    /* Key and identifier. */
	add_lines("/proc/sysvipc/sem", 2, text);
	add_lines("/proc/sysvipc/msg", 2, text);
	for (size_t i = 0; i < sizeof(devices) / sizeof(devices[0]); i++)
		add_names("/sys/block", devices[i], text);
	add_loop_devices(text);
}

static bool stands_in(const struct text *listing, const char *line)
{
	AUTO(text) char *whole = mem_format("\n%s\n", line);
	return strstr(text_string(listing), whole) != NULL;
}

/* The lines of `from` that do, or do not, stand in `listing`; each listing begins with a newline. */
static struct text select_lines(const struct text *from, const struct text *listing, bool stand)
{
	struct text chosen = { 0 };
	AUTO(text) char *copy = mem_text(text_string(from));
	char *rest = NULL;
	text_add(&chosen, "\n");
	for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		if (stands_in(listing, line) == stand)
			text_add(&chosen, "%s\n", line);
	return chosen;
}

static struct text list_now(const char *directory)
{
	struct text now = { 0 };
	text_add(&now, "\n");
	list(directory, &now);
	return now;
}

struct traces *traces_take(const char *directory)
{
	struct traces *traces = mem_zero(sizeof(*traces));
	traces->directory = mem_text(directory);
	traces->there = list_now(directory);
	return traces;
}

void traces_free(struct traces *traces)
{
	free(traces->directory);
	text_done(&traces->there);
	free(traces);
}

/* What was new at the first look and has been there ever since: what others make meanwhile comes and
 * goes. */
static void keep_what_stays(const struct traces *before, struct text *stays, bool is_first)
{
	struct text now = list_now(before->directory);
	struct text chosen = is_first ? select_lines(&now, &before->there, /* stand= */ false)
				      : select_lines(stays, &now, /* stand= */ true);
	text_done(&now);
	text_done(stays);
	*stays = chosen;
}

/* Buries what is dead; false when some child lives. */
static bool is_childless(void)
{
	pid_t pid;
	do
		pid = waitpid(-1, /* status= */ NULL, WNOHANG | __WALL);
	while (pid > 0 || (pid < 0 && errno == EINTR));
	return pid < 0 && errno == ECHILD;
}

void traces_compare(const struct traces *before, uint64_t patience_ns, struct text *ret_left)
{
	const uint64_t end_ns = clock_monotonic_ns() + patience_ns;
	struct text stays = { 0 };
	/* As long as a process lives it can leave more: the first look that counts is behind that. */
	for (bool is_first = true, childless = false;; is_first = !childless) {
		const bool late = clock_monotonic_ns() >= end_ns;
		childless = is_childless();
		keep_what_stays(before, &stays, is_first);
		if (late && !childless)
			text_add(ret_left, "a process\n");
		if (late && stays.length > 1)
			text_add(ret_left, "%s", text_string(&stays) + 1);
		if (late || (childless && stays.length == 1))
			break;
		clock_sleep_until_ns(clock_monotonic_ns() + LOOK_EVERY_NS);
	}
	text_done(&stays);
}
