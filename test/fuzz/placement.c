/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fuzz target of placement's parsers: the input is a file of numa_maps, line by line, and a stat
 * file.
 */
#include "monitor/placed.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void take(void *user, uint32_t node, uint64_t bytes)
{
	uint64_t *calls = user;
	assert(node <= 65535);
	*calls += bytes > 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t calls = 0;
	struct placed_task task;
	char *text = malloc(size + 1);
	assert(text);
	if (size > 0)
		memcpy(text, data, size);
	text[size] = '\0';
	(void)placed_stat(text, &task);
	for (const char *at = text, *end = text + size; at < end;) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		/* A copy of its own, so that a look beyond the line is seen. */
		const size_t length = (size_t)((newline ? newline : end) - at);
		char *line = malloc(length ? length : 1);
		assert(line);
		memcpy(line, at, length);
		(void)placed_line(line, length, 4096, take, &calls);
		free(line);
		at += length + (newline ? 1 : 0);
	}
	assert(calls <= size);
	free(text);
	return 0;
}
