/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The git command line as a child. It is asked with an environment that lets it change nothing by the
 * way: no index is refreshed, no hook runs, no pager or prompt waits, and no GIT_DIR of a surrounding
 * hook leads elsewhere. git and not a library, for the same answers that the person gets at the shell.
 */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* Runs `git -C directory words...` and takes what it prints, without blanks at the end. `words` is
 * NULL-terminated. When git ends with a failure: -EIO, with git's own first sentence. *ret_output is a
 * new string; `ret_output` may be NULL. */
int git_run(const char *directory, const char *const *words, char **ret_output, struct error *err);

/* The same where a failure is an answer: *ret_yes tells, and only a git that cannot be run is an
 * error. */
int git_ask(const char *directory, const char *const *words, bool *ret_yes, char **ret_output,
	    struct error *err);

/* The commit that a word names: 40 or 64 hexadecimal digits, a new string. -EINVAL when it names
 * none. */
int git_commit(const char *directory, const char *word, char **ret_commit, struct error *err);
