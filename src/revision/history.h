/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What lies between two commits of a git repository: the commits that the bad one has and the good
 * one has not, with their parents, subjects and the files that they touch. Read once; nothing of the
 * repository is changed.
 */
#pragma once

#include "base/auto.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HISTORY_COMMITS_MAX 20000
#define HISTORY_NONE UINT32_MAX

struct history_commit {
	char *id;          /* The commit's hash. */
	char *tree;        /* Its tree's: equal trees are built once. */
	char *subject;     /* First line of its message. */
	uint32_t *parents; /* Numbers of those that are in the history, first parent first. */
	size_t n_parents;
	bool is_candidate; /* Between the ends; else the good end, or the parent of a candidate. */
	char **paths;      /* Files that differ from the first parent. Candidates only. */
	size_t n_paths;
};

struct history {
	char *root; /* The first commit that the good end descends from: which project it is. */
	struct history_commit *commits; /* Parents in front of their children. */
	size_t n;
	uint32_t good, bad;
};

/* GOOD and BAD are words that git knows. -EINVAL with a sentence when there is no such repository or
 * commit, when BAD does not descend from GOOD, or when too many commits lie between. */
int history_read(const char *repository, const char *good, const char *bad,
		 struct history **ret_history, struct error *err);
void history_free(struct history *history); /* NULL is allowed. */

/* The number of a commit by its full hash; HISTORY_NONE when it is not there. */
uint32_t history_find(const struct history *history, const char *id);

DEFINE_AUTO(history, struct history *, history_free);
