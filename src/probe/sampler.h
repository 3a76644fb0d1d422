/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The monitors of a run: opened and declared before it, sampled at both edges of the measured window and, by a
 * thread of their own, at absolute times in between. Inside the window nothing is allocated, opened or
 * logged. What sampling costs is counted per monitor, in CPU time, encoding and writing included.
 *
 * Order of calls: _new, _follow (after the workers were made), _start, _first, _begin, _stop, _last, _finish.
 */
#pragma once

#include "base/auto.h"
#include "base/error.h"
#include "monitor/monitor.h"
#include "probe/plan.h"
#include "record/wire.h"

#include <stdint.h>

#include <sys/resource.h>

struct sampler;

/* Opens the plan's monitors and declares them in the stream. Until _finish the stream is the sampler's
 * between _begin and _stop, and the caller's otherwise. */
struct sampler *sampler_new(const struct plan *plan, struct wire *wire);
void sampler_free(struct sampler *sampler); /* NULL is allowed; stops it when need be. */

/* The workers stand at the barrier: monitors of the workload's own tasks learn which they are. */
void sampler_follow(struct sampler *sampler);

/* Starts the thread, if there is anything to do between the edges. */
int sampler_start(struct sampler *sampler, struct error *err);

/* Reads all monitors into memory, just before the window. */
void sampler_first(struct sampler *sampler);
/* The window begins: the readings of _first get this time and are written with the next ones. */
void sampler_begin(struct sampler *sampler, uint64_t at_ns);
/* No more samples between the edges. */
void sampler_stop(struct sampler *sampler);
/* Reads all monitors again and writes them with this time, or that of the last sample when it is later; gives
 * the time used. */
uint64_t sampler_last(struct sampler *sampler, uint64_t at_ns);

/* What the thread itself used inside the window; valid after _stop. */
void sampler_own(const struct sampler *sampler, struct rusage *ret_begin, struct rusage *ret_end);

/* Monitors of the harness's own numbers (`time`). */
void sampler_report(const struct sampler *sampler, const struct usage *usage, monitor_emit *emit,
		    void *sink);

/* Writes each monitor's cost, its last word. 0, or the first -errno of any write since _new. */
int sampler_finish(struct sampler *sampler);

DEFINE_AUTO(sampler, struct sampler *, sampler_free);
