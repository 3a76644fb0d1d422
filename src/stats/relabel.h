/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Relabellings: which of a block's runs would be the head's in another draw of the schedule. Scores
 * are centred (score.h): a block's scores sum to 0, and so the head's sum is expected to be 0.
 */
#pragma once

#include "base/auto.h"
#include "base/random.h"
#include "stats/layout.h"

#define RELABEL_LIST_MAX 4096 /* Choices of a block that are kept in a list. */

/* n over k; exact below 2^53. */
double relabel_choose(size_t n, size_t k);

/* The same of a block that is small enough to be listed. */
size_t relabel_choices(const struct layout_block *block);

/* Of all blocks together; may be INFINITY. */
double relabel_count(const struct layout *layout);

/* The next k of n in lexicographic order, `chosen` ascending; false after the last one. The first one
 * is 0 ... k-1: the observed labels. */
bool relabel_next(uint32_t *chosen, size_t k, size_t n);

/* The head's sum over one block under each choice, the observed one first, and how many of the head's
 * runs stay the head's (NULL: not asked for). Room for relabel_choose(block->n, block->n_head). */
void relabel_list(const struct layout_block *block, const double *scores, double *ret_sums,
		  uint32_t *ret_kept);

/* Adds to each of n sums (and kept, unless NULL) one drawn choice of the block. */
void relabel_add_drawn(const struct layout_block *block, const double *scores,
		       struct random *random, size_t n, double *sums, uint32_t *kept);

struct relabelled {
	double *sums;    /* The head's. */
	uint32_t *kept;  /* Head's runs that are still the head's. */
	size_t n;        /* Of both. */
	bool exhaustive; /* All relabellings, the observed one first; else draws, without it. */
};

/* All relabellings up to PERMUTE_EXHAUSTIVE_MAX, else PERMUTE_DRAWS drawn ones. */
struct relabelled *relabel_new(const struct layout *layout, const double *scores,
			       uint64_t seed) NODISCARD;
void relabel_free(struct relabelled *relabelled);
DEFINE_AUTO(relabelled, struct relabelled *, relabel_free);
