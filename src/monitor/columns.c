/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A table with a column for each CPU. See columns.h. */
#include "monitor/columns.h"

#include "base/auto.h"
#include "base/mem.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static_assert(COLUMNS_LABEL_BYTES_MAX <= SOURCE_MARGIN_BYTES,
	      "a comparison with a label stays inside the buffer");

static const char *skip_blanks(const char *at)
{
	while (*at == ' ' || *at == '\t')
		at++;
	return at;
}

/* The next "CPU7" of the first line; false behind the last. */
static bool next_cpu(const char **at, uint32_t *ret_number)
{
	const char *word = skip_blanks(*at);
	uint64_t number;
	if (strncmp(word, "CPU", 3) != 0 || word[3] < '0' || word[3] > '9')
		return false;
	word += 3;
	if (!source_number(&word, &number) || number >= CPUS_MAX)
		return false;
	*at = word;
	*ret_number = (uint32_t)number;
	return true;
}

/* Notes which slot each column belongs to, when the first line is not the one seen last. */
static void parse_header(struct columns *columns)
{
	const char *const bytes = columns->source.bytes;
	const char *const end = source_next_line(bytes, bytes + columns->source.length);
	const uint32_t length = (uint32_t)(end - bytes);
	if (length == columns->header_bytes && memcmp(bytes, columns->header, length) == 0)
		return;
	memcpy(columns->header, bytes, length);
	columns->header_bytes = length;
	memset(columns->online, 0, columns->cpus.n * sizeof(*columns->online));
	columns->n_columns = 0;
	const char *at = bytes;
	uint32_t number;
	while (columns->n_columns < columns->columns_max && next_cpu(&at, &number)) {
		const int slot = cpus_slot(&columns->cpus, number, columns->n_columns);
		columns->slots[columns->n_columns++] = slot;
		if (slot >= 0)
			columns->online[slot] = true;
	}
}

/* The CPUs that get channels: those plugged in, else those in the first line. */
static void learn_cpus(struct columns *columns, int root_fd)
{
	const char *at = columns->source.bytes;
	uint32_t number;
	uint32_t n_columns = 0;
	const bool says_present = cpus_present(&columns->cpus, root_fd);
	while (next_cpu(&at, &number)) {
		n_columns++;
		if (!says_present)
			cpus_add(&columns->cpus, number);
	}
	/* CPUs that are plugged in later have columns between the others'. */
	columns->columns_max = 2 * (n_columns > columns->cpus.n ? n_columns : columns->cpus.n) + 16;
	columns->slots = mem_array(columns->columns_max, sizeof(*columns->slots));
	columns->online = mem_array(columns->cpus.n + 1, sizeof(*columns->online));
	columns->header = mem_zero(columns->source.size);
}

/* The label at the beginning of a line with its colon, or false when the line has none. */
static bool line_label(const char *line, const char *end, const char **ret_label,
		       size_t *ret_length)
{
	const char *const label = skip_blanks(line);
	const char *at = label;
	while (at<end && * at> ' ' && *at < 0x7f && *at != ':')
		at++;
	const size_t length = (size_t)(at - label) + 1;
	if (at >= end || *at != ':' || length == 1 || length > COLUMNS_LABEL_BYTES_MAX)
		return false;
	*ret_label = label;
	*ret_length = length;
	return true;
}

/* Words behind the counts, without blanks and unprintable bytes at the end. New string. */
static char *take_words(const char *at, const char *end)
{
	at = skip_blanks(at);
	size_t length = at < end ? (size_t)(end - at) : 0;
	while (length > 0 && (at[length - 1] <= ' ' || at[length - 1] >= 0x7f))
		length--;
	char *words = mem_text_n(at, length);
	for (char *byte = words; *byte; byte++) {
		if (*byte < ' ' || *byte >= 0x7f)
			*byte = ' ';
	}
	return words;
}

/* Whether a line's one count belongs to no CPU. With one column only the label can tell. */
static bool is_single(const char *label, uint32_t n_numbers, const char *words, uint32_t n_columns)
{
	static const char *const known[] = { "ERR", "MIS", "Err", "BAD" };
	if (n_numbers > 1 || *words)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		if (strcmp(label, known[i]) == 0)
			return true;
	}
	return n_columns > 1;
}

static void learn_line(struct columns *columns, const char *line, const char *end,
		       columns_name *name, size_t *capacity)
{
	const char *label;
	size_t length;
	if (!line_label(line, end, &label, &length))
		return;
	for (uint32_t i = 0; i < columns->n_lines; i++) {
		if (columns->lines[i].length == length &&
		    memcmp(columns->lines[i].label, label, length) == 0)
			return;
	}
	const char *at = label + length;
	uint64_t number;
	uint32_t n_numbers = 0;
	while (n_numbers < columns->n_columns && source_number(&at, &number))
		n_numbers++;
	AUTO(text) char *words = take_words(at, end);
	AUTO(text) char *bare = mem_text_n(label, length - 1);
	char text[COLUMNS_NAME_BYTES_MAX];
	name(bare, words, text, sizeof(text));
	columns->lines =
		mem_grow(columns->lines, capacity, columns->n_lines + 1, sizeof(*columns->lines));
	columns->lines[columns->n_lines++] = (struct columns_line) {
		.label = mem_text_n(label, length),
		.name = mem_text(text),
		.length = (uint32_t)length,
		.single = is_single(bare, n_numbers, words, columns->n_columns),
	};
}

static void learn_lines(struct columns *columns, columns_name *name)
{
	const char *const end = columns->source.bytes + columns->source.length;
	const char *line = source_next_line(columns->source.bytes, end);
	size_t capacity = 0;
	while (line < end && columns->n_lines < COLUMNS_LINES_MAX) {
		const char *const next = source_next_line(line, end);
		learn_line(columns, line, next, name, &capacity);
		line = next;
	}
}

static uint32_t line_channels(const struct columns *columns, const struct columns_line *line)
{
	return line->single || columns->totals ? 1 : columns->cpus.n;
}

static void declare_line(struct columns *columns, struct monitor_setup *setup,
			 struct columns_line *line, uint32_t *parts)
{
	const uint32_t n = line_channels(columns, line);
	for (uint32_t slot = 0; slot < n; slot++) {
		char name[METRIC_NAME_BYTES];
		if (n == 1 && (line->single || columns->totals))
			(void)snprintf(name, sizeof(name), "%s", line->name);
		else
			(void)snprintf(name, sizeof(name), "CPU%u.%s", columns->cpus.numbers[slot],
				       line->name);
		parts[slot] = monitor_channel(setup, name, CHANNEL_COUNTER,
					      columns->totals && !line->single ? 64 : 32);
	}
	line->first_channel = parts[0];
	if (columns->totals && !line->single) {
		line->previous = mem_array(columns->cpus.n, sizeof(*line->previous));
		for (uint32_t slot = 0; slot < columns->cpus.n; slot++)
			line->previous[slot] = COLUMNS_UNSEEN;
	}
	monitor_rule(setup, &(const struct metric_rule) {
				    .metric = { .name = line->name,
						.unit = "1",
						.what = "",
						.kind = METRIC_COUNTER,
						.role = ROLE_EVIDENCE },
				    .scale = 1,
				    .parts = parts,
				    .n_parts = n,
			    });
}

static void declare(struct columns *columns, struct monitor_setup *setup)
{
	columns->totals = (uint64_t)columns->n_lines * columns->cpus.n > COLUMNS_CHANNELS_MAX;
	uint32_t *parts = mem_array(columns->cpus.n, sizeof(*parts));
	for (uint32_t i = 0; i < columns->n_lines; i++)
		declare_line(columns, setup, &columns->lines[i], parts);
	free(parts);
}

enum monitor_opened columns_open(struct columns *columns, struct monitor_setup *setup,
				 const char *path, columns_name *name, struct error *reason)
{
	*columns = (struct columns) { .source = { .fd = -1 } };
	if (source_open(&columns->source, monitor_root(setup), path, reason) < 0)
		return MONITOR_UNAVAILABLE;
	learn_cpus(columns, monitor_root(setup));
	parse_header(columns);
	learn_lines(columns, name);
	if (columns->n_columns == 0 || columns->cpus.n == 0 || columns->n_lines == 0) {
		columns_done(columns);
		(void)error_set(reason, ENODATA, "'%s' is no table with a column for each CPU",
				path);
		return MONITOR_UNAVAILABLE;
	}
	declare(columns, setup);
	return MONITOR_OPEN;
}

void columns_done(struct columns *columns)
{
	for (uint32_t i = 0; i < columns->n_lines; i++) {
		free(columns->lines[i].label);
		free(columns->lines[i].name);
		free(columns->lines[i].previous);
	}
	free(columns->lines);
	free(columns->header);
	free(columns->slots);
	free(columns->online);
	cpus_done(&columns->cpus);
	source_done(&columns->source);
	*columns = (struct columns) { .source = { .fd = -1 } };
}

static void fill_line(const struct columns *columns, const struct columns_line *line,
		      struct reading *readings, enum missing why)
{
	const bool per_cpu = !line->single && !columns->totals;
	for (uint32_t slot = 0; slot < line_channels(columns, line); slot++) {
		const bool is_offline = per_cpu && why == MISSING_ABSENT && !columns->online[slot];
		readings[line->first_channel + slot] =
			reading_missing(is_offline ? MISSING_OFFLINE : why);
	}
}

static struct reading read_count(const char **at)
{
	uint64_t number;
	if (UNLIKELY(!source_number(at, &number)))
		return reading_missing(MISSING_MALFORMED);
	/* The kernel's own variables have 32 bits. */
	return number <= UINT32_MAX ? reading_count(number) : reading_missing(MISSING_MALFORMED);
}

/* What a slot counted since its last reading; a wrap of 32 bits goes on, any other step
 * backwards is left out, as reduce.c does it for channels. */
static uint32_t step_of(uint32_t previous, uint32_t now)
{
	const uint32_t step = now - previous;
	return now >= previous || step < UINT32_C(1) << 31 ? step : 0;
}

static void sample_total(struct columns *columns, struct columns_line *line, const char *at,
			 struct reading *reading)
{
	for (uint32_t column = 0; column < columns->n_columns; column++) {
		const struct reading count = read_count(&at);
		if (count.state != VALUE_KNOWN) {
			*reading = count;
			return;
		}
		const int slot = columns->slots[column];
		if (slot < 0)
			continue;
		if (line->previous[slot] != COLUMNS_UNSEEN)
			line->total +=
				step_of((uint32_t)line->previous[slot], (uint32_t)count.count);
		line->previous[slot] = count.count;
	}
	*reading = reading_count(line->total);
}

static void sample_line(struct columns *columns, struct columns_line *line, const char *at,
			struct reading *readings)
{
	readings += line->first_channel;
	if (line->single) {
		readings[0] = read_count(&at);
		return;
	}
	if (columns->totals) {
		sample_total(columns, line, at, readings);
		return;
	}
	for (uint32_t column = 0; column < columns->n_columns; column++) {
		const struct reading count = read_count(&at);
		if (LIKELY(columns->slots[column] >= 0))
			readings[columns->slots[column]] = count;
	}
}

/* The line's place in the table, the expected one looked at first; n_lines when it has none. */
static uint32_t find_line(const struct columns *columns, const char *label, uint32_t expected)
{
	for (uint32_t step = 0; step < columns->n_lines; step++) {
		const uint32_t place = (expected + step) % columns->n_lines;
		const struct columns_line *const line = &columns->lines[place];
		if (LIKELY(memcmp(label, line->label, line->length) == 0))
			return place;
	}
	return columns->n_lines;
}

void columns_sample(struct columns *columns, struct reading *readings)
{
	const enum missing failed = source_read(&columns->source);
	if (failed == MISSING_NOT)
		parse_header(columns);
	const enum missing why = failed != MISSING_NOT     ? failed
				 : columns->n_columns == 0 ? MISSING_MALFORMED
							   : MISSING_ABSENT;
	for (uint32_t i = 0; i < columns->n_lines; i++)
		fill_line(columns, &columns->lines[i], readings, why);
	if (why != MISSING_ABSENT)
		return;
	const char *const end = columns->source.bytes + columns->source.length;
	const char *line = source_next_line(columns->source.bytes, end);
	uint32_t expected = 0;
	while (line < end) {
		const char *const label = skip_blanks(line);
		const uint32_t place = find_line(columns, label, expected);
		if (LIKELY(place < columns->n_lines)) {
			struct columns_line *const found = &columns->lines[place];
			sample_line(columns, found, label + found->length, readings);
			expected = place + 1;
		}
		line = source_next_line(line, end);
	}
}
