/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Growing strings, strict numbers, nearest words. See text.h. */
#include "base/text.h"

#include "base/mem.h"

#include <ctype.h>
#include <fnmatch.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DISTANCE_LENGTH_MAX 64

void text_done(struct text *text)
{
	free(text->bytes);
	*text = (struct text) { 0 };
}

void text_add(struct text *text, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	AUTO(text) char *piece = mem_format_v(format, arguments);
	va_end(arguments);
	text_add_bytes(text, piece, strlen(piece));
}

void text_add_bytes(struct text *text, const char *bytes, size_t length)
{
	text->bytes = mem_grow(text->bytes, &text->capacity, text->length + length + 1, 1);
	if (length)
		memcpy(text->bytes + text->length, bytes, length);
	text->length += length;
	text->bytes[text->length] = '\0';
}

const char *text_string(const struct text *text)
{
	return text->bytes ? text->bytes : "";
}

char *text_take(struct text *text)
{
	char *bytes = text->bytes ? text->bytes : mem_text("");
	*text = (struct text) { 0 };
	return bytes;
}

bool text_scan_u64(const char **at, const char *end, uint64_t *ret_number)
{
	const char *next = *at;
	uint64_t number = 0;
	while (next < end && *next >= '0' && *next <= '9') {
		const unsigned digit = (unsigned)(*next - '0');
		if (number > (UINT64_MAX - digit) / 10)
			return false;
		number = number * 10 + digit;
		next++;
	}
	if (next == *at)
		return false;
	*at = next;
	*ret_number = number;
	return true;
}

bool text_parse_u64(const char *text, uint64_t *ret_number)
{
	const char *at = text;
	const char *end = text + strlen(text);
	uint64_t number;
	if (!text_scan_u64(&at, end, &number) || at != end)
		return false;
	*ret_number = number;
	return true;
}

bool text_parse_i64(const char *text, int64_t *ret_number)
{
	const bool negative = *text == '-';
	uint64_t size;
	if (!text_parse_u64(text + (negative ? 1 : 0), &size))
		return false;
	if (size > (uint64_t)INT64_MAX + (negative ? 1 : 0))
		return false;
	*ret_number = negative ? (int64_t)(0 - size) : (int64_t)size;
	return true;
}

bool text_parse_f64(const char *text, double *ret_number)
{
	/* strtod takes blanks, a plus, hexadecimal, "inf" and "nan" as well. */
	if (!*text || *text == '+' || text[strspn(text, "0123456789.eE+-")])
		return false;
	char *end;
	/* assay never sets LC_NUMERIC, so the decimal point is a point. */
	const double number = strtod(text, &end);
	if (*end || !isfinite(number))
		return false;
	*ret_number = number;
	return true;
}

bool text_starts_with(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool text_ends_with(const char *text, const char *suffix)
{
	const size_t length = strlen(text);
	const size_t tail = strlen(suffix);
	return length >= tail && memcmp(text + length - tail, suffix, tail) == 0;
}

bool text_equal(const char *one, const char *other)
{
	return one && other ? strcmp(one, other) == 0 : one == other;
}

bool text_matches(const char *text, const char *pattern)
{
	if (!pattern || !*pattern)
		return true;
	return strstr(text, pattern) || fnmatch(pattern, text, 0) == 0;
}

static unsigned least(unsigned one, unsigned two)
{
	return one < two ? one : two;
}

unsigned text_distance(const char *one, const char *other, unsigned limit)
{
	const size_t rows = strlen(one);
	const size_t columns = strlen(other);
	if (rows > DISTANCE_LENGTH_MAX || columns > DISTANCE_LENGTH_MAX)
		return limit + 1;
	unsigned cost[DISTANCE_LENGTH_MAX + 1][DISTANCE_LENGTH_MAX + 1];
	for (size_t i = 0; i <= rows; i++)
		cost[i][0] = (unsigned)i;
	for (size_t j = 0; j <= columns; j++)
		cost[0][j] = (unsigned)j;
	for (size_t i = 1; i <= rows; i++) {
		for (size_t j = 1; j <= columns; j++) {
			const bool differs = one[i - 1] != other[j - 1];
			unsigned best = least(cost[i - 1][j], cost[i][j - 1]) + 1;
			best = least(best, cost[i - 1][j - 1] + differs);
			if (i > 1 && j > 1 && one[i - 1] == other[j - 2] &&
			    one[i - 2] == other[j - 1])
				best = least(best, cost[i - 2][j - 2] + 1);
			cost[i][j] = best;
		}
	}
	return least(cost[rows][columns], limit + 1);
}

const char *text_nearest(const char *word, const char *const *words, size_t count)
{
	unsigned best_distance = (unsigned)strlen(word) / 3;
	if (best_distance == 0)
		best_distance = 1;
	const char *best = NULL;
	for (size_t i = 0; i < count; i++) {
		const unsigned distance = text_distance(word, words[i], best_distance);
		if (distance < best_distance || (distance == best_distance && !best)) {
			best = words[i];
			best_distance = distance;
		}
	}
	return best;
}

char *text_trim(char *text)
{
	while (isspace((unsigned char)*text))
		text++;
	size_t length = strlen(text);
	while (length && isspace((unsigned char)text[length - 1]))
		text[--length] = '\0';
	return text;
}

/* The least code point that needs as many bytes, and the mask of the first byte's own bits. */
static const struct {
	uint32_t least;
	uint8_t mask, mark;
} utf8_shapes[] = {
	{ 0, 0x7f, 0x00 }, { 0x80, 0x1f, 0xc0 }, { 0x800, 0x0f, 0xe0 }, { 0x10000, 0x07, 0xf0 }
};

size_t text_utf8_length(const char *at, const char *end)
{
	const size_t room = (size_t)(end - at);
	for (size_t length = 1; length <= ARRAY_SIZE(utf8_shapes) && length <= room; length++) {
		const uint8_t first = (uint8_t)at[0];
		const uint8_t mask = utf8_shapes[length - 1].mask;
		if ((first & (uint8_t)~mask) != utf8_shapes[length - 1].mark)
			continue;
		uint32_t point = first & mask;
		for (size_t i = 1; i < length; i++) {
			if (((uint8_t)at[i] & 0xc0) != 0x80)
				return 0;
			point = point << 6 | ((uint8_t)at[i] & 0x3f);
		}
		const bool is_surrogate = point >= 0xd800 && point <= 0xdfff;
		const bool is_point = point >= utf8_shapes[length - 1].least && point <= 0x10ffff;
		return is_point && !is_surrogate ? length : 0;
	}
	return 0;
}

void text_make_printable(char *bytes, size_t length)
{
	const char *end = bytes + length;
	for (char *at = bytes; at < end;) {
		const size_t character = text_utf8_length(at, end);
		const bool is_control =
			character == 1 && iscntrl((unsigned char)*at) && !strchr("\n\t\r", *at);
		/* U+0080 to U+009f are control characters as well: terminals obey them. */
		const bool is_high_control =
			character == 2 && (uint8_t)at[0] == 0xc2 && (uint8_t)at[1] < 0xa0;
		if (character == 0 || is_control || *at == '\0')
			*at++ = '?';
		else if (is_high_control)
			at = mempcpy(at, "??", 2);
		else
			at += character;
	}
}
