/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All workers of a run, as processes or threads: made in order behind the barrier, released together,
 * watched, reaped. Every wait has a deadline and notices at once when a worker fails, dies or ends too early.
 *
 * Functions that can fail say which worker and why: -EOPNOTSUPP when its workload cannot work here,
 * -ETIMEDOUT when the deadline passed, else another negative errno.
 */
#pragma once

#include "base/auto.h"
#include "base/error.h"
#include "probe/area.h"
#include "probe/plan.h"

#include <stdbool.h>
#include <stdint.h>

struct workers;

/* For all copies of the plan's workload, one copy's workers behind the other's. deadline_ns
 * (CLOCK_MONOTONIC): UINT64_MAX when there is none. The caller has one thread. */
int workers_new(const struct plan *plan, uint64_t deadline_ns, struct workers **ret_workers,
		struct error *err);
void workers_free(struct workers *workers); /* NULL is allowed. */

/* Makes them in order and waits until all stand at the barrier. */
int workers_start(struct workers *workers, struct error *err);

/* Opens the barrier: one byte. */
void workers_release(struct workers *workers);

/* WORK_LOOP: tells a phase to the loops. */
void workers_tell(struct workers *workers, enum phase phase);
/* WORK_LOOP, at the begin and at the end of the window: gives the time. Of workers that take turns it notes
 * what each has counted at that time; of others each one's own window tells it exactly. */
uint64_t workers_note(struct workers *workers, bool at_end);
/* WORK_LOOP: sleeps until then; a worker that ends before is a failure. */
int workers_watch(struct workers *workers, uint64_t until_ns, struct error *err);
/* WORK_LOOP, after PHASE_STOP was told: waits until all have closed their windows and stand still. */
int workers_await_still(struct workers *workers, struct error *err);
/* WORK_LOOP: lets them leave. */
void workers_dismiss(struct workers *workers);

/* Waits until all have ended and were reaped. */
int workers_reap(struct workers *workers, struct error *err);

/* After a failure: ends all that are left. False when threads are left that cannot be ended: then
 * nothing that they use may be released, and only the end of the process remains. */
bool workers_kill(struct workers *workers);

unsigned workers_count(const struct workers *workers);
/* More of them than this process had CPUs when they were made: they take turns, and a worker's own window,
 * which begins and ends with a turn, leaves out the time that it waited. */
bool workers_take_turns(const struct workers *workers);
/* Operations of a worker between the two notes. */
uint64_t workers_noted(const struct workers *workers, unsigned index);
const struct slot *workers_slot(const struct workers *workers, unsigned index);

DEFINE_AUTO(workers, struct workers *, workers_free);
