/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Line by line through a text from elsewhere: with or without carriage returns and a byte order
 * mark, the last line ended or not.
 */
#pragma once

#include "record/value.h"

#include <stdbool.h>
#include <stddef.h>

struct lines {
	const char *at, *end; /* Borrowed. */
	size_t number;        /* Of the line that lines_next gave last, from 1. */
};

struct lines lines_make(const char *bytes, size_t length);

/* The next line without its ending, not terminated; false at the end. */
bool lines_next(struct lines *lines, const char **ret_line, size_t *ret_length);

/* The next line that is neither blank nor a comment ("# ..."). */
bool lines_next_data(struct lines *lines, const char **ret_line, size_t *ret_length);

/* A number, or a word that says there is none ("NA", "NaN", "missing"): missing. False for
 * everything else. Blanks around it and a leading '+' are allowed. */
bool lines_parse_value(const char *text, size_t length, struct value *ret_value);

/* Begins with a digit, a sign or a point, or is an infinity: more likely a number than a name. */
bool lines_begins_number(const char *text);

/* No value, but most likely meant as one: "5ms", "5 ms", "1_000", "0x10", "1e400", "inf". A hash of a
 * commit, a date or a version is none. */
bool lines_is_spoiled_number(const char *text);
