/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one worker does from its first instruction to its last: enter, barrier, batches, leave. It tells
 * what happened through its slot only.
 */
#pragma once

#include "probe/area.h"
#include "probe/barrier.h"
#include "workload/work.h"

#include <pthread.h>

struct worker_task {
	struct work *work; /* Borrowed, as all here. */
	struct area *area;
	struct barrier *barrier;
	pthread_t harness; /* Gets SIGCHLD when a thread fails, as it would of a process. */
	unsigned index;    /* Within its work. */
	unsigned slot;     /* In the area. */
};

/* The body of a thread; the argument is a struct worker_task. */
void *worker_thread(void *task);

/* The body of a forked child; never returns. */
void worker_process(const struct worker_task *task) __attribute__((noreturn));
