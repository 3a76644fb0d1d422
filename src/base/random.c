/* SPDX-License-Identifier: GPL-2.0-or-later */
/* xoshiro256** with a splitmix64 seed (Blackman and Vigna, "Scrambled linear pseudorandom number
 * generators", 2018). Written from the paper's description; the outputs are checked against
 * published values in the test. */
#include "base/random.h"

#include <assert.h>
#include <math.h>

#include <sys/random.h>

static uint64_t rotate_left(uint64_t word, unsigned by)
{
	return (word << by) | (word >> (64 - by));
}

static uint64_t splitmix_next(uint64_t *state)
{
	uint64_t mixed = (*state += 0x9e3779b97f4a7c15ULL);
	mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ULL;
	mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebULL;
	return mixed ^ (mixed >> 31);
}

void random_seed(struct random *random, uint64_t seed)
{
	for (unsigned i = 0; i < 4; i++)
		random->state[i] = splitmix_next(&seed);
}

uint64_t random_next(struct random *random)
{
	uint64_t *state = random->state;
	const uint64_t answer = rotate_left(state[1] * 5, 7) * 9;
	const uint64_t shifted = state[1] << 17;
	state[2] ^= state[0];
	state[3] ^= state[1];
	state[1] ^= state[2];
	state[0] ^= state[3];
	state[2] ^= shifted;
	state[3] = rotate_left(state[3], 45);
	return answer;
}

uint64_t random_below(struct random *random, uint64_t limit)
{
	assert(limit > 0);
	/* Numbers below 2^64 mod limit are drawn again: the rest divides evenly. */
	const uint64_t uneven = (0 - limit) % limit;
	uint64_t draw;
	do
		draw = random_next(random);
	while (draw < uneven);
	return draw % limit;
}

double random_unit(struct random *random)
{
	return (double)(random_next(random) >> 11) * 0x1p-53;
}

double random_normal(struct random *random)
{
	const double radius = sqrt(-2.0 * log(1.0 - random_unit(random)));
	return radius * cos(2.0 * 3.14159265358979323846 * random_unit(random));
}

uint64_t random_seed_from_system(void)
{
	uint64_t seed = 0;
	const ssize_t got = getrandom(&seed, sizeof(seed), 0);
	assert(got == (ssize_t)sizeof(seed));
	return seed >> 11;
}
