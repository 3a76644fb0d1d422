/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a run counts in the tests of this room: its aligned rank, or its distance from its block's
 * mean. Both take a shift that is taken off the head's values first: a test of "the head is larger by
 * just that much".
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

/* The score minus its mean within the block, so that the head's sum is expected to be 0. Gives by
 * how much rounding may move a sum: sums that are closer count as equal. */
double score_centred(const struct layout *layout, enum permute_score score, double shift,
		     double *ret_centred);

/* The head's sum. */
double score_head_sum(const struct layout *layout, const double *scores);
