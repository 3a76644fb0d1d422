/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * AIM7's disk_src: the search of directories. A tree of eight directories with 40 links each to one
 * empty file and a list of names are prepared. One job goes into the tree, reads the list, shuffles
 * its 57 names to look up and 43 names to make, and goes through both: stat(2) of the one; creat,
 * close, unlink of the other, under a name of its own.
 *
 * It presses the walk along a path of up to eight names, the caches of names that are there and of
 * names that are not, and the locks of directories that all tasks share. The tree has the shape of the
 * original's and names of our own; the original takes heap memory for each name of the list, this
 * one has room for all.
 *
 * The number lies when the depth of TMPDIR differs between the sides (each path is walked from the
 * tree's top, but going in walks it all), and when a security module looks at every look-up.
 */
#include "base/auto.h"
#include "base/fs.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "workload/aim7.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

#define LINKS 40 /* Names in each directory. */
#define SLOTS 75 /* The original's lists; those that hold no name are NULL. */
#define PASSES 5 /* Of the shuffle. */
#define NAME_BYTES 96
#define LIST_BYTES (16UL << 10)
#define READ_BYTES 4096
#define N_STATS 57
#define N_CREATES 43

/* A directory of the tree, and how many of its names the list looks up and makes. */
static const struct branch {
	const char *path;
	unsigned stats;
	unsigned creates;
} branches[] = {
	{ ".", 8, 0 },
	{ "./tools", 6, 7 },
	{ "./group/team", 7, 5 },
	{ "./var/spool/queue/batch", 7, 6 },
	{ "./group/kernel/tree/mm/slab", 6, 6 },
	{ "./srv/port/tools/archive/zip", 8, 7 },
	{ "./srv/release/radio/history/src", 8, 6 },
	{ "./group/editor/main2.14/src/manual/one", 7, 6 },
};

/* What a job needs; behind the task's own state, so that it is found from it. */
struct search {
	struct aim7_task task; /* First: the task of aim7.h is the head of this. */
	char tree[PATH_MAX];
	char list[LIST_BYTES];
	char names[SLOTS][NAME_BYTES]; /* To make, with the task's number. */
	const char *stats[SLOTS];
	const char *creates[SLOTS];
	unsigned number;
};

/* ---- the tree ---- */

static void add_lines(struct text *list, const struct branch *branch)
{
	text_add(list, "%s\n", branch->path);
	for (unsigned i = 0; i < branch->creates; i++)
		text_add(list, "c %s/absent%u\n", branch->path, i);
	for (unsigned i = 0; i < LINKS; i++) {
		/* Every fifth or so is looked up; lines without a letter are only read over. */
		const bool looked_up = i % 5 == 4 && i / 5 < branch->stats;
		text_add(list, "%s%s/there%02u\n", looked_up ? "s " : "", branch->path, i);
	}
}

static int make_branch(const char *top, const struct branch *branch, const char *first,
		       struct error *err)
{
	AUTO(text) char *directory = mem_format("%s/%s", top, branch->path);
	const int failed = fs_make_dirs(directory, 0700, err);
	if (failed)
		return failed;
	for (unsigned i = 0; i < LINKS; i++) {
		AUTO(text) char *path = mem_format("%s/there%02u", directory, i);
		if (link(first, path) < 0)
			return error_errno(err, errno, "cannot link '%s'", path);
	}
	return 0;
}

static int make_tree(const char *directory, struct error *err)
{
	AUTO(text) char *top = mem_format("%s/tree", directory);
	AUTO(text) char *first = mem_format("%s/tree/first", directory);
	AUTO(text) char *list_path = mem_format("%s/tree/list", directory);
	AUTO(text_buffer) struct text list = { 0 };
	int failed = fs_make_dirs(top, 0700, err);
	if (failed)
		return failed;
	AUTO(fd) int fd = open(first, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		return error_errno(err, errno, "cannot make '%s'", first);
	for (size_t i = 0; !failed && i < ARRAY_SIZE(branches); i++) {
		failed = make_branch(top, &branches[i], first, err);
		add_lines(&list, &branches[i]);
	}
	if (failed)
		return failed;
	assert(list.length < LIST_BYTES);
	AUTO(fd) int list_fd = open(list_path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	failed = list_fd < 0 ? -errno : fs_write_all(list_fd, list.bytes, list.length);
	return failed ? error_errno(err, -failed, "cannot write '%s'", list_path) : 0;
}

static int prepare(struct work *work, struct error *err)
{
	int failed = aim7_prepare(work, err);
	if (failed)
		return failed;
	const struct storage *storage = aim7_storage(work);
	for (unsigned i = 0; !failed && i < storage_count(storage); i++)
		failed = make_tree(storage_directory(storage, i), err);
	if (failed)
		aim7_retire(work);
	return failed;
}

/* ---- a job ---- */

static int read_list(struct search *search)
{
	AUTO(fd) int fd = open("list", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	size_t have = 0;
	for (;;) {
		assert(have + READ_BYTES <= sizeof(search->list));
		const ssize_t got = read(fd, search->list + have, READ_BYTES);
		if (got <= 0) {
			search->list[have] = '\0';
			return got < 0 ? -errno : 0;
		}
		have += (size_t)got;
	}
}

static void take_names(struct search *search)
{
	unsigned n_stats = 0;
	unsigned n_creates = 0;
	memset(search->stats, 0, sizeof(search->stats));
	memset(search->creates, 0, sizeof(search->creates));
	char *line = search->list;
	for (char *end = strchr(line, '\n'); end; end = strchr(line, '\n')) {
		*end = '\0';
		if (line[0] == 's') {
			search->stats[n_stats++] = line + 2;
		} else if (line[0] == 'c') {
			char *name = search->names[n_creates];
			(void)snprintf(name, NAME_BYTES, "%s%05u", line + 2, search->number);
			search->creates[n_creates++] = name;
		}
		line = end + 1;
	}
	assert(n_stats == N_STATS && n_creates == N_CREATES);
}

static void shuffle(const char **slots, uint64_t *seed)
{
	for (unsigned i = 0; i < PASSES * SLOTS; i++) {
		const unsigned other = aim7_random(seed) % SLOTS;
		const char *held = slots[i % SLOTS];
		slots[i % SLOTS] = slots[other];
		slots[other] = held;
	}
}

static int make_and_remove(const char *name)
{
	AUTO(fd) int fd = creat(name, 0777);
	if (fd < 0)
		return -errno;
	(void)close(KEEP_FD(fd)); /* Nothing was written. */
	return unlink(name) < 0 ? -errno : 0;
}

static int go_through(struct search *search)
{
	int failed = read_list(search);
	if (failed)
		return failed;
	take_names(search);
	shuffle(search->stats, &search->task.seed);
	shuffle(search->creates, &search->task.seed);
	for (unsigned i = 0; i < SLOTS && !failed; i++) {
		struct stat about;
		if (search->stats[i] && stat(search->stats[i], &about) < 0)
			return -errno;
		if (search->creates[i])
			failed = make_and_remove(search->creates[i]);
	}
	return failed;
}

static int job(struct aim7_task *task)
{
	struct search *search = (struct search *)task;
	char back[PATH_MAX];
	if (!getcwd(back, sizeof(back)) || chdir(search->tree) < 0)
		return -errno;
	const int failed = go_through(search);
	if (chdir(back) < 0)
		return -errno;
	return failed;
}

/* ---- the task's side ---- */

static int enter(struct worker_self *self, struct error *err)
{
	int failed = aim7_enter(self, err);
	if (failed)
		return failed;
	struct search *search = mem_zero(sizeof(*search));
	struct aim7_task *task = self->state;
	search->task = *task;
	free(task); /* Its own pointers went over. */
	search->number = self->index;
	const int length =
		snprintf(search->tree, sizeof(search->tree), "%s/tree", search->task.directory);
	self->state = search;
	if (length < (int)sizeof(search->tree))
		return 0;
	aim7_leave(self);
	return error_set(err, ENAMETOOLONG, "TMPDIR is too long a path: %s",
			 work_directory(self->work));
}

static int64_t batch(struct worker_self *self)
{
	return aim7_run(self, job);
}

static const struct parameter parameters[] = { AIM7_PARAMETERS, { 0 } };
static const struct metric metrics[] = { AIM7_S7110_METRICS, { 0 } };

const struct workload workload_disk_src = {
	.about = {
		.name = "disk_src",
		.suite = "aim7",
		.what = "look up, make and remove names in a tree of directories",
		.stands = "path walk, caches of present and absent names, directory locks",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 1,
		.needs = NEED_ROOT,
		.needs_why = STORAGE_NEEDS_WHY,
	},
	.shape = WORK_FIXED,
	.has_names = true,
	.check = storage_check,
	.count = aim7_count,
	.prepare = prepare,
	.enter = enter,
	.batch = batch,
	.leave = aim7_leave,
	.score = aim7_score,
	.retire = aim7_retire,
};
