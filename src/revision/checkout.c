/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Worktrees of a clone of our own. See checkout.h. */
#include "revision/checkout.h"

#include "base/auto.h"
#include "base/checksum.h"
#include "base/fs.h"
#include "base/mem.h"
#include "revision/git.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sys/file.h>
#include <sys/stat.h>

#define OPEN_DIRECTORIES 16

static int remove_entry(const char *path, const struct stat *stat, int kind, struct FTW *where)
{
	/* A build may have made directories that forbid it. */
	if (kind == FTW_DP || kind == FTW_DNR)
		return rmdir(path) < 0 && errno != ENOENT ? -1 : 0;
	return unlink(path) < 0 && errno != ENOENT ? -1 : 0;
}

static int remove_tree(const char *directory, struct error *err)
{
	if (nftw(directory, remove_entry, OPEN_DIRECTORIES, FTW_DEPTH | FTW_PHYS) < 0 &&
	    errno != ENOENT)
		return error_errno(err, errno, "cannot remove '%s'", directory);
	return 0;
}

/* The clone still finds the objects that it borrows. */
static bool is_whole(const char *clone)
{
	const char *const words[] = { "rev-parse", "--verify", "--quiet", "HEAD^{tree}", NULL };
	bool yes = false;
	return git_ask(clone, words, &yes, /* ret_output= */ NULL, /* err= */ NULL) == 0 && yes;
}

/* Made beside its place and moved there, so that a killed clone is never taken for a whole one. */
static int make_clone(const char *source, const char *clone, struct error *err)
{
	AUTO(text) char *half = mem_format("%s.half", clone);
	const char *const words[] = { "clone", "--shared", "--bare", "--quiet", "--end-of-options",
				      source,  half,       NULL };
	int failed = remove_tree(half, err);
	if (!failed)
		failed = remove_tree(clone, err);
	if (!failed)
		failed = git_run("/", words, /* ret_output= */ NULL, err);
	if (!failed && rename(half, clone) < 0)
		failed = error_errno(err, errno, "cannot name '%s'", clone);
	return failed;
}

int checkout_clone(const char *repository, const char *cache, char **ret_clone, struct error *err)
{
	const char *const words[] = { "rev-parse", "--path-format=absolute", "--git-common-dir",
				      NULL };
	char name[CHECKSUM_SHA256_HEX];
	AUTO(text) char *source = NULL;
	AUTO(text) char *directory = mem_format("%s/repositories", cache);
	int failed = git_run(repository, words, &source, err);
	if (!failed)
		failed = fs_make_dirs(directory, 0700, err);
	if (failed)
		return failed;
	checksum_sha256_hex(source, strlen(source), name);
	AUTO(text) char *clone = mem_format("%s/%.16s.git", directory, name);
	AUTO(text) char *lock_path = mem_format("%s.lock", clone);
	AUTO(fd) int lock = open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (lock < 0 || flock(lock, LOCK_EX) < 0)
		return error_errno(err, errno, "cannot lock '%s'", lock_path);
	if (!is_whole(clone))
		failed = make_clone(source, clone, err);
	if (failed)
		return failed;
	*ret_clone = KEEP(clone);
	return 0;
}

int checkout_make(const char *clone, const char *commit, const char *directory, struct error *err)
{
	/* Twice --force: a worktree of a killed run may still be noted there. */
	const char *const words[] = { "worktree", "add",     "--force", "--force", "--quiet",
				      "--detach", directory, commit,    NULL };
	return git_run(clone, words, /* ret_output= */ NULL, err);
}

int checkout_remove(const char *clone, const char *directory, struct error *err)
{
	const char *const words[] = { "worktree", "prune", NULL };
	const int failed = remove_tree(directory, err);
	return failed ? failed : git_run(clone, words, /* ret_output= */ NULL, err);
}

static bool is_merge(const char *clone, const char *commit)
{
	AUTO(text) char *name = mem_format("%s^2", commit);
	const char *const words[] = { "rev-parse", "--verify", "--quiet", name, NULL };
	bool yes = false;
	return git_ask(clone, words, &yes, /* ret_output= */ NULL, /* err= */ NULL) == 0 && yes;
}

int checkout_revert(const char *clone, const char *commit, const char *on, const char *directory,
		    char **ret_revert, struct error *err)
{
	const bool merge = is_merge(clone, commit);
	const char *const words[] = { "revert", "--no-edit", merge ? "--mainline=1" : commit,
				      merge ? commit : NULL, NULL };
	bool yes = false;
	AUTO(text) char *revert = NULL;
	int failed = checkout_remove(clone, directory, err);
	if (!failed)
		failed = checkout_make(clone, on, directory, err);
	if (!failed)
		failed = git_ask(directory, words, &yes, /* ret_output= */ NULL, err);
	if (!failed && yes)
		failed = git_commit(directory, "HEAD", &revert, err);
	const int unremoved = checkout_remove(clone, directory, failed ? NULL : err);
	if (failed || unremoved)
		return failed ? failed : unremoved;
	*ret_revert = KEEP(revert);
	return 0;
}
