/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The exact distribution of the head's sum of whole-numbered scores over all relabellings within the
 * blocks, however many there are.
 */
#pragma once

#include "base/auto.h"
#include "stats/layout.h"

#include <stdint.h>

#define DISTRIBUTION_WORK_MAX 1e7 /* Additions; some ten milliseconds. */

struct distribution;

/* `sorted`: the scores, ascending within each block. NULL when it would be too much work: blocks of
 * more than about 70 runs a side. */
struct distribution *distribution_new(const struct layout *layout, const int32_t *sorted) NODISCARD;
void distribution_free(struct distribution *distribution);
DEFINE_AUTO(distribution, struct distribution *, distribution_free);

/* The share of the relabellings whose sum is at least as far from its expectation as `head_sum`. */
double distribution_p(const struct distribution *distribution, int64_t head_sum);

/* That of the farthest sum. */
double distribution_smallest_p(const struct distribution *distribution);
