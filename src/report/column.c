/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Padding and wrapping by characters. See column.h. */
#include "report/column.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#define WIDTH_LEAST 8

/* A byte that begins a character: not 10xxxxxx. */
static bool begins_character(char byte)
{
	return ((unsigned char)byte & 0xC0U) != 0x80U;
}

size_t column_width(const char *string)
{
	size_t n = 0;
	for (const char *at = string; *at; at++)
		n += begins_character(*at);
	return n;
}

static void add_blanks(struct text *text, size_t n)
{
	text_add(text, "%*s", (int)n, "");
}

void column_right(struct text *text, const char *string, size_t width)
{
	const size_t have = column_width(string);
	add_blanks(text, have < width ? width - have : 0);
	text_add_bytes(text, string, strlen(string));
}

void column_left(struct text *text, const char *string, size_t width)
{
	const size_t have = column_width(string);
	text_add_bytes(text, string, strlen(string));
	add_blanks(text, have < width ? width - have : 0);
}

/* Bytes of the first `width` characters, or all. */
static size_t bytes_of(const char *string, size_t width)
{
	size_t n = 0;
	size_t at = 0;
	while (string[at]) {
		if (begins_character(string[at]) && n++ == width)
			break;
		at++;
	}
	return at;
}

/* Where to break a string that is too long: bytes that go on this line, and bytes to drop. */
static size_t break_at(const char *string, size_t limit, size_t *ret_dropped)
{
	*ret_dropped = 0;
	for (size_t at = limit; at > 0; at--)
		if (string[at] == ' ') {
			*ret_dropped = 1;
			return at;
		}
	for (size_t at = limit; at > 1; at--)
		if (strchr("._-,/", string[at - 1]))
			return at;
	return limit;
}

void column_wrap(struct text *text, const char *string, size_t width, size_t indent)
{
	if (width < WIDTH_LEAST)
		width = WIDTH_LEAST;
	while (column_width(string) > width) {
		size_t dropped;
		const size_t length = break_at(string, bytes_of(string, width), &dropped);
		assert(length > 0);
		text_add_bytes(text, string, length);
		text_add(text, "\n");
		add_blanks(text, indent);
		string += length + dropped;
	}
	text_add(text, "%s\n", string);
}
