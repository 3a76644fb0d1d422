/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Relabellings gone through or drawn. Going through: the sums over the first blocks are repeated for
 * each choice of the next block. Drawing: from a list of the block's sums where there are few of
 * them, else by the first steps of a Fisher-Yates shuffle.
 */
#include "stats/relabel.h"

#include "base/mem.h"
#include "stats/permute.h"

#include <assert.h>
#include <math.h>

DEFINE_AUTO(indexes, uint32_t *, free);
DEFINE_AUTO(numbers, double *, free);

double relabel_choose(size_t n, size_t k)
{
	assert(k <= n);
	const size_t few = k < n - k ? k : n - k;
	double count = 1.0;
	for (size_t i = 1; i <= few; i++)
		count = count * (double)(n - few + i) / (double)i;
	return count;
}

size_t relabel_choices(const struct layout_block *block)
{
	const double choices = relabel_choose(block->n, block->n_head);
	assert(choices <= PERMUTE_EXHAUSTIVE_MAX);
	return (size_t)choices;
}

double relabel_count(const struct layout *layout)
{
	double count = 1.0;
	for (size_t b = 0; b < layout->n_blocks; b++)
		count *= relabel_choose(layout->blocks[b].n, layout->blocks[b].n_head);
	return count;
}

bool relabel_next(uint32_t *chosen, size_t k, size_t n)
{
	for (size_t i = k; i-- > 0;) {
		if (chosen[i] >= n - k + i)
			continue;
		chosen[i]++;
		for (size_t later = i + 1; later < k; later++)
			chosen[later] = chosen[later - 1] + 1;
		return true;
	}
	return false;
}

void relabel_list(const struct layout_block *block, const double *scores, double *ret_sums,
		  uint32_t *ret_kept)
{
	const double *own = scores + block->first;
	AUTO(indexes) uint32_t *chosen = mem_array(block->n_head, sizeof(*chosen));
	for (size_t i = 0; i < block->n_head; i++)
		chosen[i] = (uint32_t)i;
	size_t at = 0;
	do {
		double sum = 0.0;
		uint32_t kept = 0;
		for (size_t i = 0; i < block->n_head; i++) {
			sum += own[chosen[i]];
			kept += chosen[i] < block->n_head;
		}
		ret_sums[at] = sum;
		if (ret_kept)
			ret_kept[at] = kept;
		at++;
	} while (relabel_next(chosen, block->n_head, block->n));
}

/* A shuffle may start from any order, so the one before is gone on with. Of the two sides the smaller
 * one is drawn; what the base does not take is the head's, and its sum is the other's negative. */
static void add_shuffled(const struct layout_block *block, const double *scores,
			 struct random *random, size_t n, double *sums, uint32_t *kept)
{
	const double *own = scores + block->first;
	const bool draws_base = block->n_head > block->n - block->n_head;
	const size_t n_drawn = draws_base ? block->n - block->n_head : block->n_head;
	AUTO(indexes) uint32_t *order = mem_array(block->n, sizeof(*order));
	for (size_t i = 0; i < block->n; i++)
		order[i] = (uint32_t)i;
	for (size_t m = 0; m < n; m++) {
		double sum = 0.0;
		uint32_t heads = 0;
		for (size_t i = 0; i < n_drawn; i++) {
			const size_t other = i + (size_t)random_below(random, block->n - i);
			const uint32_t run = order[other];
			order[other] = order[i];
			order[i] = run;
			sum += own[run];
			heads += run < block->n_head;
		}
		sums[m] += draws_base ? -sum : sum;
		if (kept)
			kept[m] += draws_base ? (uint32_t)block->n_head - heads : heads;
	}
}

void relabel_add_drawn(const struct layout_block *block, const double *scores,
		       struct random *random, size_t n, double *sums, uint32_t *kept)
{
	if (relabel_choose(block->n, block->n_head) > RELABEL_LIST_MAX) {
		add_shuffled(block, scores, random, n, sums, kept);
		return;
	}
	const size_t n_choices = relabel_choices(block);
	AUTO(numbers) double *list = mem_array(n_choices, sizeof(*list));
	AUTO(indexes) uint32_t *list_kept = mem_array(n_choices, sizeof(*list_kept));
	relabel_list(block, scores, list, list_kept);
	for (size_t m = 0; m < n; m++) {
		const size_t choice = (size_t)random_below(random, n_choices);
		sums[m] += list[choice];
		if (kept)
			kept[m] += list_kept[choice];
	}
}

/* The choices are gone through backwards, so that what is repeated is overwritten last. */
static void repeat_for_block(struct relabelled *all, const struct layout_block *block,
			     const double *scores)
{
	const size_t n_choices = relabel_choices(block);
	AUTO(numbers) double *list = mem_array(n_choices, sizeof(*list));
	AUTO(indexes) uint32_t *list_kept = mem_array(n_choices, sizeof(*list_kept));
	relabel_list(block, scores, list, list_kept);
	for (size_t choice = n_choices; choice-- > 0;) {
		for (size_t i = 0; i < all->n; i++) {
			all->sums[choice * all->n + i] = all->sums[i] + list[choice];
			all->kept[choice * all->n + i] = all->kept[i] + list_kept[choice];
		}
	}
	all->n *= n_choices;
}

struct relabelled *relabel_new(const struct layout *layout, const double *scores, uint64_t seed)
{
	struct relabelled *relabelled = mem_zero(sizeof(*relabelled));
	const double count = relabel_count(layout);
	relabelled->exhaustive = count <= PERMUTE_EXHAUSTIVE_MAX;
	const size_t room = relabelled->exhaustive ? (size_t)count : PERMUTE_DRAWS;
	relabelled->sums = mem_array(room, sizeof(*relabelled->sums));
	relabelled->kept = mem_array(room, sizeof(*relabelled->kept));
	relabelled->n = relabelled->exhaustive ? 1 : room;

	struct random random;
	random_seed(&random, seed);
	for (size_t b = 0; b < layout->n_blocks; b++) {
		if (relabelled->exhaustive)
			repeat_for_block(relabelled, &layout->blocks[b], scores);
		else
			relabel_add_drawn(&layout->blocks[b], scores, &random, room,
					  relabelled->sums, relabelled->kept);
	}
	assert(relabelled->n == room);
	return relabelled;
}

void relabel_free(struct relabelled *relabelled)
{
	if (!relabelled)
		return;
	free(relabelled->sums);
	free(relabelled->kept);
	free(relabelled);
}
