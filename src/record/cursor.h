/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading a payload field by field. A field that is not there, or not as it must be, makes the
 * cursor bad; from then on every field is 0 or empty, so that a decoder reads all of its fields
 * and asks once. Nothing is copied.
 */
#pragma once

#include "base/macros.h"
#include "record/metric.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cursor {
	const uint8_t *at;
	const uint8_t *end;
	bool is_bad;
};

struct span { /* Bytes of the payload. Borrowed. */
	const char *bytes;
	size_t length;
};

uint8_t cursor_u8(struct cursor *cursor);
uint32_t cursor_u32(struct cursor *cursor);
uint64_t cursor_u64(struct cursor *cursor);
double cursor_f64(struct cursor *cursor); /* Bad unless it is finite. */

/* Any bytes, at most `limit`. */
struct span cursor_text(struct cursor *cursor, size_t limit);
/* UTF-8 without control characters, 1 to `limit` bytes. */
struct span cursor_name(struct cursor *cursor, size_t limit);

/* A metric whose strings are new; all NULL when the cursor is bad afterwards. */
struct metric cursor_metric(struct cursor *cursor);
void cursor_metric_done(struct metric *metric);

char *span_copy(struct span span) NODISCARD;           /* As it is. */
char *span_copy_printable(struct span span) NODISCARD; /* Fit to be printed. */
