/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the program speaks: results on standard output, everything else on standard error.
 */
#pragma once

#include "base/error.h"
#include "base/macros.h"

#include <jansson.h>
#include <stdbool.h>

/* "assay: error: <sentence>"; gives the exit code: 129 for -EINVAL (bad input), else 128. */
int say_error(int failed, const struct error *err);

/* "assay: error: ..." for a wrong command line; gives 129. */
int say_usage(const char *format, ...) PRINTF_LIKE(1, 2);

/* "assay: warning: ..."; the sentence says what is done instead. */
void say_warning(const char *format, ...) PRINTF_LIKE(1, 2);

/* A line on standard error. */
void say_note(const char *format, ...) PRINTF_LIKE(1, 2);

/* Prints and releases a JSON document; 0, or 128 when standard output cannot be written. */
int say_json(json_t *document);

/* Flushes standard output: `code`, or 128 with an error when it could not be written (full disk,
 * closed pipe). */
int say_done(int code);

bool say_has_colour(void); /* Standard output is a terminal and NO_COLOR is not set. */
unsigned say_width(void);  /* Columns of the terminal; 100 elsewhere. */
