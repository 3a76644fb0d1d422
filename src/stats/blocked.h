/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs of two sides in random blocks: what the tests of this room are given. Within a block the
 * order of the sides was drawn, so that under "nothing changed" every relabelling within the blocks
 * was as likely as the one that was drawn, whatever the machine did in the meantime. Blocks may hold
 * unequal numbers of the two sides; a block with runs of one side alone says nothing.
 *
 * All borrowed; the values must be finite. The order of the runs within the arrays is the order in
 * which they were carried out where that is known.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct blocked {
	const double *values;
	const bool *is_head;
	const uint32_t *blocks; /* Any numbers; equal ones share a block. NULL: all runs are one
				 * block. */
	size_t n;
};
