/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unpacks one gzip member from memory (RFC 1951 and 1952): enough to read /proc/config.gz in a program that links
 * nothing. Not fast, and not for the measured window. Foreign bytes give -EBADMSG, never more.
 */
#pragma once

#include <stddef.h>

/* The plain bytes as a new NUL-terminated block; check sum and length in the trailer are verified. -EBADMSG when the
 * bytes are no whole gzip member, -EFBIG when the plain text is longer than `limit`. */
int environment_inflate(const void *bytes, size_t length, size_t limit, char **ret_text,
			size_t *ret_length);
