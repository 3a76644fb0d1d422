/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The runs of a struct blocked put in order for the tests of this room: block by block, in each block
 * the head's runs first, blocks of one side left out. Blocks stand in the order in which their first
 * run stands.
 */
#pragma once

#include "base/auto.h"
#include "base/macros.h"
#include "stats/blocked.h"

struct layout_block {
	size_t first;     /* Index of its first run. */
	size_t n, n_head; /* Runs; the first n_head of them are the head's. 0 < n_head < n. */
};

struct layout {
	double *values;
	size_t n;
	struct layout_block *blocks;
	size_t n_blocks; /* 0 when no block holds both sides. */
};

struct layout *layout_new(const struct blocked *blocked) NODISCARD;
void layout_free(struct layout *layout);
DEFINE_AUTO(layout, struct layout *, layout_free);

/* The first blocks alone; borrows from `layout`. n_blocks <= layout->n_blocks. */
struct layout layout_prefix(const struct layout *layout, size_t n_blocks);

/* The largest magnitude of a value. */
double layout_magnitude(const struct layout *layout);
