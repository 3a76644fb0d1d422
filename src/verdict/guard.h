/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A guard asks one question that could make a verdict worthless, and either warns or withholds the
 * verdict. A guard is one file of this folder, guard_<name>.c, that ends in one `const struct guard`
 * row, and its word in the list of meson.build; the report, `assay compare --explain NAME`,
 * completion and the manual come from the rows.
 *
 * A guard sees the whole comparison after its findings were measured and judged: the runs with their
 * environment, workers, log and outcomes, the rows, the order of the runs where it is known. It
 * changes nothing itself; what it says through guard_warn and guard_withhold is applied afterwards.
 * A fact or metric that is missing is no ground to withhold: it may be said.
 */
#pragma once

#include "base/macros.h"
#include "base/text.h"
#include "verdict/comparison.h"

#include <stddef.h>

struct guard {
	const char *name;     /* "starved". */
	const char *asks;     /* "was the workload kept from the CPU that it claims?" */
	const char *explains; /* A paragraph for people: what it looks at, with which limits and why
			       * these, what it does, what to do then. */
	void (*examine)(struct comparison *comparison);
	/* Adds what it looked at of a head, a line each with its numbers, for `compare --explain`.
	 * NULL: its notes say all. */
	void (*show)(const struct comparison *comparison, size_t head, struct text *text);
};

/* Sorted by name. */
extern const struct guard *const guard_table[];
extern const size_t guard_table_count;

const struct guard *guard_find(const char *name); /* NULL when absent. */

/* Lets every guard look, then withholds the verdicts that must be. For comparison.c. */
void guard_all(struct comparison *comparison);

/* Its second half: what the notes withhold. */
void guard_apply(struct comparison *comparison);

/* Drops the notes and the differences of the environment. For comparison.c. */
void guard_forget(struct comparison *comparison);

/* ---- for guards ---- */

/* Says `format` about a head (0 = all) and a score (NULL = all). The same sentence of the same guard
 * is kept once. */
void guard_warn(struct comparison *comparison, const struct guard *guard, size_t side,
		const char *metric, const char *format, ...) PRINTF_LIKE(5, 6);
void guard_withhold(struct comparison *comparison, const struct guard *guard, size_t side,
		    const char *metric, const char *format, ...) PRINTF_LIKE(5, 6);

/* The values of a metric over the complete runs of a side, in the order of `places` where it is
 * known, else as they stand. Missing ones are left out. *ret_values is a new array; how many. */
size_t guard_values(const struct comparison *comparison, const char *metric, size_t side,
		    double **ret_values);

/* Mean of a metric over the complete runs of a side; NaN when none has it. */
double guard_mean(const struct comparison *comparison, const char *metric, size_t side);

/* The text of a fact in the first complete run of a side that has it; NULL when none does. Borrowed
 * from the run. */
const char *guard_fact(const struct comparison *comparison, const char *fact, size_t side);
