/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines and their numbers. See lines.h. */
#include "intake/lines.h"

#include "base/macros.h"
#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define UNIT_BYTES 6     /* Of the longest unit behind a number: "B/iter". */
#define NUMBER_BYTES 512 /* Longer than any double that is written out in full. */

static const char *const missing_words[] = { "NA", "N/A", "NaN", "null", "missing" };

struct lines lines_make(const char *bytes, size_t length)
{
	const bool has_mark = length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0;
	return (struct lines) { .at = has_mark ? bytes + 3 : bytes, .end = bytes + length };
}

bool lines_next(struct lines *lines, const char **ret_line, size_t *ret_length)
{
	if (lines->at == lines->end)
		return false;
	const size_t left = (size_t)(lines->end - lines->at);
	const char *newline = memchr(lines->at, '\n', left);
	size_t length = newline ? (size_t)(newline - lines->at) : left;
	*ret_line = lines->at;
	lines->at += newline ? length + 1 : length;
	lines->number++;
	if (length > 0 && (*ret_line)[length - 1] == '\r')
		length--;
	*ret_length = length;
	return true;
}

static bool is_blank(char byte)
{
	return byte == ' ' || byte == '\t';
}

bool lines_next_data(struct lines *lines, const char **ret_line, size_t *ret_length)
{
	while (lines_next(lines, ret_line, ret_length)) {
		size_t blanks = 0;
		while (blanks < *ret_length && is_blank((*ret_line)[blanks]))
			blanks++;
		if (blanks < *ret_length && (*ret_line)[blanks] != '#')
			return true;
	}
	return false;
}

bool lines_parse_value(const char *text, size_t length, struct value *ret_value)
{
	while (length > 0 && is_blank(*text)) {
		text++;
		length--;
	}
	while (length > 0 && is_blank(text[length - 1]))
		length--;
	if (length > 1 && *text == '+' && text[1] != '-') {
		text++;
		length--;
	}
	char word[NUMBER_BYTES];
	if (length == 0 || length >= sizeof(word) || memchr(text, '\0', length))
		return false;
	memcpy(word, text, length);
	word[length] = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(missing_words); i++)
		if (strcasecmp(word, missing_words[i]) == 0) {
			*ret_value = value_missing(MISSING_ABSENT);
			return true;
		}
	double number;
	if (!text_parse_f64(word, &number))
		return false;
	*ret_value = value_known(number);
	return true;
}

static bool is_infinity(const char *text)
{
	text += *text == '+' || *text == '-';
	return strcasecmp(text, "inf") == 0 || strcasecmp(text, "infinity") == 0;
}

bool lines_begins_number(const char *text)
{
	return (*text && strchr("0123456789+-.", *text)) || is_infinity(text);
}

/* "ms", "ns/op", "%", and the micro sign of either encoding. */
static bool is_unit(const char *text)
{
	if (strlen(text) > UNIT_BYTES)
		return false;
	for (; *text; text++)
		if (!isalpha((unsigned char)*text) && *text != '%' && *text != '/' &&
		    (unsigned char)*text < 0x80)
			return false;
	return true;
}

bool lines_is_spoiled_number(const char *text)
{
	struct value value;
	if (!lines_begins_number(text) || lines_parse_value(text, strlen(text), &value))
		return false;
	char *rest;
	(void)strtod(text, &rest);
	if (rest == text)
		return false;
	if (*rest == '_' || *rest == '\'')
		return rest[1] >= '0' && rest[1] <= '9';
	while (is_blank(*rest))
		rest++;
	return is_unit(rest);
}
