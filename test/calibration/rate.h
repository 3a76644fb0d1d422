/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A share that was counted, its exact interval (Clopper and Pearson 1934, 99 %), and when a claim
 * about it is met: a false-alarm rate when the interval reaches down to what was promised and its
 * upper end is below one and a half times that; a power figure when the interval reaches it.
 */
#pragma once

#include "base/macros.h"

#include <stdbool.h>
#include <stdint.h>

#define RATE_PROVEN 1.5        /* Times the promise. */
#define RATE_LONG_ENOUGH 10000 /* Trials from which on the upper end is asked for as well. */

struct rate {
	uint64_t hits, trials;
	double share, low, high;
};

struct rate rate_of(uint64_t hits, uint64_t trials);
bool rate_keeps(const struct rate *rate, double promised);
bool rate_reaches(const struct rate *rate, double figure);

/* "0.98 (0.86-1.12)", per cent. New string. */
char *rate_show(const struct rate *rate) NODISCARD;

/* The claims of one run of the program. */
struct claims {
	unsigned n_met, n_not_met;
};

/* " met" or " NOT MET", and counts it; "" when nothing is claimed. */
const char *claims_check(struct claims *claims, bool claimed, bool holds);

/* A mean over repetitions with its 99 % interval (Student). */
struct mean {
	double mean, low, high;
};

struct mean mean_of(double sum, double sum_of_squares, uint64_t n);
