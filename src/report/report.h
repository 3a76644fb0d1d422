/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One model (verdict/comparison.h), one renderer a format. Each renderer is a pure function from
 * model to text.
 */
#pragma once

#include "base/error.h"
#include "base/text.h"
#include "verdict/comparison.h"

#include <stdbool.h>
#include <stddef.h>

struct report_options {
	bool colour;         /* ANSI colours (the caller has looked whether it is a terminal). */
	bool all;            /* All rows; else scores, what moved, and a count of the rest. */
	size_t evidence_max; /* Rows of evidence shown; 0 = 20. */
	unsigned width;      /* Columns of the terminal; 0 = 100. */
	const char
		*question; /* What the experiment is to answer: first in the table. May be NULL. */
};

struct report_format {
	const char *name; /* "table", "lkp", "json", "csv" */
	const char *what;
	/* Renders `n` comparisons (one a point), adding to the text. */
	void (*render)(const struct comparison *const *comparisons, size_t n,
		       const struct report_options *options, struct text *ret_text);
};

const struct report_format *report_format_find(const char *name); /* NULL when absent. */
extern const struct report_format *const report_formats[];
extern const size_t report_format_count;

/* The sentence that a human reads first: "hackbench.time_sec is 4.2 % worse (99 % interval +3.6 to
 * +4.9 %, 10 + 10 runs, Welch t, false-alarm rate 1 %)". With several heads one line each, the
 * head's name in front. New string. */
char *report_sentence(const struct comparison *comparison);

/* A number for people with 4 significant digits and digit groups left alone: "1234567", "0.01234",
 * "1.235e+12". */
void report_number(double number, char *buffer, size_t size);
