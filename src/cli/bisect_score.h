/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a run of a bisection says: the score that was asked for, or, without one, its exit code in the way
 * of `git bisect run`: 0 good, 1 to 124, 126 and 127 bad, 125 cannot be judged.
 */
#pragma once

#include "base/error.h"
#include "cli/bisect_case.h"
#include "cli/bisect_entries.h"
#include "record/run.h"

/* Looks that the score can be read at all: NAME, regex:RE or json:POINTER. -EINVAL. */
int bisect_score_check(const char *score, struct error *err);

/* Sets outcome, value and reason of the entry. -EINVAL when an exit code (128 and more, or a signal) ends
 * the bisection, as it ends git's. */
int bisect_score_take(const struct bisect_case *bisection, const struct run *run,
		      struct bisect_entry *entry, struct error *err);

/* The direction of a score of our own by its name; BETTER_UNKNOWN elsewhere. */
enum metric_better bisect_score_better(const char *score);
