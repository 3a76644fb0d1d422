/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The numbers that one score has found in an output, one heap a row, until one number a row is
 * picked. What makes the score unusable is kept as a sentence: the first one counts.
 */
#pragma once

#include "base/macros.h"
#include "intake/adapter.h"

#include <stdbool.h>
#include <stddef.h>

#define GATHER_ROWS_MAX 2000

enum gather_place { /* Where a number stood in an output of which something was left out. */
		    GATHER_WHOLE, /* Nothing was. */
		    GATHER_EARLY, /* In front of the first gap. */
		    GATHER_BETWEEN,
		    GATHER_LATE, /* Behind the last gap. */
};

struct gathered {
	char *row; /* "" for a score without rows. */
	size_t n;
	double first, last, sum, least, most;
	enum gather_place first_place, last_place;
};

struct gather {
	const struct score *score;
	struct gathered *rows;
	size_t n, capacity;
	char *wrong; /* NULL while all is well. */
};

struct gather_text { /* One number as it stood there; a text that is NULL was not there. */
	const char *number;
	size_t number_length;
	const char *row;
	size_t row_length;
	const char *unit;
	size_t unit_length;
};

/* Takes one number apart and puts it to its row. */
void gather_text(struct gather *gather, const struct gather_text *text, enum gather_place place);

/* The same of a number that is one already, in the unit of the output. */
void gather_number(struct gather *gather, double number, const char *row, enum gather_place place);

void gather_wrong(struct gather *gather, const char *format, ...) PRINTF_LIKE(2, 3);

/* The number of a row. False with the gather wrong: several where one was meant, or what was left
 * out of the output could have decided. */
bool gather_pick(struct gather *gather, size_t row, double *ret_number);

void gather_done(struct gather *gather);

static inline void auto_release_gather(struct gather *gather)
{
	gather_done(gather);
}
