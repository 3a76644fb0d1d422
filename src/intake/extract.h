/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scores out of the recorded output of a program. What is not there, is there too often, or could
 * have been in what was left out of the output, is told in a sentence and never becomes a number.
 */
#pragma once

#include "intake/adapter.h"
#include "intake/gather.h"
#include "record/value.h"

#include <stddef.h>
#include <stdint.h>

struct extracted {
	const struct score *score; /* Borrowed. */
	char *name;                /* Of the metric: the row is filled in. */
	double number;
};

struct extraction {
	struct extracted *items;
	size_t n, capacity;
	char *wrong; /* Why a score that must be there is not; NULL when all are. */
};

/* `time_seconds` is what the program took. */
void extract_scores(const struct score *scores, size_t n_scores, const char *output,
		    struct value time_seconds, struct extraction *ret_extraction);
void extraction_done(struct extraction *extraction);

/* ---- the ways, for extract.c ---- */

struct extract_output {
	const char *text, *end;
	const char *first_gap, *last_gap; /* NULL: nothing was left out. */
	uint64_t *steps;                  /* Left for expressions. */
};

enum gather_place extract_place(const struct extract_output *output, const char *at);

void extract_regex(const struct extract_output *output, struct gather *gather);
void extract_csv(const struct extract_output *output, struct gather *gather);
void extract_json(const struct extract_output *output, struct gather *gather);

static inline void auto_release_extraction(struct extraction *extraction)
{
	extraction_done(extraction);
}
