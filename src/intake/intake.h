/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Other people's numbers: a file of one of the known formats (format.h) becomes a document, which is
 * a list of named series of values in the order of the file. Nothing is judged here and nothing is
 * guessed: what cannot be read as a number is an error that names file and line, or the place inside
 * a JSON document. Everything is owned by the document.
 */
#pragma once

#include "base/auto.h"
#include "base/error.h"
#include "record/metric.h"
#include "record/value.h"

#include <stdbool.h>
#include <stddef.h>

#define INTAKE_BYTES_MAX (64U << 20) /* Of a file. */
#define INTAKE_VALUES_MAX 5000       /* Of a series: the tests look at pairs of them. */
#define INTAKE_SERIES_MAX 5000       /* Of a document. */
#define INTAKE_COLUMNS_MAX 256       /* Of a table. */
#define INTAKE_NUMBER_MAX 1e75  /* Of a number's size: fourth powers and ratios of squares ... */
#define INTAKE_NUMBER_MIN 1e-75 /* ... must stay finite and above 0. */

struct intake_format;

struct intake_value {
	struct value value; /* Known or missing. */
	size_t line;        /* Where it stands, from 1; 0 in formats without lines. */
	char *block;        /* What its row says in the column of blocks; NULL without one. */
	char *build;        /* The same of builds. */
};

struct intake_series {
	char *name;  /* Column, benchmark or command; printable. */
	char *unit;  /* "s", "ns/op"; "1" where the format does not say. */
	char *group; /* The side it was filed under ({"base": {...}}); NULL elsewhere. */
	enum metric_better better; /* BETTER_UNKNOWN where the format does not say. */
	bool restated; /* Says what another series says too: judged only when it is asked for. */
	char *broken;  /* A sentence about a value that is no number: an error as soon as somebody
		       * wants the series. NULL when it is sound. */
	struct intake_value *values;
	size_t n, capacity;
};

struct intake_document {
	char *path; /* For messages; "standard input". */
	const struct intake_format *format;
	struct intake_series *series;
	size_t n_series, capacity;
	char **remarks; /* What a reader of the result must know: runs that failed ... */
	size_t n_remarks;
};

struct intake_options {
	const struct intake_format *format; /* NULL: found from the content. */
	const char *blocks; /* Column that says which rows belong together; NULL: none. Tables. */
	const char *builds; /* Column that says which rows are of one build; NULL: none. Tables. */
};

/* Reads a file, or standard input when the path is "-". -EINVAL for anything wrong in it, with file
 * and place; another negative errno when it cannot be read. */
int intake_read(const char *path, const struct intake_options *options,
		struct intake_document **ret_document, struct error *err);

/* The same from memory. The bytes end in a NUL that is not counted; `path` is for messages. */
int intake_parse(const char *bytes, size_t length, const char *path,
		 const struct intake_options *options, struct intake_document **ret_document,
		 struct error *err);
void intake_free(struct intake_document *document); /* NULL is allowed. */

/* By name; the first when units share it. NULL when there is none. Borrowed. */
const struct intake_series *intake_series_find(const struct intake_document *document,
					       const char *name);

/* ---- for the readers of this room ---- */

/* The series of that name, unit and group, made when it is not there yet. -EINVAL when there are
 * too many. Pointers are valid until the next call. */
int intake_series_at(struct intake_document *document, const char *name, const char *unit,
		     const char *group, struct intake_series **ret_series, struct error *err);

/* Adds one value. -EINVAL when the series is full, naming the document. A number too large or too
 * small to be computed with is not added: the series is broken then. */
int intake_add(const struct intake_document *document, struct intake_series *series,
	       struct value value, size_t line, struct error *err);

/* Keeps a sentence for whoever reads the result; the same one once. */
void intake_remark(struct intake_document *document, const char *format, ...) PRINTF_LIKE(2, 3);

DEFINE_AUTO(intake_document, struct intake_document *, intake_free);
