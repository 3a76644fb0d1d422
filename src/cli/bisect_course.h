/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a bisection stands and what it does next: a pure function of its case and its entries, so that a
 * replay comes to the same, step by step. The search and the fresh measurement are those of bisect/; what
 * is added here is what builds can tell: a commit whose product is its parent's cannot be the cause, and a
 * commit that was found is asked whether it is more than layout, and what the bad end is without it.
 */
#pragma once

#include "bisect/bisect.h"
#include "cli/bisect_case.h"
#include "cli/bisect_entries.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BISECT_COURSE_ARM 8      /* Runs of each side of ALIGNED and of REVERT. */
#define BISECT_COURSE_FAILURES 2 /* Runs without a value in a row that make a commit broken. */

struct bisect_unit_wanted { /* One run to be made. */
	enum bisect_arm arm;
	uint32_t commit, change;
	uint32_t before; /* VERIFY, ALIGNED: the other side. */
	bool is_reverted;
};

enum bisect_guard_kind { /* Of a question that is put to a found commit. */
			 BISECT_GUARD_PRODUCT,
			 BISECT_GUARD_LAYOUT,
			 BISECT_GUARD_EXECUTED,
			 BISECT_GUARD_REVERT,
			 BISECT_GUARD_COUNT,
};

enum bisect_guard_answer {
	BISECT_GUARD_STANDS,      /* Nothing speaks against the commit. */
	BISECT_GUARD_OBJECTS,     /* It cannot be the cause, or it is only layout. */
	BISECT_GUARD_NOT_CHECKED, /* With the reason. */
};

struct bisect_guard {
	enum bisect_guard_answer answer;
	char text[400]; /* A sentence. */
};

struct bisect_found { /* A change of the answer, with all that was asked of it. */
	const struct bisect_change *change; /* Borrowed from the answer below. */
	uint32_t before, after;
	struct bisect_guard guards[BISECT_GUARD_COUNT];
	struct bisect_effect aligned; /* The effect with aligned functions. */
	struct bisect_effect revert;  /* What its revert takes away from the bad end. */
	double share;                 /* revert as a share of the effect between the ends; NaN. */
	bool is_layout;
};

struct bisect_course {
	const struct bisect_case *bisection; /* Borrowed, as the entries. */
	const struct bisect_entries *entries;
	struct bisect_options options;
	struct bisect *bisect;
	struct bisect_answer answer;
	double *weights;
	bool *is_excluded;   /* One a commit: its product is its parent's. */
	bool is_logarithmic; /* Effects are differences of logarithms. */
	double spread;       /* Standard deviation within commits, on the judged scale; NaN. */
	struct bisect_found found[BISECT_CHANGES_MAX];
	size_t n_found; /* Of the answer's changes, once the search has ended. */
	bool is_done;
	struct bisect_unit_wanted next; /* Unless it is done. */
	enum bisect_reason reason;
};

struct bisect_course *bisect_course_new(const struct bisect_case *bisection,
					const struct bisect_entries *entries);
void bisect_course_free(struct bisect_course *course);

/* A commit is named, confirmed, and no guard objects. */
bool bisect_course_accuses(const struct bisect_course *course);

/* Runs and builds that a halving would have taken which repeats each step as often as this confidence
 * needs at the effect and the spread that were found; 0 runs when that cannot be told. */
void bisect_course_halving(const struct bisect_course *course, double *ret_runs,
			   double *ret_builds);

const char *bisect_guard_text(enum bisect_guard_kind kind);
const char *bisect_guard_answer_text(enum bisect_guard_answer answer);

DEFINE_AUTO(bisect_course, struct bisect_course *, bisect_course_free);
