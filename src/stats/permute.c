/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Question: is the head different?
 *
 * Assumption: within each block the order of the sides was drawn; nothing of the values.
 * Reference: Fisher (1935), "The Design of Experiments"; Hodges and Lehmann (1962) for aligned
 * ranks; drawn relabellings with the observed one counted in, after Phipson and Smyth (2010),
 * "Permutation p-values should never be zero".
 * Failure mode: an order that was not drawn (all of base first) makes the p value meaningless; few
 * runs cannot give a small one; runs that influence their successors (a cache that the run before
 * filled) are not seen as one side's doing.
 */
#include "stats/permute.h"

#include "base/mem.h"
#include "stats/distribution.h"
#include "stats/layout.h"
#include "stats/relabel.h"
#include "stats/score.h"

#include <assert.h>
#include <math.h>

DEFINE_AUTO(numbers, double *, free);
DEFINE_AUTO(ranks, int32_t *, free);

static int ascending(const void *one, const void *other)
{
	const int32_t a = *(const int32_t *)one;
	const int32_t b = *(const int32_t *)other;
	return (a > b) - (a < b);
}

/* False when the exact distribution is too much work. */
static bool count_whole(const struct layout *layout, double shift, enum permute_score score,
			struct permuted *permuted)
{
	AUTO(ranks) int32_t *scores = mem_array(layout->n, sizeof(*scores));
	score_whole(layout, score, shift, scores);
	int64_t head_sum = 0;
	for (size_t b = 0; b < layout->n_blocks; b++) {
		const struct layout_block *block = &layout->blocks[b];
		for (size_t i = 0; i < block->n_head; i++)
			head_sum += scores[block->first + i];
		qsort(scores + block->first, block->n, sizeof(*scores), ascending);
	}
	AUTO(distribution) struct distribution *distribution = distribution_new(layout, scores);
	if (!distribution)
		return false;
	permuted->exhaustive = true;
	permuted->p = distribution_p(distribution, head_sum);
	permuted->smallest_p = distribution_smallest_p(distribution);
	return true;
}

/* Relabellings at least as far from 0 as `distance`. */
static double count_beyond(const struct relabelled *relabelled, double distance)
{
	size_t beyond = 0;
	for (size_t i = 0; i < relabelled->n; i++)
		beyond += fabs(relabelled->sums[i]) >= distance;
	return (double)beyond;
}

static void count_relabelled(const struct layout *layout, double shift, enum permute_score score,
			     uint64_t seed, struct permuted *permuted)
{
	AUTO(numbers) double *scores = mem_array(layout->n, sizeof(*scores));
	const double rounding = score_centred(layout, score, shift, scores);
	AUTO(relabelled) struct relabelled *relabelled = relabel_new(layout, scores, seed);
	const double observed = fabs(score_head_sum(layout, scores));
	const double beyond = count_beyond(relabelled, observed - rounding);
	const double n = (double)relabelled->n;
	permuted->exhaustive = relabelled->exhaustive;
	if (!relabelled->exhaustive) {
		permuted->p = (1.0 + beyond) / (1.0 + n);
		permuted->smallest_p = 1.0 / (1.0 + n);
		return;
	}
	double farthest = 0.0;
	for (size_t i = 0; i < relabelled->n; i++)
		farthest = fmax(farthest, fabs(relabelled->sums[i]));
	permuted->p = beyond / n;
	permuted->smallest_p = count_beyond(relabelled, farthest - rounding) / n;
}

struct permuted permute_shifted(const struct layout *layout, double shift, enum permute_score score,
				uint64_t seed)
{
	struct permuted permuted = {
		.relabellings = (double)NAN,
		.p = (double)NAN,
		.smallest_p = (double)NAN,
	};
	if (layout->n_blocks == 0)
		return permuted;
	permuted.known = true;
	permuted.relabellings = relabel_count(layout);
	if (score == PERMUTE_MEAN || !count_whole(layout, shift, score, &permuted))
		count_relabelled(layout, shift, score, seed, &permuted);
	assert(permuted.p >= 0.0 && permuted.p <= 1.0);
	return permuted;
}

struct permuted permute_test(const struct blocked *blocked, enum permute_score score, uint64_t seed)
{
	AUTO(layout) struct layout *layout = layout_new(blocked);
	return permute_shifted(layout, /* shift= */ 0.0, score, seed);
}

double permute_smallest_p(const size_t (*sizes)[2], size_t n_blocks)
{
	double count = 1.0;
	bool has_both = false;
	bool is_even = true;
	for (size_t b = 0; b < n_blocks; b++) {
		const size_t n_base = sizes[b][0];
		const size_t n_head = sizes[b][1];
		if (n_base == 0 || n_head == 0)
			continue;
		has_both = true;
		is_even = is_even && n_base == n_head;
		count *= relabel_choose(n_base + n_head, n_head);
	}
	if (!has_both)
		return 1.0;
	return (is_even ? 2.0 : 1.0) / count;
}
