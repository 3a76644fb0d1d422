/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of well-formed byte sequences of the Unicode standard (table 3-7). See utf8.h. */
#include "experiment/utf8.h"

#include <string.h>

static const struct {
	unsigned char first_min, first_max, second_min, second_max;
	size_t length;
} forms[] = {
	{ 0x00, 0x7f, 0x00, 0xff, 1 }, { 0xc2, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 },
	{ 0xe1, 0xec, 0x80, 0xbf, 3 }, { 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 },
	{ 0xf0, 0xf0, 0x90, 0xbf, 4 }, { 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
};

static bool is_within(unsigned char byte, unsigned char min, unsigned char max)
{
	return byte >= min && byte <= max;
}

size_t utf8_length(const char *at, size_t left)
{
	const unsigned char *bytes = (const unsigned char *)at;
	for (size_t i = 0; left > 0 && i < ARRAY_SIZE(forms); i++) {
		const size_t length = forms[i].length;
		if (!is_within(bytes[0], forms[i].first_min, forms[i].first_max) || length > left)
			continue;
		if (length > 1 && !is_within(bytes[1], forms[i].second_min, forms[i].second_max))
			return 0;
		for (size_t byte = 2; byte < length; byte++)
			if (!is_within(bytes[byte], 0x80, 0xbf))
				return 0;
		return length;
	}
	return 0;
}

bool utf8_is_valid(const char *text)
{
	const char *end = text + strlen(text);
	while (text < end) {
		const size_t length = utf8_length(text, (size_t)(end - text));
		if (length == 0)
			return false;
		text += length;
	}
	return true;
}
