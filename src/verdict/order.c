/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks come with numbers that are unique over campaigns and mean nothing else. Here they get small
 * numbers by their first run, so that blocks in the order of their numbers are blocks in the order
 * in which they were carried out, which is what looking while the runs come in needs.
 */
#include "verdict/order.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>

struct placed { /* A complete run that knows where it stood. */
	const struct run *run;
	struct run_place place;
	uint32_t block; /* Its small number. */
	size_t side;
};

static int by_value(uint64_t one, uint64_t other)
{
	return (one > other) - (one < other);
}

static int by_block(const void *one, const void *other)
{
	const struct placed *a = one;
	const struct placed *b = other;
	const int order = by_value(a->place.block, b->place.block);
	return order ? order : by_value(a->place.sequence, b->place.sequence);
}

static int by_sequence(const void *one, const void *other)
{
	const struct placed *a = one;
	const struct placed *b = other;
	const int order = by_value(a->place.sequence, b->place.sequence);
	return order ? order : by_value(a->place.block, b->place.block);
}

struct first_run { /* Of a block. */
	uint64_t sequence;
	size_t at; /* Of its first run in the list sorted by block. */
};

static int by_first_run(const void *one, const void *other)
{
	const struct first_run *a = one;
	const struct first_run *b = other;
	const int order = by_value(a->sequence, b->sequence);
	return order ? order : by_value(a->at, b->at);
}

/* Gives each block of the list, which is sorted by block, its small number. */
static void number_blocks(struct placed *placed, size_t n)
{
	struct first_run *firsts = mem_array(n, sizeof(*firsts));
	size_t n_blocks = 0;
	for (size_t i = 0; i < n; i++)
		if (i == 0 || placed[i].place.block != placed[i - 1].place.block)
			firsts[n_blocks++] = (struct first_run) { placed[i].place.sequence, i };
	if (n_blocks)
		qsort(firsts, n_blocks, sizeof(*firsts), by_first_run);
	for (size_t b = 0; b < n_blocks; b++) {
		const uint64_t block = placed[firsts[b].at].place.block;
		for (size_t i = firsts[b].at; i < n && placed[i].place.block == block; i++)
			placed[i].block = (uint32_t)b;
	}
	free(firsts);
}

static size_t count_complete(const struct compared_side *side)
{
	size_t n = 0;
	for (size_t i = 0; i < side->n_runs; i++)
		n += side->runs[i]->outcome == RUN_COMPLETE;
	return n;
}

static void take_as_they_stand(const struct compared_side *side, struct side_order *order)
{
	for (size_t i = 0; i < side->n_runs; i++)
		if (side->runs[i]->outcome == RUN_COMPLETE)
			order->runs[order->n++] = side->runs[i];
}

/* The complete runs of all sides that know their places; how many. */
static size_t gather(const struct comparison *comparison, struct placed *placed)
{
	size_t n = 0;
	for (size_t s = 0; s < comparison->n_sides; s++) {
		const struct compared_side *side = &comparison->sides[s];
		for (size_t i = 0; side->places && i < side->n_runs; i++)
			if (side->runs[i]->outcome == RUN_COMPLETE)
				placed[n++] = (struct placed) { .run = side->runs[i],
								.place = side->places[i],
								.side = s };
	}
	return n;
}

static void begin(const struct compared_side *side, struct side_order *order)
{
	const size_t n = count_complete(side);
	order->runs = mem_array(n, sizeof(const struct run *));
	if (side->places) {
		order->blocks = mem_array(n, sizeof(*order->blocks));
		order->sequences = mem_array(n, sizeof(*order->sequences));
	} else {
		take_as_they_stand(side, order);
	}
}

void order_make(struct comparison *comparison)
{
	assert(!comparison->orders);
	comparison->orders = mem_array(comparison->n_sides, sizeof(*comparison->orders));
	size_t n_most = 0;
	for (size_t s = 0; s < comparison->n_sides; s++) {
		begin(&comparison->sides[s], &comparison->orders[s]);
		n_most += comparison->sides[s].n_runs;
	}
	struct placed *placed = mem_array(n_most, sizeof(*placed));
	const size_t n = gather(comparison, placed);
	if (n) {
		qsort(placed, n, sizeof(*placed), by_block);
		number_blocks(placed, n);
		qsort(placed, n, sizeof(*placed), by_sequence);
	}
	for (size_t i = 0; i < n; i++) {
		struct side_order *order = &comparison->orders[placed[i].side];
		order->blocks[order->n] = placed[i].block;
		order->sequences[order->n] = placed[i].place.sequence;
		order->runs[order->n++] = placed[i].run;
	}
	free(placed);
}

void order_free(struct side_order *orders, size_t n_sides)
{
	for (size_t s = 0; orders && s < n_sides; s++) {
		free(orders[s].runs);
		free(orders[s].blocks);
		free(orders[s].sequences);
		free(orders[s].values);
	}
	free(orders);
}

bool order_is_shared(const struct comparison *comparison, size_t side)
{
	const struct side_order *base = &comparison->orders[0];
	const struct side_order *head = &comparison->orders[side];
	for (size_t i = 0; base->blocks && head->blocks && i < base->n; i++)
		for (size_t j = 0; j < head->n; j++)
			if (base->blocks[i] == head->blocks[j])
				return true;
	return false;
}
