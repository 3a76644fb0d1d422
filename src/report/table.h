/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of the table format. For src/report/table*.c only. */
#pragma once

#include "report/report.h"

#define TABLE_LABEL_WIDTH 10
#define TABLE_DETAIL_INDENT 12 /* Of what is said below a row: clear of the first column. */

struct table { /* What all parts need. */
	const struct comparison *comparison;
	const struct report_options *options;
	struct text *text;
	size_t width;
	bool has_cut; /* An interval shown ends at -100 %, where it was cut. */
};

struct table_section { /* Rows of one role. */
	const char *title;
	enum metric_role role;
	bool has_interval;
	bool has_p;
};

/* The rows of one side against the base, by role: scores, restated, evidence, costs. */
void table_side(const struct table *table, size_t side);

/* A section's title, the header above its rows, and one row; `lead` stands before the name. */
void table_title(const struct table *table, const struct table_section *section);
void table_header(const struct table *table, const struct table_section *section, size_t side);
void table_row(const struct table *table, const struct table_section *section,
	       const struct row *row, size_t side, const char *lead);

/* Below a row or a section: why a value is missing; what a person said of the metric. */
void table_missing(const struct table *table, const struct row *row, size_t side);
void table_mark(const struct table *table, const struct row *row, size_t side);

/* The monitors: groups that move together, capped, and what is left out. */
void table_evidence(const struct table *table, const struct table_section *section, size_t side);

/* The experiment's question, when it has one. */
void table_question(const struct table *table);

/* A line for each of `n` points and their heads; `table->comparison` is not looked at. */
void table_overview(const struct table *table, const struct comparison *const *comparisons,
		    size_t n);

/* What the sweeps over nr_task among `n` points say of scalability; nothing when there is none. */
void table_sweep(const struct table *table, const struct comparison *const *comparisons, size_t n);

/* Sentence, warnings, guards, marks, what differs, what was measured: everything above the rows. */
void table_head(const struct table *table);

/* A label and what belongs to it, wrapped beside it. */
void table_line(const struct table *table, const char *label, const char *content);

/* What a side is in the comparison: "base" and "head"; "against" and "compared" where these two
 * would be ambiguous, because there are several heads or a side bears the other one's word as its
 * name. Static. */
const char *table_role(const struct comparison *comparison, size_t side);

/* What the columns and words mean. The `n` comparisons share it. */
void table_legend(const struct table *table, const struct comparison *const *comparisons, size_t n);

/* Colours, or nothing when they are not wanted. Static strings. */
const char *table_colour(const struct table *table, enum verdict verdict);
const char *table_bold(const struct table *table);
const char *table_dim(const struct table *table);
const char *table_plain(const struct table *table);
