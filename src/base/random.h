/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Seeded random numbers: xoshiro256** 1.0 (Blackman and Vigna, 2018) seeded through splitmix64. The
 * same seed gives the same sequence on every machine and in every version: schedules and
 * permutation tests are replayed from it.
 */
#pragma once

#include <stdint.h>

struct random {
	uint64_t state[4];
};

void random_seed(struct random *random, uint64_t seed);
uint64_t random_next(struct random *random); /* 64 uniform bits. */
uint64_t random_below(struct random *random,
		      uint64_t limit); /* Uniform in [0, limit), without modulo bias; limit > 0. */
double random_unit(struct random *random); /* Uniform in [0, 1), 53 bits. */
double
random_normal(struct random *random); /* Mean 0, deviation 1 (Box-Muller, one of the pair). */
uint64_t
random_seed_from_system(void); /* getrandom(2); below 2^53, so that JSON keeps it exactly. */
