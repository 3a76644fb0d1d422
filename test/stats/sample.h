/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs in random blocks for the tests of the permutation family, and the slow twin that goes through
 * every relabelling of them.
 */
#pragma once

#include "base/random.h"
#include "check.h"
#include "stats/blocked.h"

#include <math.h>

#define SAMPLE_MAX 480

struct sample {
	double values[SAMPLE_MAX];
	bool is_head[SAMPLE_MAX];
	uint32_t blocks[SAMPLE_MAX];
	size_t n;
};

static inline struct blocked sample_blocked(const struct sample *sample)
{
	return (struct blocked) { .values = sample->values,
				  .is_head = sample->is_head,
				  .blocks = sample->blocks,
				  .n = sample->n };
}

/* Adds a block in drawn order, its values all 0. */
static inline void sample_add_block(struct sample *sample, struct random *random, size_t n_base,
				    size_t n_head)
{
	const uint32_t block = sample->n == 0 ? 0 : sample->blocks[sample->n - 1] + 1;
	for (size_t left = n_base + n_head; left > 0; left--) {
		const bool is_head = random_below(random, left) < n_head;
		n_head -= is_head;
		assert_true(sample->n < SAMPLE_MAX);
		sample->is_head[sample->n] = is_head;
		sample->blocks[sample->n] = block;
		sample->values[sample->n++] = 0.0;
	}
}

/* `n_blocks` blocks of 2 + 2 with normal noise of deviation 1, the head larger by `effect`, on a
 * machine that becomes slower by `drift` over the session. */
static inline void sample_simulate(struct sample *sample, struct random *random, size_t n_blocks,
				   double effect, double drift)
{
	sample->n = 0;
	for (size_t b = 0; b < n_blocks; b++)
		sample_add_block(sample, random, 2, 2);
	for (size_t i = 0; i < sample->n; i++)
		sample->values[i] = 100.0 + random_normal(random) +
				    (sample->is_head[i] ? effect : 0.0) +
				    drift * (double)i / (double)sample->n;
}

/* Random design of blocks of 1 to 3 runs a side with values from a coarse (ties) or fine grid. */
static inline void sample_draw(struct sample *sample, struct random *random, size_t n_blocks,
			       bool coarse)
{
	sample->n = 0;
	for (size_t b = 0; b < n_blocks; b++) {
		const size_t n_base = 1 + (size_t)random_below(random, 3);
		const size_t n_head = 1 + (size_t)random_below(random, 3);
		sample_add_block(sample, random, n_base, n_head);
	}
	for (size_t i = 0; i < sample->n; i++)
		sample->values[i] =
			coarse ? floor(5.0 * random_unit(random)) : random_normal(random);
}

/* Goes through all labels with the right number of heads in each block, one run after the other, and
 * counts those whose sum is at least `distance` from `expected`. */
struct sample_count {
	const struct sample *sample;
	const double *scores;
	double expected, distance;
	size_t all, beyond;
};

static inline size_t sample_heads_wanted(const struct sample *sample, uint32_t block)
{
	size_t heads = 0;
	for (size_t i = 0; i < sample->n; i++)
		heads += sample->blocks[i] == block && sample->is_head[i];
	return heads;
}

/* `heads`: chosen so far in the block of the run at `at`. */
static inline void sample_count_from(struct sample_count *count, size_t at, size_t heads,
				     double sum)
{
	const struct sample *sample = count->sample;
	if (at > 0 && (at == sample->n || sample->blocks[at] != sample->blocks[at - 1])) {
		if (heads != sample_heads_wanted(sample, sample->blocks[at - 1]))
			return;
		heads = 0;
	}
	if (at == sample->n) {
		count->all++;
		count->beyond += fabs(sum - count->expected) >= count->distance - 1e-9;
		return;
	}
	sample_count_from(count, at + 1, heads, sum);
	sample_count_from(count, at + 1, heads + 1, sum + count->scores[at]);
}

/* The two-sided p value of the head's sum of `scores`, one for each run. */
static inline double sample_p(const struct sample *sample, const double *scores)
{
	double expected = 0.0;
	double observed = 0.0;
	for (size_t i = 0; i < sample->n; i++) {
		double n = 0.0;
		double heads = 0.0;
		for (size_t j = 0; j < sample->n; j++) {
			n += sample->blocks[j] == sample->blocks[i];
			heads += sample->blocks[j] == sample->blocks[i] && sample->is_head[j];
		}
		expected += scores[i] * heads / n;
		observed += sample->is_head[i] ? scores[i] : 0.0;
	}
	struct sample_count count = { .sample = sample,
				      .scores = scores,
				      .expected = expected,
				      .distance = fabs(observed - expected) };
	sample_count_from(&count, 0, 0, 0.0);
	return (double)count.beyond / (double)count.all;
}

/* The chance of at least `hits` of `n` when each comes with chance `rate`. */
static inline double sample_chance_of_at_least(size_t hits, size_t n, double rate)
{
	double chance = 0.0;
	for (size_t k = hits; k <= n; k++)
		chance += exp(lgamma((double)n + 1) - lgamma((double)k + 1) -
			      lgamma((double)(n - k) + 1) + (double)k * log(rate) +
			      (double)(n - k) * log1p(-rate));
	return chance;
}
