/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The gates between harness and workers, as hackbench and will-it-scale have them: each worker writes one byte
 * to the ready pipe and polls the wake pipe; one byte that nobody reads releases all at once (the
 * herd that this lets loose is part of what those programs measure). A third pipe holds workers that
 * have finished their loop until the last samples are taken.
 */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct barrier {
	int ready[2];
	int wake[2];
	int finish[2];
};

int barrier_init(struct barrier *barrier, struct error *err);
void barrier_done(struct barrier *barrier);

/* A worker: I stand here. */
void barrier_tell(const struct barrier *barrier);
/* A worker: waits until the gate is opened. */
void barrier_wait_wake(const struct barrier *barrier);
void barrier_wait_finish(const struct barrier *barrier);

/* The harness opens a gate for all. */
void barrier_open_wake(const struct barrier *barrier);
void barrier_open_finish(const struct barrier *barrier);

/* A worker that is a process drops the harness's ends. */
void barrier_drop_harness_ends(struct barrier *barrier);

/* The harness, once, before it makes workers: from now on SIGCHLD only interrupts barrier_listen. */
void barrier_hold_back_child_signals(void);

/* The harness: waits until a worker has told, a child has ended, or the deadline (CLOCK_MONOTONIC) has
 * passed; fd -1 waits for the latter two. The number of workers that told; 0 for the other events. */
unsigned barrier_listen(int fd, uint64_t deadline_ns);
