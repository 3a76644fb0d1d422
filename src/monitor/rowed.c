/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file with a line for each row and numbers in columns. See rowed.h. */
#include "monitor/rowed.h"

#include "base/mem.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static_assert(ROWED_NAME_BYTES_MAX <= SOURCE_MARGIN_BYTES,
	      "a comparison with a row's name stays inside the buffer");

static bool is_blank(char byte)
{
	return byte == ' ' || byte == '\t';
}

static bool is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

/* Stands in front of the next number of the line: true. Words (which begin with something else than
 * a digit or a sign) are passed over. False at the line's end and at what could only be a damaged
 * number, with *ret_why. */
static bool next_number(const char **at, enum missing *ret_why)
{
	const char *word = *at;
	for (;;) {
		while (is_blank(*word))
			word++;
		*at = word;
		if (is_digit(*word))
			return true;
		const bool ends = *word == '\n' || *word == '\0';
		if (ends || *word == '-' || *word == '+') {
			*ret_why = ends ? MISSING_ABSENT : MISSING_MALFORMED;
			return false;
		}
		while (*word != '\0' && *word != '\n' && !is_blank(*word))
			word++;
	}
}

/* Columns of the plan that the line has from `at` on. */
static uint32_t count_columns(const struct rowed_column *columns, const char *at)
{
	uint32_t n = 0;
	unsigned place = 0;
	enum missing why;
	uint64_t number;
	while (columns[n].name && next_number(&at, &why) && source_number(&at, &number)) {
		if (place++ == columns[n].place)
			n++;
	}
	return n;
}

static bool is_plan(const struct rowed_column *columns)
{
	bool good = columns[0].name != NULL;
	for (size_t i = 0; columns[i].name; i++)
		good = good && i < ROWED_COLUMNS_MAX &&
		       (columns[i].kind == METRIC_COUNTER || columns[i].kind == METRIC_GAUGE) &&
		       (i == 0 || columns[i].place > columns[i - 1].place);
	return good;
}

/* Learns the rows; *ret_names are theirs, in order, each to be freed. */
static void learn(struct rowed *rowed, char ***ret_names)
{
	const char *const end = rowed->source.bytes + rowed->source.length;
	const char *line = rowed->source.bytes;
	size_t rows_room = 0;
	size_t names_room = 0;
	char **names = NULL;
	char name[ROWED_NAME_BYTES_MAX];
	while (line < end && rowed->n_rows < ROWED_ROWS_MAX) {
		const char *const next = source_next_line(line, end);
		const size_t length = rowed->plan->name(line, next, name, sizeof(name));
		if (length > 0 && length <= ROWED_NAME_BYTES_MAX) {
			assert(line + length <= next);
			const uint32_t n = rowed->n_rows++;
			rowed->rows =
				mem_grow(rowed->rows, &rows_room, n + 1, sizeof(*rowed->rows));
			names = mem_grow(names, &names_room, n + 1, sizeof(*names));
			rowed->rows[n] = (struct rowed_row) { .text = mem_text_n(line, length),
							      .length = (uint32_t)length };
			names[n] = mem_text(name);
			const uint32_t n_columns =
				count_columns(rowed->plan->columns, line + length);
			rowed->n_columns =
				n_columns > rowed->n_columns ? n_columns : rowed->n_columns;
		}
		line = next;
	}
	*ret_names = names;
}

static void declare_row(const struct rowed *rowed, struct monitor_setup *setup, const char *row)
{
	for (uint32_t i = 0; i < rowed->n_columns; i++) {
		const struct rowed_column *const column = &rowed->plan->columns[i];
		const bool counts = column->kind == METRIC_COUNTER;
		char name[METRIC_NAME_BYTES];
		(void)snprintf(name, sizeof(name), "%s.%s",
			       rowed->plan->column_first ? column->name : row,
			       rowed->plan->column_first ? row : column->name);
		const uint32_t channel =
			monitor_channel(setup, name, counts ? CHANNEL_COUNTER : CHANNEL_GAUGE,
					counts ? column->width_bits : 0);
		monitor_rule(setup, &(const struct metric_rule) {
					    .metric = { .name = name,
							.unit = column->unit,
							.what = column->what,
							.kind = column->kind,
							.better = BETTER_NONE,
							.role = ROLE_EVIDENCE },
					    .scale = 1,
					    .parts = &channel,
					    .n_parts = 1,
				    });
	}
}

static bool is_among(char *const *names, uint32_t n, const char *name)
{
	for (uint32_t i = 0; i < n; i++) {
		if (strcmp(names[i], name) == 0)
			return true;
	}
	return false;
}

/* Takes a row out. */
static void drop(struct rowed *rowed, uint32_t place)
{
	free(rowed->rows[place].text);
	memmove(&rowed->rows[place], &rowed->rows[place + 1],
		(rowed->n_rows - place - 1) * sizeof(*rowed->rows));
	rowed->n_rows--;
}

/* Declares every row whose name is not taken and that the channels have room for. */
static void declare(struct rowed *rowed, struct monitor_setup *setup, char **names)
{
	const uint32_t n_learnt = rowed->n_rows;
	const uint32_t room = CHANNELS_PER_MONITOR_MAX / (rowed->n_columns ? rowed->n_columns : 1);
	uint32_t kept = 0;
	for (uint32_t i = 0; i < n_learnt; i++) {
		if (rowed->n_columns == 0 || kept == room || is_among(names, i, names[i])) {
			drop(rowed, kept);
			continue;
		}
		declare_row(rowed, setup, names[i]);
		kept++;
	}
	assert(kept == rowed->n_rows);
	for (uint32_t i = 0; i < n_learnt; i++)
		free(names[i]);
	free(names);
}

enum monitor_opened rowed_open(struct rowed *rowed, struct monitor_setup *setup,
			       const struct rowed_plan *plan, struct error *reason)
{
	assert(is_plan(plan->columns));
	*rowed = (struct rowed) { .source = { .fd = -1 }, .plan = plan };
	if (source_open(&rowed->source, monitor_root(setup), plan->path, reason) < 0)
		return MONITOR_UNAVAILABLE;
	char **names;
	learn(rowed, &names);
	if (names)
		declare(rowed, setup, names);
	if (rowed->n_rows > 0)
		return MONITOR_OPEN;
	rowed_done(rowed);
	(void)error_set(reason, ENODATA, "'%s' has no line of a name and numbers", plan->path);
	return MONITOR_UNAVAILABLE;
}

void rowed_done(struct rowed *rowed)
{
	for (uint32_t i = 0; i < rowed->n_rows; i++)
		free(rowed->rows[i].text);
	free(rowed->rows);
	source_done(&rowed->source);
	*rowed = (struct rowed) { .source = { .fd = -1 } };
}

/* Whether the line is this row's and not that of a name which only begins like it. */
static bool begins(const char *line, const struct rowed_row *row)
{
	if (memcmp(line, row->text, row->length) != 0)
		return false;
	const char behind = line[row->length];
	return is_blank(behind) || behind == '\n' || behind == '\0' ||
	       row->text[row->length - 1] == ':';
}

/* Place of the line's row, looked for behind the expected place first; n_rows when it has none. */
static uint32_t search(const struct rowed *rowed, const char *line, uint32_t expected)
{
	for (uint32_t step = 0; step < rowed->n_rows; step++) {
		const uint32_t place = (expected + step) % rowed->n_rows;
		if (begins(line, &rowed->rows[place]))
			return place;
	}
	return rowed->n_rows;
}

static struct reading make_reading(const struct rowed_column *column, uint64_t number)
{
	if (column->kind == METRIC_GAUGE)
		return reading_level((double)number);
	return reading_count(column->width_bits == 32 ? (uint32_t)number : number);
}

/* Fills a row's channels from the text behind its name. */
static void sample_row(const struct rowed *rowed, const char *at, struct reading *readings)
{
	unsigned place = 0;
	enum missing why = MISSING_MALFORMED;
	uint64_t number;
	for (uint32_t i = 0; i < rowed->n_columns;) {
		const struct rowed_column *const column = &rowed->plan->columns[i];
		if (!next_number(&at, &why) || !source_number(&at, &number)) {
			for (; i < rowed->n_columns; i++)
				readings[i] = reading_missing(why);
			return;
		}
		if (place++ == column->place)
			readings[i++] = make_reading(column, number);
		why = MISSING_MALFORMED;
	}
}

void rowed_sample(struct rowed *rowed, struct reading *readings)
{
	const enum missing why = source_read(&rowed->source);
	const uint32_t n = rowed->n_rows * rowed->n_columns;
	for (uint32_t i = 0; i < n; i++)
		readings[i] = reading_missing(why == MISSING_NOT ? MISSING_ABSENT : why);
	const char *const end = rowed->source.bytes + rowed->source.length;
	const char *line = rowed->source.bytes;
	uint32_t expected = 0;
	while (line < end) {
		const uint32_t place = search(rowed, line, expected);
		if (LIKELY(place < rowed->n_rows)) {
			sample_row(rowed, line + rowed->rows[place].length,
				   readings + (size_t)place * rowed->n_columns);
			expected = place + 1 < rowed->n_rows ? place + 1 : 0;
		}
		line = source_next_line(line, end);
	}
}

enum monitor_opened rowed_hook_open(struct monitor_setup *setup, const struct rowed_plan *plan,
				    void **ret_state, struct error *reason)
{
	struct rowed *rowed = mem_zero(sizeof(*rowed));
	const enum monitor_opened opened = rowed_open(rowed, setup, plan, reason);
	if (opened == MONITOR_OPEN)
		*ret_state = rowed;
	else
		free(rowed);
	return opened;
}

void rowed_hook_sample(void *state, struct reading *readings)
{
	rowed_sample(state, readings);
}

void rowed_hook_close(void *state)
{
	if (state)
		rowed_done(state);
	free(state);
}
