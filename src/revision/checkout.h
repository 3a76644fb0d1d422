/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Commits laid out as files, outside of the person's checkout. Nothing is written into the person's
 * repository: `git worktree add` would leave its notes in .git/worktrees there, so worktrees belong to
 * a bare clone of our own in the cache, which borrows the repository's objects (git clone --shared).
 * What is committed here, such as a revert, is an object of that clone only.
 */
#pragma once

#include "base/error.h"

#include <stdbool.h>

/* Makes the clone below `cache` unless it is there, and gives its directory (a new string). A clone
 * whose repository has moved away is made anew. */
int checkout_clone(const char *repository, const char *cache, char **ret_clone, struct error *err);

/* Lays the commit out in `directory`, which must not exist; its parent must. Submodules stay empty. */
int checkout_make(const char *clone, const char *commit, const char *directory, struct error *err);

/* Removes the directory and the clone's note of it. */
int checkout_remove(const char *clone, const char *directory, struct error *err);

/* Undoes `commit` (a merge: against its first parent) on top of `on`. *ret_revert is the new commit, a
 * new string, or NULL when it does not apply cleanly. `directory` is used for the while. */
int checkout_revert(const char *clone, const char *commit, const char *on, const char *directory,
		    char **ret_revert, struct error *err);
