/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fresh measurement of both sides of a likely change, in random blocks, judged by the test of a
 * score with looks after each block (stats/sequential.h). Nothing that led to the suspicion counts.
 */
#pragma once

#include "bisect/state.h"

enum confirm_state { CONFIRM_GOES_ON, CONFIRM_IS_SO, CONFIRM_IS_NOT_SO };

/* Begins with the boundary in `bisect->at`. */
void confirm_begin(struct bisect *bisect);

/* The rest of the block that is being measured. */
void confirm_step(const struct bisect *bisect, struct bisect_step *step);

/* Judges the units so far; fills p, counts and effect of `bisect->at`. */
enum confirm_state confirm_judge(struct bisect *bisect);

/* Units an arm after which it may fail. */
size_t confirm_runs(const struct bisect *bisect);
