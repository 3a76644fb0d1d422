/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The complete runs of each side in the order in which they were carried out, and the random blocks
 * in which they stood. What is judged is judged in this order.
 */
#pragma once

#include "verdict/comparison.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct side_order {
	const struct run **runs; /* The complete ones; borrowed. By sequence where it is known,
				  * else as they stand. */
	size_t n;
	uint32_t *blocks;    /* One a run: equal over all sides for the runs of one block, and
			      * numbered as they were carried out. NULL: not known. */
	uint64_t *sequences; /* One a run. NULL: not known. */
	double *values;      /* n a row: what the cells' values point into. */
};

/* Fills comparison->orders, one a side. */
void order_make(struct comparison *comparison);
void order_free(struct side_order *orders, size_t n_sides); /* NULL is allowed. */

/* Whether the base and this head share a block, so that what moved the machine moved both. */
bool order_is_shared(const struct comparison *comparison, size_t side);
