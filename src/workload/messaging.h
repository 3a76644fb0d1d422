/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups of senders and receivers that send small messages through sockets or pipes: every sender of a
 * group writes to every receiver of it, and all are released at once. The core of hackbench and of perf
 * bench sched messaging, which are one program under two names. One operation is one message.
 *
 * Creation, start gate and open files follow hackbench of rt-tests: a receiver owns one channel; the
 * maker closes its read end, the receiver its write end; a group's write ends are closed when its
 * last sender has been made. Not the same: a task that dies leaves no orphans behind.
 *
 * The parameter ipc (socket, pipe, inet) says what the channels are.
 */
#pragma once

#include "workload/workload.h"

#define MESSAGING_STACK_BYTES (16UL << 10)

struct messaging {
	uint64_t groups;
	uint64_t fds;   /* Receivers of a group, and senders. */
	uint64_t loops; /* Messages from each sender to each receiver of its group. */
	uint64_t size;  /* Bytes of one. */
};

/* Two workers a channel. */
static inline unsigned messaging_workers(const struct messaging *messaging)
{
	return (unsigned)(messaging->groups * 2 * messaging->fds);
}

int messaging_prepare(struct work *work, const struct messaging *messaging, struct error *err);
int messaging_before_worker(struct work *work, unsigned index, struct error *err);
void messaging_after_worker(struct work *work, unsigned index);
int messaging_enter(struct worker_self *self, struct error *err);
int64_t messaging_batch(struct worker_self *self);
void messaging_retire(struct work *work);
