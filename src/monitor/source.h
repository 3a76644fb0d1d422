/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file of the kernel's that is read again and again: opened once below the root, read whole into
 * a buffer that was allocated at the opening. source_read() only calls pread, so it may stand in
 * the measured window.
 */
#pragma once

#include "base/error.h"
#include "base/macros.h"
#include "record/value.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SOURCE_BYTES_MAX (16U << 20)

/* So many bytes behind `length` may be looked at (they are 0 or old text): a comparison with a key
 * of at most this length needs no check of the end. */
#define SOURCE_MARGIN_BYTES 256U

/* Embed it; `= { .fd = -1 }` is one that is not open. */
struct source {
	int fd;
	char *bytes;   /* Owned; terminated after each read. */
	size_t size;   /* Of the buffer: more than twice the file at the opening. */
	size_t length; /* Of the last reading; 0 after a failed one. */
};

/* Opens and reads once. 0, or -errno with a sentence ("cannot open 'proc/vmstat': ..."); nothing is
 * held then. An empty file is -ENODATA. */
int source_open(struct source *source, int root_fd, const char *path, struct error *err) NODISCARD;
void source_done(struct source *source); /* Also of one that is not open. */

/* Reads the file anew. MISSING_NOT when bytes and length are good; MISSING_MALFORMED when the file
 * is empty or has outgrown the buffer, since a piece of a file is not its content; MISSING_OFFLINE
 * when what it belongs to was taken out of the machine. */
enum missing source_read(struct source *source);

/* Position of the line after the one at `at`; `end` when it was the last. */
const char *source_next_line(const char *at, const char *end);

/* The next line at or behind `from` that begins with the key, else the first such line before it,
 * else NULL. `length` is the key's, at most SOURCE_MARGIN_BYTES. */
const char *source_find_line(const struct source *source, const char *from, const char *key,
			     size_t length);

/* An unsigned number after blanks at *at. No digit (a sign is none), more than 64 bits, or anything
 * but a blank, a line's end or the end of the bytes right behind it is false and leaves both
 * untouched; else *at stands behind the digits. The bytes must end in a NUL, as a source's do. */
static inline bool source_number(const char **at, uint64_t *ret_number)
{
	const char *digit = *at;
	while (*digit == ' ' || *digit == '\t')
		digit++;
	const char *const first = digit;
	uint64_t number = 0;
	bool fits = true;
	for (; (unsigned char)(*digit - '0') < 10; digit++) {
		const unsigned value = (unsigned char)(*digit - '0');
		if (UNLIKELY(digit - first >= 19))
			fits = fits && !__builtin_mul_overflow(number, 10, &number) &&
			       !__builtin_add_overflow(number, value, &number);
		else
			number = number * 10 + value;
	}
	const char behind = *digit;
	if (UNLIKELY(digit == first || !fits ||
		     !(behind == ' ' || behind == '\n' || behind == '\0' || behind == '\t' ||
		       behind == '\r')))
		return false;
	*at = digit;
	*ret_number = number;
	return true;
}
