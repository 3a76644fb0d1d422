/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The formats that can be read: one file and one row each. The first whose sniffer knows the content
 * is taken; those that look closer stand first.
 */
#pragma once

#include "intake/intake.h"

struct intake_format {
	const char *name;        /* "csv": the word of --from. */
	const char *what;        /* One line. */
	const char *holds_sides; /* What is measured in a file whose two series are the sides
				  * ("time"); NULL: two series of such a file are two measures. */
	bool (*sniff)(const char *bytes, size_t length); /* Is it this one? Looks only. */
	int (*parse)(const char *bytes, size_t length, const struct intake_options *options,
		     struct intake_document *document, struct error *err);
};

/* In the order in which they are tried; the last knows everything. */
extern const struct intake_format *const intake_formats[];
extern const size_t intake_format_count;

const struct intake_format *intake_format_find(const char *name); /* NULL when absent. */
const struct intake_format *intake_format_sniff(const char *bytes, size_t length);

/* The rows, each at the bottom of its own file. */
extern const struct intake_format intake_benchstat;
extern const struct intake_format intake_csv;
extern const struct intake_format intake_google_benchmark;
extern const struct intake_format intake_hyperfine;
extern const struct intake_format intake_json;
extern const struct intake_format intake_numbers;
