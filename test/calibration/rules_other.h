/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How other tools decide "changed", written from descriptions of what they do, so that their rules
 * stand beside ours on the same numbers. None of them knows in which order the runs were made.
 *
 *     LKP         the smallest of one side is above the (upper) median of the other, and the median
 *                 of the one above the largest of the other; and the medians differ by more than
 *                 1 % (a benchmark's own result) or 5 % (everything else). 3 runs on one side
 *     LKP distance  what it bisects with: the ranges are apart, by more than half of the difference
 *                 of the medians
 *     benchstat   Mann-Whitney U, exact with ties up to 25 a side, without up to 50
 *     mmtests     the means differ by more than 1.96 times the sum of the two deviations
 *     Welch       Welch's t
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define RULES_LKP_RESULT 1.01 /* Ratio of medians for a benchmark's own result. */
#define RULES_LKP_REST 1.05

struct both { /* Two sides. */
	const double *base;
	size_t n_base;
	const double *head;
	size_t n_head;
};

/* Distributions that are worked out once and used again. */
struct rules;
struct rules *rules_new(void);
void rules_free(struct rules *rules);

bool rules_lkp(const struct both *both, double ratio_least);
bool rules_lkp_distance(const struct both *both, double ratio_least);
bool rules_mmtests(const struct both *both);

/* Two-sided p; 1 when a side is empty. */
double rules_mann_whitney(struct rules *rules, const struct both *both);

/* Two-sided p; 1 with fewer than 2 runs on a side, 0 or 1 when both are constant. */
double rules_welch(const struct both *both);
