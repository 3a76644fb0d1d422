/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of the table format. For src/report/table*.c only. */
#pragma once

#include "report/report.h"

struct table { /* What all parts need. */
	const struct comparison *comparison;
	const struct report_options *options;
	struct text *text;
	size_t width;
	bool has_cut; /* An interval shown ends at -100 %, where it was cut. */
};

/* The rows of one side against the base, by role: scores, restated, evidence, costs. */
void table_side(const struct table *table, size_t side);

/* The experiment's question, when it has one. */
void table_question(const struct table *table);

/* A line for each of `n` points and their heads; `table->comparison` is not looked at. */
void table_overview(const struct table *table, const struct comparison *const *comparisons,
		    size_t n);

/* Sentence, warnings, what differs, what was measured: everything above the rows. */
void table_head(const struct table *table);

/* What the columns and words mean. `n` comparisons share it. */
void table_legend(const struct table *table, size_t n);

/* Colours, or nothing when they are not wanted. Static strings. */
const char *table_colour(const struct table *table, enum verdict verdict);
const char *table_bold(const struct table *table);
const char *table_plain(const struct table *table);
