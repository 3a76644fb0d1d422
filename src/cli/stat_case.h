/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A pair of series as the verdict room takes it: each number becomes a complete run with that one
 * score. What replicates what is said by the caller: rows that belong together become blocks, rows
 * of one build become one run with their mean. Without either the order of the runs is not known.
 */
#pragma once

#include "base/auto.h"
#include "base/error.h"
#include "intake/pair.h"
#include "verdict/comparison.h"

struct stat_layout {
	bool paired;     /* A row of the table, or two values of one place, are a block of 1 + 1. */
	bool one_file;   /* Both sides are of one file, so that lines are rows. */
	bool has_blocks; /* The values carry blocks. */
	bool has_builds; /* The values carry builds. */
	enum metric_better better; /* BETTER_UNKNOWN: as the format says. */
};

struct stat_case {
	struct job *jobs[2]; /* Of base and head, as all pairs below. */
	struct run **runs[2];
	size_t n[2];
	struct run_place *places[2]; /* NULL: not known. */
	char *names[2];
	struct compared_side sides[2];
	struct comparison *comparison; /* Filled and owned from stat_case_judge() on. */
};

/* -EINVAL, with the place in the file, when the rows do not fit together. */
int stat_case_make(const struct intake_pairs *pairs, size_t pair, const struct stat_layout *layout,
		   struct stat_case **ret_case, struct error *err);
int stat_case_judge(struct stat_case *one, const struct verdict_options *options,
		    struct error *err);
void stat_case_free(struct stat_case *one); /* NULL is allowed. */

/* The metric's one row; there is always one. */
const struct row *stat_case_row(const struct stat_case *one);

DEFINE_AUTO(stat_case, struct stat_case *, stat_case_free);
