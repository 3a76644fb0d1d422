/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One line of a table, cut into cells: commas, semicolons or tabs between them, quotes around them. */
#pragma once

#include <stddef.h>

#define CELLS_MAX 256
#define CELLS_BYTES_MAX 8192

struct cells {
	char bytes[CELLS_BYTES_MAX + CELLS_MAX + 1];
	const char *at[CELLS_MAX]; /* Without quotes and blanks around them. */
	size_t n;
};

/* The separator that the line uses: '\t', ';' or ','; '\0' when there is none of them. */
char cells_separator(const char *line, size_t length);

/* A line that is too long or has too many cells gives none. */
void cells_split(struct cells *cells, const char *line, size_t length, char separator);

/* Its number, or SIZE_MAX. */
size_t cells_find(const struct cells *cells, const char *name);
