/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one way of isolation is, for isolation.c and the isolation_*.c files only.
 */
#pragma once

#include "base/error.h"
#include "probe/isolation.h"

#include <limits.h>

#include <sys/types.h>

struct isolation {
	const struct isolation_way *way;
	const char *text; /* A literal. */
	int alive[2];     /* The supervisor holds the writing end for as long as it lives. */
	/* Of the cgroup way; -1, 0 and "" otherwise. */
	int cgroup_fd;
	int watcher_fd; /* The watcher acts when this is closed. */
	pid_t watcher;
	char cgroup_path[PATH_MAX];
};

struct isolation_way {
	const char *name;
	/* In the supervisor before the fork. -errno with the reason: try the next way. */
	int (*begin)(struct isolation *isolation, struct error *err);
	/* In the harness; the parent-death signal follows. */
	int (*settle)(struct isolation *isolation, struct error *err);
	int parent_death_signal;
	void (*kill_rest)(void);
	void (*end)(struct isolation *isolation, pid_t harness);
};

extern const struct isolation_way isolation_namespace_way;
extern const struct isolation_way isolation_cgroup_way;
extern const struct isolation_way isolation_subreaper_way;
