/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scores from a column of a table. The head is the first line that has the column's name in one of
 * its cells; the rows follow until a line is shorter. A column that is a number has no head: it is
 * the so many-th cell of each line that has so many.
 */
#include "base/text.h"
#include "intake/cells.h"
#include "intake/extract.h"
#include "intake/section.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#define ABSENT SIZE_MAX

struct table {
	size_t value, row, where; /* Columns; ABSENT where there is none. */
	size_t most;              /* The largest of them. */
	bool open;                /* The head has come. */
	bool numbered;            /* There is no head. */
	char separator;
	struct cells cells;
};

static size_t larger(size_t one, size_t other)
{
	if (other == ABSENT)
		return one;
	return one > other ? one : other;
}

/* A column by its number, from 1. */
static size_t numbered(const char *word)
{
	uint64_t number;
	if (!word || !text_parse_u64(word, &number) || number < 1 || number > CELLS_MAX)
		return ABSENT;
	return (size_t)number - 1;
}

static void number_columns(struct table *table, const struct score *score)
{
	table->value = numbered(score->expression);
	table->numbered = table->value != ABSENT;
	table->row = numbered(score->row);
	table->where = numbered(score->where);
	table->most = larger(larger(table->value, table->row), table->where);
}

/* Is this the head? Finds the columns. */
static bool take_head(struct table *table, const struct score *score, struct gather *gather)
{
	const size_t value = cells_find(&table->cells, score->expression);
	if (value == ABSENT)
		return false;
	table->value = value;
	table->row = score->row ? cells_find(&table->cells, score->row) : ABSENT;
	table->where = score->where ? cells_find(&table->cells, score->where) : ABSENT;
	const char *lost = score->row && table->row == ABSENT       ? score->row
			   : score->where && table->where == ABSENT ? score->where
								    : NULL;
	if (lost)
		gather_wrong(gather, "the table with the column '%s' has no column '%s'",
			     score->expression, lost);
	table->most = larger(larger(table->value, table->row), table->where);
	return true;
}

static void take_row(const struct table *table, struct gather *gather, enum gather_place place)
{
	const struct cells *cells = &table->cells;
	const struct score *score = gather->score;
	if (table->where != ABSENT && strcmp(cells->at[table->where], score->where_value) != 0)
		return;
	const char *row = table->row != ABSENT ? cells->at[table->row] : NULL;
	const struct gather_text text = {
		.number = cells->at[table->value],
		.number_length = strlen(cells->at[table->value]),
		.row = row,
		.row_length = row ? strlen(row) : 0,
	};
	gather_text(gather, &text, place);
}

static void take_line(struct table *table, const char *line, size_t length,
		      const struct extract_output *output, struct gather *gather)
{
	const enum gather_place place = extract_place(output, line);
	if (!table->open || table->numbered)
		table->separator = cells_separator(line, length);
	cells_split(&table->cells, line, length, table->separator);
	if (!table->open && !table->numbered) {
		table->open = take_head(table, gather->score, gather);
		return;
	}
	if (table->cells.n <= table->most) {
		table->open = false;
		return;
	}
	take_row(table, gather, place);
}

void extract_csv(const struct extract_output *output, struct gather *gather)
{
	struct table table = { 0 };
	struct section section AUTO(section) = { 0 };
	struct error err = { 0 };
	const char *line = NULL;
	size_t length = 0;
	if (section_open(output, gather->score, &section, &err)) {
		gather_wrong(gather, "%s", err.text);
		return;
	}
	number_columns(&table, gather->score);
	int more = 0;
	while (!gather->wrong && (more = section_next(&section, &line, &length)) > 0)
		take_line(&table, line, length, output, gather);
	if (more == -ELOOP)
		gather_wrong(gather, "'after' and 'until' of '%s' take too many steps",
			     gather->score->name);
}
