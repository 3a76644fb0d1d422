/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts of marks: what would forge a report is refused. See mark_words.h. */
#include "cli/mark_words.h"

#include "base/macros.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define WHY_BYTES_MAX 2000

struct range { /* Of code points, ends included. */
	uint32_t first, last;
};

/* ASCII and Latin-1 controls, breaks of lines and paragraphs, and what sets or turns the direction of
 * reading (Unicode Standard Annex 9, "explicit directional formatting characters"). */
static const struct range refused[] = {
	{ 0x0000, 0x001f }, { 0x007f, 0x009f }, { 0x061c, 0x061c }, { 0x200e, 0x200f },
	{ 0x2028, 0x202e }, { 0x2066, 0x2069 }, { 0xfff9, 0xfffb },
};

/* Characters that show nothing. */
static const struct range blank[] = {
	{ 0x0020, 0x0020 }, { 0x00a0, 0x00a0 }, { 0x00ad, 0x00ad },
	{ 0x1680, 0x1680 }, { 0x2000, 0x200d }, { 0x202f, 0x202f },
	{ 0x205f, 0x2064 }, { 0x3000, 0x3000 }, { 0xfeff, 0xfeff },
};

static bool is_among(uint32_t point, const struct range *ranges, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (point >= ranges[i].first && point <= ranges[i].last)
			return true;
	return false;
}

/* Of the whole character of `length` bytes. */
static uint32_t point_of(const char *at, size_t length)
{
	static const uint8_t masks[] = { 0x7f, 0x1f, 0x0f, 0x07 };
	uint32_t point = (uint8_t)at[0] & masks[length - 1];
	for (size_t i = 1; i < length; i++)
		point = point << 6 | ((uint8_t)at[i] & 0x3f);
	return point;
}

int mark_words_check(const char *what, const char *text, struct error *err)
{
	const char *end = text + strlen(text);
	for (const char *at = text; at < end;) {
		const size_t length = text_utf8_length(at, end);
		if (length == 0)
			return error_set(err, EINVAL, "%s is not UTF-8 at byte %zu", what,
					 (size_t)(at - text) + 1);
		const uint32_t point = point_of(at, length);
		if (is_among(point, refused, ARRAY_SIZE(refused)))
			return error_set(err, EINVAL,
					 "%s holds U+%04" PRIX32
					 " at byte %zu: it must be one line "
					 "without control characters",
					 what, point, (size_t)(at - text) + 1);
		at += length;
	}
	return 0;
}

/* The text is UTF-8. */
static bool is_blank(const char *text)
{
	const char *end = text + strlen(text);
	for (const char *at = text; at < end;) {
		const size_t length = text_utf8_length(at, end);
		if (!is_among(point_of(at, length), blank, ARRAY_SIZE(blank)))
			return false;
		at += length;
	}
	return true;
}

int mark_words_why(const char *why, struct error *err)
{
	if (!why)
		return error_set(err, EINVAL,
				 "a mark needs its reason: --why 'the disk was replaced'");
	const int failed = mark_words_check("option '--why'", why, err);
	if (failed)
		return failed;
	if (is_blank(why))
		return error_set(err, EINVAL,
				 "option '--why' is blank, and a mark needs its reason: "
				 "--why 'the disk was replaced'");
	if (strlen(why) > WHY_BYTES_MAX)
		return error_set(err, EINVAL, "option '--why' takes at most %d bytes, not %zu",
				 WHY_BYTES_MAX, strlen(why));
	return 0;
}
