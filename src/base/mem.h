/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Heap memory that cannot fail: out of memory ends the program in one place (mem.c), naming the
 * size. Blocks are released with free(). Not for the measured window, which allocates nothing.
 */
#pragma once

#include "base/macros.h"

#include <stdarg.h>
#include <stddef.h>

/* `size` zeroed bytes; size 0 gives a unique block too. */
void *mem_zero(size_t size) NODISCARD;

/* Zeroed array of `count` elements of `size` bytes; an overflow of the product ends the program. */
void *mem_array(size_t count, size_t size) NODISCARD;

/* Room for at least `want` elements in a growing array: doubles *capacity as needed, new part is
 * not zeroed. Returns the (moved) block. */
void *mem_grow(void *block, size_t *capacity, size_t want, size_t element_size) NODISCARD;

/* Copies; `text` may be NULL and gives NULL. */
char *mem_text(const char *text) NODISCARD;

/* Copy of `length` bytes with a terminating NUL. */
char *mem_text_n(const char *bytes, size_t length) NODISCARD;

/* printf into a new string. */
char *mem_format(const char *format, ...) NODISCARD PRINTF_LIKE(1, 2);
char *mem_format_v(const char *format, va_list arguments) NODISCARD PRINTF_LIKE(1, 0);

/* free() for a block whose owner shows it to others only as const; NULL is allowed. */
void mem_free_const(const void *block);
