/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Groups runs by block. A block is looked up from the newest on: blocks mostly stand together. */
#include "stats/layout.h"

#include "base/mem.h"

#include <assert.h>
#include <math.h>

DEFINE_AUTO(places, size_t *, free);

/* Which block, counted by first appearance, each run is in. Gives the number of blocks. */
static size_t number_blocks(const struct blocked *blocked, size_t *ret_places)
{
	AUTO(places) size_t *first_runs = mem_array(blocked->n, sizeof(*first_runs));
	size_t n_blocks = 0;
	for (size_t i = 0; i < blocked->n; i++) {
		size_t place = n_blocks;
		while (place > 0 && blocked->blocks &&
		       blocked->blocks[first_runs[place - 1]] != blocked->blocks[i])
			place--;
		if (place == 0) {
			first_runs[n_blocks] = i;
			place = ++n_blocks;
		}
		ret_places[i] = place - 1;
	}
	return n_blocks;
}

/* Keeps the blocks of two sides; gives in `ret_kept` where each block went, SIZE_MAX for those that
 * were left out. */
static void drop_single_sided(struct layout *layout, size_t *ret_kept)
{
	const size_t n_all = layout->n_blocks;
	layout->n_blocks = 0;
	for (size_t b = 0; b < n_all; b++) {
		const struct layout_block block = layout->blocks[b];
		ret_kept[b] = SIZE_MAX;
		if (block.n_head == 0 || block.n_head == block.n)
			continue;
		ret_kept[b] = layout->n_blocks;
		layout->blocks[layout->n_blocks++] = (struct layout_block) {
			.first = layout->n, .n = block.n, .n_head = block.n_head
		};
		layout->n += block.n;
	}
}

struct layout *layout_new(const struct blocked *blocked)
{
	struct layout *layout = mem_zero(sizeof(*layout));
	const size_t n = blocked->n;
	AUTO(places) size_t *places = mem_array(n, sizeof(*places));
	layout->n_blocks = number_blocks(blocked, places);
	layout->blocks = mem_array(layout->n_blocks, sizeof(*layout->blocks));
	for (size_t i = 0; i < n; i++) {
		layout->blocks[places[i]].n++;
		layout->blocks[places[i]].n_head += blocked->is_head[i];
	}
	AUTO(places) size_t *kept = mem_array(layout->n_blocks, sizeof(*kept));
	drop_single_sided(layout, kept);

	layout->values = mem_array(layout->n, sizeof(*layout->values));
	AUTO(places) size_t *filled = mem_array(2 * layout->n_blocks, sizeof(*filled));
	for (size_t i = 0; i < n; i++) {
		assert(isfinite(blocked->values[i]));
		const size_t b = kept[places[i]];
		if (b == SIZE_MAX)
			continue;
		const bool is_head = blocked->is_head[i];
		const struct layout_block *block = &layout->blocks[b];
		const size_t at = block->first + (is_head ? 0 : block->n_head);
		layout->values[at + filled[2 * b + is_head]++] = blocked->values[i];
	}
	return layout;
}

void layout_free(struct layout *layout)
{
	if (!layout)
		return;
	free(layout->values);
	free(layout->blocks);
	free(layout);
}

struct layout layout_prefix(const struct layout *layout, size_t n_blocks)
{
	assert(n_blocks <= layout->n_blocks);
	struct layout prefix = *layout;
	prefix.n_blocks = n_blocks;
	if (n_blocks < layout->n_blocks)
		prefix.n = layout->blocks[n_blocks].first;
	return prefix;
}

double layout_magnitude(const struct layout *layout)
{
	double magnitude = 0.0;
	for (size_t i = 0; i < layout->n; i++)
		magnitude = fmax(magnitude, fabs(layout->values[i]));
	return magnitude;
}
