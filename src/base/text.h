/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text: a growing string, strict number parsing, and the nearest valid word for an error message.
 */
#pragma once

#include "base/auto.h"
#include "base/macros.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A growing string. `bytes` is NULL while empty, else terminated; embed it, `= { 0 }` starts it. */
struct text {
	char *bytes; /* Owned. */
	size_t length;
	size_t capacity;
};

void text_done(struct text *text);
void text_add(struct text *text, const char *format, ...) PRINTF_LIKE(2, 3);
void text_add_bytes(struct text *text, const char *bytes, size_t length);
/* The string so far, never NULL; valid until the next change. */
const char *text_string(const struct text *text) PURE;
/* Moves the string out (never NULL); the text is empty afterwards. */
char *text_take(struct text *text) NODISCARD;

static inline void auto_release_text_buffer(struct text *text)
{
	text_done(text);
}

/* Whole-string parsers: no blanks, no sign for unsigned, no rest. False leaves *ret_ untouched.
 * Decimal only. */
bool text_parse_u64(const char *text, uint64_t *ret_number);
bool text_parse_i64(const char *text, int64_t *ret_number);
bool text_parse_f64(const char *text,
		    double *ret_number); /* Finite numbers only; locale independent. */

/* Decimal digits from *at (below `end`); moves *at behind them. False when there is no digit or it
 * overflows. */
bool text_scan_u64(const char **at, const char *end, uint64_t *ret_number);

bool text_starts_with(const char *text, const char *prefix) PURE;
bool text_ends_with(const char *text, const char *suffix) PURE;
bool text_equal(const char *one, const char *other) PURE; /* NULL equals only NULL. */

/* Shell-like pattern (fnmatch) or plain substring; an empty or NULL pattern matches everything. */
bool text_matches(const char *text, const char *pattern);

/* Damerau-Levenshtein distance (optimal string alignment), at most `limit` + 1; strings over 64
 * bytes give limit + 1. */
unsigned text_distance(const char *one, const char *other, unsigned limit);

/* The nearest of `count` words (distance at most a third of the length of `word`, at least 1), or
 * NULL when none is near. */
const char *text_nearest(const char *word, const char *const *words, size_t count);

/* Removes blanks and newlines at both ends, in place; returns the new start inside the same block.
 */
char *text_trim(char *text);

/* Bytes of the UTF-8 character at `at` (below `end`): 1 to 4; 0 when it is none, is cut, is a
 * surrogate or is written longer than need be (RFC 3629). */
size_t text_utf8_length(const char *at, const char *end) PURE;

/* Makes foreign bytes fit to be kept and printed, in place: each byte that belongs to no UTF-8
 * character and each control character but newline, tab and carriage return becomes '?'. */
void text_make_printable(char *bytes, size_t length);
