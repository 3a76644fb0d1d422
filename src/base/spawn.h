/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Child processes: started with a chosen argv, environment and descriptors, waited for with a
 * deadline.
 */
#pragma once

#include "base/error.h"
#include "base/macros.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/types.h>

#define SPAWN_FDS_MAX 8

struct spawn_fd {
	int from; /* Descriptor in this process. */
	int to;   /* Its number in the child. */
};

struct spawn {
	const char *const
		*argv; /* NULL-terminated; argv[0] is looked up in PATH unless it has a '/'. */
	const char *const
		*environment;  /* NULL-terminated "KEY=VALUE", or NULL for this process's own. */
	const char *directory; /* Working directory or NULL. */
	struct spawn_fd fds[SPAWN_FDS_MAX]; /* Only these and 0-2 reach the child. */
	size_t n_fds;
	bool new_session; /* setsid, so that a terminal's Ctrl-C reaches only this process. */
	int parent_death_signal; /* Signal to the child when the calling thread ends; 0 for none. */
};

/* Starts the child. A failing exec is reported here (by a close-on-exec pipe), not as exit code
 * 127. */
int spawn_start(const struct spawn *spawn, pid_t *ret_pid, struct error *err);

/* Runs to the end and takes its standard output (at most `limit` bytes; the rest is read and
 * dropped). *ret_output is a new NUL-terminated block; *ret_status is as from waitpid. */
int spawn_output(const struct spawn *spawn, size_t limit, char **ret_output, int *ret_status,
		 struct error *err);

/* Where execvp(3) would find a program: `name` itself when it has a '/', else in the first of
 * `folders` (with ':' between them, as in PATH; NULL has none) in which it can be executed. New
 * string, or NULL. */
char *spawn_find(const char *name, const char *folders) NODISCARD;

/* Waits until `deadline_ns` (CLOCK_MONOTONIC; 0 = for ever). 1 ended, 0 deadline passed, -errno. */
int spawn_wait(pid_t pid, uint64_t deadline_ns, int *ret_status);

/* "exit code 3", "signal 9 (Killed)": into buffer. */
void spawn_status_show(int status, char *buffer, size_t size);
