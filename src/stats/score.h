/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a run counts in the tests of this room: its clipped distance from its block's median, its
 * aligned rank, or its distance from its block's mean (permute.h). All take a shift that is taken off
 * the head's values first: a test of "the head is larger by just that much".
 */
#pragma once

#include "stats/layout.h"
#include "stats/permute.h"

#include <stdint.h>

/* Value - its block's median, after the shift. ret_aligned: layout->n numbers, as all below. */
void score_align(const struct layout *layout, double shift, double *ret_aligned);

/* Twice the mean rank of each aligned value among all of them: whole numbers from 2. Values that
 * differ by less than what rounding can do are ties. */
void score_aligned_ranks(const struct layout *layout, double shift, int32_t *ret_doubled);

/* The aligned value, drawn in to the reach, in PERMUTE_CLIP_STEPS-ths of it: whole numbers, so that
 * their sums fall on few points. */
void score_clipped(const struct layout *layout, double shift, int32_t *ret_steps);

/* One of the two; not for PERMUTE_MEAN. */
void score_whole(const struct layout *layout, enum permute_score score, double shift,
		 int32_t *ret_scores);

/* The score minus its mean within the block, so that the head's sum is expected to be 0. Gives by
 * how much rounding may move a sum: sums that are closer count as equal. */
double score_centred(const struct layout *layout, enum permute_score score, double shift,
		     double *ret_centred);

/* The head's sum. */
double score_head_sum(const struct layout *layout, const double *scores);
