/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which series is the base and which the head? Two documents: those of one name; one document: its
 * two series, its two groups, or the two that the caller names. Whatever is left over or could mean
 * two things is an error that lists what there is, never a guess.
 */
#pragma once

#include "base/auto.h"
#include "base/error.h"
#include "intake/intake.h"

#include <stddef.h>

struct intake_pair {
	char *name;       /* Of what was measured: "time", "Encode-8". */
	const char *unit; /* Of the base; borrowed. */
	enum metric_better better;
	const struct intake_series *base, *head; /* Borrowed from the documents. */
	double head_scale; /* Takes the head's numbers to the unit of the base. */
};

struct intake_pairs {
	char *base_name, *head_name; /* Of the sides. */
	struct intake_pair *pairs;
	size_t n, capacity;
	char **remarks; /* Series that only one side has. */
	size_t n_remarks;
};

struct intake_pair_options {
	const char *base,
		*head;      /* "NAME" or "NAME UNIT" of series of one document; both or neither. */
	const char *metric; /* Pattern of names, of units, or of "NAME UNIT"; NULL: all but the
			     * restated ones. */
};

/* -EINVAL when there is nothing to put beside each other, with what there is. `second` is NULL for
 * one document. The documents must outlive the pairs. */
int intake_pair_up(const struct intake_document *first, const struct intake_document *second,
		   const struct intake_pair_options *options, struct intake_pairs **ret_pairs,
		   struct error *err);
void intake_pairs_free(struct intake_pairs *pairs); /* NULL is allowed. */

DEFINE_AUTO(intake_pairs, struct intake_pairs *, intake_pairs_free);
