/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fields of a payload, each looked at before it is believed. See cursor.h. */
#include "record/cursor.h"

#include "base/mem.h"
#include "base/text.h"
#include "record/frame.h"

#include <ctype.h>
#include <endian.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void take(struct cursor *cursor, void *field, size_t size)
{
	if (cursor->is_bad || (size_t)(cursor->end - cursor->at) < size) {
		cursor->is_bad = true;
		memset(field, 0, size);
		return;
	}
	memcpy(field, cursor->at, size);
	cursor->at += size;
}

uint8_t cursor_u8(struct cursor *cursor)
{
	uint8_t byte;
	take(cursor, &byte, sizeof(byte));
	return byte;
}

uint32_t cursor_u32(struct cursor *cursor)
{
	uint32_t little;
	take(cursor, &little, sizeof(little));
	return le32toh(little);
}

uint64_t cursor_u64(struct cursor *cursor)
{
	uint64_t little;
	take(cursor, &little, sizeof(little));
	return le64toh(little);
}

double cursor_f64(struct cursor *cursor)
{
	const uint64_t bits = cursor_u64(cursor);
	double number;
	memcpy(&number, &bits, sizeof(number));
	if (isfinite(number))
		return number;
	cursor->is_bad = true;
	return 0;
}

struct span cursor_text(struct cursor *cursor, size_t limit)
{
	const size_t length = cursor_u32(cursor);
	if (cursor->is_bad || length > limit || length > (size_t)(cursor->end - cursor->at)) {
		cursor->is_bad = true;
		return (struct span) { "", 0 };
	}
	const struct span span = { (const char *)cursor->at, length };
	cursor->at += length;
	return span;
}

static bool is_name(struct span span)
{
	const char *end = span.bytes + span.length;
	for (const char *at = span.bytes; at < end;) {
		const size_t character = text_utf8_length(at, end);
		/* U+0080 to U+009f are control characters too, which terminals obey. */
		const bool is_high_control =
			character == 2 && (uint8_t)at[0] == 0xc2 && (uint8_t)at[1] < 0xa0;
		if (character == 0 || iscntrl((unsigned char)*at) || is_high_control)
			return false;
		at += character;
	}
	return span.length > 0;
}

struct span cursor_name(struct cursor *cursor, size_t limit)
{
	const struct span span = cursor_text(cursor, limit);
	if (cursor->is_bad || is_name(span))
		return span;
	cursor->is_bad = true;
	return (struct span) { "", 0 };
}

struct metric cursor_metric(struct cursor *cursor)
{
	const struct span name = cursor_name(cursor, FRAME_NAME_MAX);
	const struct span unit = cursor_text(cursor, FRAME_UNIT_MAX);
	const struct span what = cursor_text(cursor, FRAME_LINE_MAX);
	const unsigned kind = cursor_u8(cursor);
	const unsigned better = cursor_u8(cursor);
	const unsigned role = cursor_u8(cursor);
	if (kind >= METRIC_KIND_COUNT || better >= BETTER_COUNT || role >= ROLE_COUNT)
		cursor->is_bad = true;
	if (cursor->is_bad)
		return (struct metric) { 0 };
	return (struct metric) {
		.name = span_copy(name),
		.unit = unit.length ? span_copy_printable(unit) : mem_text("1"),
		.what = span_copy_printable(what),
		.kind = (enum metric_kind)kind,
		.better = (enum metric_better)better,
		.role = (enum metric_role)role,
	};
}

void cursor_metric_done(struct metric *metric)
{
	mem_free_const(metric->name);
	mem_free_const(metric->unit);
	mem_free_const(metric->what);
	*metric = (struct metric) { 0 };
}

char *span_copy(struct span span)
{
	return mem_text_n(span.bytes, span.length);
}

char *span_copy_printable(struct span span)
{
	char *text = span_copy(span);
	text_make_printable(text, span.length);
	return text;
}
