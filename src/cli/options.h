/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options as rows of a table: parsing, --help, completion and the manual's OPTIONS sections all
 * come from them.
 */
#pragma once

#include "base/auto.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct option_row {
	const char *name;  /* Long name without dashes; NULL ends a table. */
	char letter;       /* Short name, or '\0'. */
	const char *value; /* What follows ("N", "DIR"); NULL for a flag. */
	const char *what;  /* One line. */
	const char *
		words; /* What completion offers as value: "format", "campaign", "file", or NULL. */
};

struct option_given {
	const struct option_row *row;
	const char *value; /* Borrowed from argv; NULL for a flag. */
};

struct parsed {                       /* A command line taken apart. */
	struct option_given *options; /* In order. */
	size_t n_options;
	const char **words; /* What is not an option; NULL-terminated. */
	size_t n_words;
};

/* Takes argv[1..] apart. -EINVAL for an unknown or ambiguous option (with the nearest one), a
 * missing value, or a value for a flag. "--" ends the options. */
int options_parse(const struct option_row *rows, int argc, char **argv, struct parsed **ret_parsed,
		  struct error *err);
void options_free(struct parsed *parsed);

bool options_has(const struct parsed *parsed, const char *name);
/* The last value given, or NULL. */
const char *options_value(const struct parsed *parsed, const char *name);

/* A whole number within limits; *ret_number stays when the option was not given. */
int options_number(const struct parsed *parsed, const char *name, uint64_t min, uint64_t max,
		   uint64_t *ret_number, struct error *err);
/* A positive decimal number up to `max`. */
int options_decimal(const struct parsed *parsed, const char *name, double max, double *ret_number,
		    struct error *err);
/* A false-alarm rate within the limits of record/alpha.h. */
int options_alpha(const struct parsed *parsed, const char *name, double *ret_alpha,
		  struct error *err);
/* "500ms", "1s", "2m", "1h", or plain seconds. */
int options_duration(const struct parsed *parsed, const char *name, uint64_t *ret_ns,
		     struct error *err);

DEFINE_AUTO(parsed, struct parsed *, options_free);
