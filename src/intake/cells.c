/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cells of one line. See cells.h. */
#include "intake/cells.h"

#include "base/text.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

char cells_separator(const char *line, size_t length)
{
	static const char separators[] = "\t;,";
	for (const char *at = separators; *at; at++)
		if (memchr(line, *at, length))
			return *at;
	return '\0';
}

/* One cell to *to; gives where the next one begins, or NULL behind the last. */
static const char *take_cell(const char *at, const char *end, char separator, char **to)
{
	bool quoted = false;
	for (; at < end && (quoted || *at != separator); at++) {
		if (*at != '"')
			*(*to)++ = *at;
		else if (quoted && at + 1 < end && at[1] == '"')
			*(*to)++ = *at++; /* Two of them stand for one. */
		else
			quoted = !quoted;
	}
	*(*to)++ = '\0';
	return at < end ? at + 1 : NULL;
}

void cells_split(struct cells *cells, const char *line, size_t length, char separator)
{
	cells->n = 0;
	if (length > CELLS_BYTES_MAX || length == 0 || memchr(line, '\0', length))
		return;
	char *to = cells->bytes;
	const char *end = line + length;
	for (const char *at = line; at;) {
		if (cells->n == CELLS_MAX) {
			cells->n = 0;
			return;
		}
		char *begin = to;
		at = separator ? take_cell(at, end, separator, &to) : NULL;
		if (!separator) {
			memcpy(to, line, length);
			to[length] = '\0';
		}
		cells->at[cells->n++] = text_trim(begin);
	}
	assert(to <= cells->bytes + sizeof(cells->bytes));
}

size_t cells_find(const struct cells *cells, const char *name)
{
	for (size_t i = 0; i < cells->n; i++)
		if (strcmp(cells->at[i], name) == 0)
			return i;
	return SIZE_MAX;
}
