/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Built commits, kept: a build is known by what goes into it (tree, command, compiler, the
 * environment's flags), and is made once. Two that want the same build wait for each other; a build
 * that was killed is made anew. That a commit does not build is an outcome, with its log.
 *
 * Each build has a directory of its own, whose name has the same length for all, so that no path
 * makes one program longer than another.
 */
#pragma once

#include "base/auto.h"
#include "base/checksum.h"
#include "base/error.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#define BUILDER_TIME_LIMIT_NS (4ULL * 3600 * 1000000000ULL)
#define BUILDER_LOG_BYTES (64U << 10) /* Of the log's end that are handed out. */

enum builder_arm {
	BUILDER_PLAIN,   /* As the person builds. */
	BUILDER_ALIGNED, /* Every function begins at a multiple of 64 bytes. */
};

struct builder_request {   /* All borrowed. */
	const char *clone; /* checkout_clone(). */
	const char *cache;
	const char *commit, *tree;
	const char *command; /* For the shell, in the top of the tree. */
	enum builder_arm arm;
	const char *fresh; /* Builds of another word are never taken for this one; NULL: any. */
	const volatile sig_atomic_t *interrupted; /* May be NULL. */
	void (*begins)(void *user); /* Called when there is something to build; may be NULL. */
	void *user;
};

struct built {
	char key[CHECKSUM_SHA256_HEX];
	char *directory; /* The tree with what was built in it. */
	char *log_path;
	bool is_broken;      /* The command failed. */
	char *how;           /* "exit code 2"; "" when it did not fail. */
	uint64_t elapsed_ns; /* What the build took when it was made. */
	bool was_cached;     /* It was there already. */
};

/* 0, also for a commit that does not build; -EINTR when interrupted (nothing is kept of it then). */
int builder_get(const struct builder_request *request, struct built *ret_built, struct error *err);
void built_done(struct built *built);

/* The end of the build's log, a new string. */
char *builder_log(const struct built *built);

/* $XDG_CACHE_HOME/assay, else ~/.cache/assay: a new string. */
char *builder_cache_directory(void);

static inline void auto_release_built(struct built *built)
{
	built_done(built);
}
