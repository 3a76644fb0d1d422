/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables: one row a line, cells between commas, semicolons, tabs or blanks (the first of these that
 * the first row holds), quoted as RFC 4180 says but within one line. The first row is a head when
 * one of its cells is no number. Columns of words are labels and left out; a word in a column of
 * numbers is a mistake, told when somebody wants the column. An empty cell is no value: columns may
 * be of unequal length.
 */
#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "intake/format.h"
#include "intake/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct table {
	char *cells; /* All cells of a row, each terminated: reused for each row. */
	size_t *at;  /* Where the cells begin. */
	size_t n;    /* Cells of the row. */
	size_t line; /* Where it stands. */
	char separator;
};

struct columns {
	char *names[INTAKE_COLUMNS_MAX];
	struct intake_series *series[INTAKE_COLUMNS_MAX]; /* Valid once all are made. */
	bool has_number[INTAKE_COLUMNS_MAX];
	bool has_spoiled[INTAKE_COLUMNS_MAX]; /* "5 ms": it may not have been meant as a label. */
	size_t n;
	size_t blocks, builds; /* Numbers of columns; SIZE_MAX: none. */
};

static char separator_of(const char *line, size_t length)
{
	static const char candidates[] = ",;\t";
	for (size_t i = 0; i + 1 < sizeof(candidates); i++)
		if (memchr(line, candidates[i], length))
			return candidates[i];
	return ' ';
}

static bool is_blank(char byte)
{
	return byte == ' ' || byte == '\t';
}

/* Copies one cell from `line` + *at to the row's text and moves *at behind it. False: a quote is
 * not closed. */
static bool take_cell(const struct table *table, const char *line, size_t length, size_t *at,
		      char **to)
{
	size_t i = *at;
	while (i < length && is_blank(line[i]) && line[i] != table->separator)
		i++;
	bool quoted = i < length && line[i] == '"';
	const bool was_quoted = quoted;
	i += quoted;
	char *start = *to;
	for (; i < length; i++) {
		if (quoted && line[i] == '"' && i + 1 < length && line[i + 1] == '"')
			*(*to)++ = line[i++];
		else if (quoted && line[i] == '"')
			quoted = false;
		else if (!quoted && line[i] == table->separator)
			break;
		else
			*(*to)++ = line[i] ? line[i] : '?';
	}
	while (!was_quoted && *to > start && is_blank((*to)[-1]))
		(*to)--;
	*(*to)++ = '\0';
	*at = i;
	return !quoted;
}

/* Of blanks as separators any number counts as one. */
static void skip_blanks(const struct table *table, const char *line, size_t length, size_t *at)
{
	while (table->separator == ' ' && *at < length && is_blank(line[*at]))
		(*at)++;
}

/* Takes a line apart. */
static int split(struct table *table, const char *line, size_t length, const char *place,
		 struct error *err)
{
	table->n = 0;
	char *to = table->cells;
	size_t at = 0;
	skip_blanks(table, line, length, &at);
	bool more = at < length;
	while (more) {
		if (table->n == INTAKE_COLUMNS_MAX)
			return error_set(err, EINVAL,
					 "%s: the row has more than %d cells; cut the columns that "
					 "matter out of it",
					 place, INTAKE_COLUMNS_MAX);
		table->at[table->n++] = (size_t)(to - table->cells);
		if (!take_cell(table, line, length, &at, &to))
			return error_set(err, EINVAL, "%s: a quote is not closed", place);
		more = at < length;
		at += more;
		skip_blanks(table, line, length, &at);
		/* Behind a comma stands a cell, if an empty one; behind blanks must be more. */
		more = more && (table->separator != ' ' || at < length);
	}
	return 0;
}

static const char *cell(const struct table *table, size_t i)
{
	return i < table->n ? table->cells + table->at[i] : "";
}

static bool is_value(const char *text)
{
	struct value value;
	return lines_parse_value(text, strlen(text), &value);
}

static bool is_head(const struct table *table)
{
	for (size_t i = 0; i < table->n; i++)
		if (*cell(table, i) && !is_value(cell(table, i)))
			return true;
	return false;
}

/* The cell of a head that was more likely a measurement; NULL when there is none. A column alone has
 * no reason to be called by a number; of several, commits and counts of threads are good names. */
static const char *spoiled_cell(const struct table *table)
{
	if (table->n == 1)
		return lines_begins_number(cell(table, 0)) ? cell(table, 0) : NULL;
	for (size_t i = 0; i < table->n; i++)
		if (lines_is_spoiled_number(cell(table, i)))
			return cell(table, i);
	const bool has_unit = table->separator == ' ' && table->n == 2 &&
			      is_value(cell(table, 0)) && !is_value(cell(table, 1));
	return has_unit ? cell(table, 0) : NULL;
}

/* A head that could have been a row is refused or told: nobody shall lose a measurement unseen. */
static int check_head(const struct table *table, struct intake_document *document,
		      struct error *err)
{
	const char *spoiled = spoiled_cell(table);
	if (spoiled)
		return error_set(err, EINVAL,
				 "%s:%zu: a cell begins with '%.60s', which is neither a name nor "
				 "a usable number; write plain numbers without units, or begin "
				 "names with a letter",
				 document->path, table->line, spoiled);
	bool doubtful = table->n == 1;
	for (size_t i = 0; i < table->n; i++)
		doubtful |= lines_begins_number(cell(table, i));
	if (doubtful)
		intake_remark(document, "%s: line %zu was taken as the head, not as a measurement",
			      document->path, table->line);
	return 0;
}

static int find_column(const struct columns *columns, const char *wanted, const char *path,
		       size_t *ret_column, struct error *err)
{
	*ret_column = SIZE_MAX;
	if (!wanted)
		return 0;
	for (size_t i = 0; i < columns->n; i++)
		if (strcmp(columns->names[i], wanted) == 0) {
			*ret_column = i;
			return 0;
		}
	const char *near = text_nearest(wanted, (const char *const *)columns->names, columns->n);
	return error_set(err, EINVAL, "%s has no column '%s'%s%s%s", path, wanted,
			 near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static bool is_named(const struct columns *columns, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(columns->names[i], name) == 0)
			return true;
	return false;
}

/* "3" for the third of a table without a head. A name that stands twice gets its number too, since
 * two columns are two series. */
static char *name_column(const struct columns *columns, size_t i, const char *head)
{
	char *name = *head ? mem_text(head) : mem_format("%zu", i + 1);
	text_make_printable(name, strlen(name));
	while (is_named(columns, i, name)) {
		char *longer = mem_format("%s (column %zu)", name, i + 1);
		free(name);
		name = longer;
	}
	return name;
}

static int name_columns(const struct table *table, bool has_head, struct columns *columns,
			struct intake_document *document, struct error *err)
{
	for (size_t i = 0; i < table->n; i++) {
		columns->names[i] = name_column(columns, i, has_head ? cell(table, i) : "");
		columns->n++;
	}
	for (size_t i = 0; i < table->n; i++) {
		struct intake_series *series;
		const int failed =
			intake_series_at(document, columns->names[i], "1", NULL, &series, err);
		if (failed)
			return failed;
	}
	/* Looked up now, since each that was made may have moved the others. */
	for (size_t i = 0; i < table->n; i++)
		(void)intake_series_at(document, columns->names[i], "1", NULL, &columns->series[i],
				       err); /* It is there. */
	return 0;
}

static char *label(const struct table *table, size_t column)
{
	return column == SIZE_MAX || !*cell(table, column) ? NULL : mem_text(cell(table, column));
}

static int add_row(const struct table *table, struct columns *columns, size_t line,
		   struct intake_document *document, struct error *err)
{
	if (table->n > columns->n)
		return error_set(err, EINVAL,
				 "%s:%zu: the row has %zu cells, the first one had %zu",
				 document->path, line, table->n, columns->n);
	for (size_t i = 0; i < table->n; i++) {
		struct intake_series *series = columns->series[i];
		const char *text = cell(table, i);
		struct value value;
		if (i == columns->blocks || i == columns->builds || !*text)
			continue;
		if (!lines_parse_value(text, strlen(text), &value)) {
			columns->has_spoiled[i] |= lines_is_spoiled_number(text);
			if (!series->broken)
				series->broken = mem_format(
					"%s:%zu: '%.60s' in column '%.60s' is not a number",
					document->path, line, text, columns->names[i]);
			continue;
		}
		columns->has_number[i] |= value_is_known(value);
		const size_t before = series->n;
		const int failed = intake_add(document, series, value, line, err);
		if (failed)
			return failed;
		if (series->n == before)
			continue; /* Beyond the range: the series is broken. */
		struct intake_value *added = &series->values[series->n - 1];
		added->block = label(table, columns->blocks);
		added->build = label(table, columns->builds);
	}
	return 0;
}

/* What the first row says of all: names, or their absence. */
static int take_first(const struct table *table, bool has_head,
		      const struct intake_options *options, struct columns *columns,
		      struct intake_document *document, struct error *err)
{
	int failed = has_head ? check_head(table, document, err) : 0;
	if (!failed)
		failed = name_columns(table, has_head, columns, document, err);
	if (!failed)
		failed = find_column(columns, options->blocks, document->path, &columns->blocks,
				     err);
	if (!failed)
		failed = find_column(columns, options->builds, document->path, &columns->builds,
				     err);
	return failed;
}

static int read_rows(struct table *table, struct columns *columns, struct lines *lines,
		     const struct intake_options *options, struct intake_document *document,
		     struct error *err)
{
	const char *line;
	size_t length;
	bool first = true;
	while (lines_next_data(lines, &line, &length)) {
		table->line = lines->number;
		if (first)
			table->separator = separator_of(line, length);
		AUTO(text) char *place = mem_format("%s:%zu", document->path, lines->number);
		int failed = split(table, line, length, place, err);
		if (failed)
			return failed;
		const bool head = first && is_head(table);
		if (first)
			failed = take_first(table, head, options, columns, document, err);
		if (!head && !failed)
			failed = add_row(table, columns, lines->number, document, err);
		if (failed)
			return failed;
		first = false;
	}
	return 0;
}

/* Labels, and the columns that say which rows belong together, are no series. */
static void drop_labels(const struct columns *columns, struct intake_document *document)
{
	size_t kept = 0;
	for (size_t i = 0; i < columns->n; i++) {
		struct intake_series *series = &document->series[i];
		if (columns->has_number[i]) {
			document->series[kept++] = *series;
			continue;
		}
		if (columns->has_spoiled[i])
			intake_remark(document, "a column is left out: %s", series->broken);
		for (size_t j = 0; j < series->n; j++) {
			free(series->values[j].block);
			free(series->values[j].build);
		}
		free(series->values);
		free(series->name);
		free(series->unit);
		free(series->broken);
	}
	document->n_series = kept;
}

static int parse(const char *bytes, size_t length, const struct intake_options *options,
		 struct intake_document *document, struct error *err)
{
	struct lines lines = lines_make(bytes, length);
	/* A cell is never longer than its line, and has one byte more for its end. */
	struct table table = { .cells = mem_array(length + INTAKE_COLUMNS_MAX + 1, 1),
			       .at = mem_array(INTAKE_COLUMNS_MAX, sizeof(size_t)) };
	struct columns columns = { .blocks = SIZE_MAX, .builds = SIZE_MAX };
	const int failed = read_rows(&table, &columns, &lines, options, document, err);
	if (!failed)
		drop_labels(&columns, document);
	for (size_t i = 0; i < columns.n; i++)
		free(columns.names[i]);
	free(table.cells);
	free(table.at);
	return failed;
}

static bool sniff(const char *bytes, size_t length)
{
	struct lines lines = lines_make(bytes, length);
	const char *line;
	size_t n;
	struct value value;
	return lines_next_data(&lines, &line, &n) && !lines_parse_value(line, n, &value);
}

const struct intake_format intake_csv = {
	.name = "csv",
	.what = "a table: cells between commas, semicolons, tabs or blanks, with or without a head",
	.holds_sides = "value",
	.sniff = sniff,
	.parse = parse,
};
