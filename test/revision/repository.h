/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A folder of the test's own with a git repository in it, and a cache beside it. */
#pragma once

struct repository {
	char root[64];  /* The folder. */
	char path[80];  /* The repository: root/repo. */
	char cache[80]; /* root/cache, which is not there yet. */
};

/* The script runs in the new repository with `git` set up to commit. */
void repository_make(struct repository *repository, const char *script);
void repository_done(struct repository *repository);

/* Runs a shell script in the repository; its exit code. */
int repository_shell(const struct repository *repository, const char *script);
