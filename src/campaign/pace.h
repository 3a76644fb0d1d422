/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long the rest of a plan will take: for each job the mean of what its runs took so far, with
 * all that goes with a run; for a job without a run yet, the plan's estimate, corrected by what the
 * other jobs took more or less than theirs.
 */
#pragma once

#include "experiment/plan.h"

#include <stdint.h>

struct pace;

/* `done[i]` says which planned runs are kept already. */
struct pace *pace_new(const struct plan *plan, const bool *done);
void pace_free(struct pace *pace); /* NULL is allowed. */

/* A run of this job took so long and is off the list. */
void pace_note(struct pace *pace, uint32_t job, uint64_t took_ns);
/* A run of this job took so long and must be repeated. */
void pace_note_repeated(struct pace *pace, uint32_t job, uint64_t took_ns);
/* A run of this job is off the list without being carried out. */
void pace_spare(struct pace *pace, uint32_t job);

/* Nanoseconds that are left, when a run of `job` has been going on for `elapsed_ns`. */
uint64_t pace_remaining_ns(const struct pace *pace, uint32_t job, uint64_t elapsed_ns);

DEFINE_AUTO(pace, struct pace *, pace_free);
