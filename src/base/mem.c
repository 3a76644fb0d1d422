/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Heap memory that ends the program, naming the size, when there is none. See mem.h. */
#include "base/mem.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static NORETURN void out_of_memory(size_t size)
{
	(void)fprintf(stderr, "assay: out of memory asking for %zu bytes\n", size);
	abort();
}

static void *or_die(void *block, size_t size)
{
	if (!block)
		out_of_memory(size);
	return block;
}

void *mem_zero(size_t size)
{
	return or_die(calloc(1, size ? size : 1), size);
}

void *mem_array(size_t count, size_t size)
{
	if (size && count > SIZE_MAX / size)
		out_of_memory(SIZE_MAX);
	return mem_zero(count * size);
}

void *mem_grow(void *block, size_t *capacity, size_t want, size_t element_size)
{
	if (want <= *capacity)
		return block;
	size_t next = *capacity ? *capacity : 8;
	while (next < want) {
		if (next > SIZE_MAX / 2)
			out_of_memory(SIZE_MAX);
		next *= 2;
	}
	if (next > SIZE_MAX / element_size)
		out_of_memory(SIZE_MAX);
	*capacity = next;
	return or_die(realloc(block, next * element_size), next * element_size);
}

char *mem_text(const char *text)
{
	return text ? mem_text_n(text, strlen(text)) : NULL;
}

char *mem_text_n(const char *bytes, size_t length)
{
	char *copy = mem_zero(length + 1);
	if (length)
		memcpy(copy, bytes, length);
	return copy;
}

char *mem_format(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	char *text = mem_format_v(format, arguments);
	va_end(arguments);
	return text;
}

char *mem_format_v(const char *format, va_list arguments)
{
	char *text = NULL;
	if (vasprintf(&text, format, arguments) < 0)
		out_of_memory(strlen(format));
	return text;
}

void mem_free_const(const void *block)
{
	union {
		const void *constant;
		void *plain;
	} owned = { .constant = block };
	free(owned.plain);
}
