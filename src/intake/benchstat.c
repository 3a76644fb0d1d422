/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `go test -bench` prints and benchstat reads: "BenchmarkName-8  1000  1423 ns/op  24 B/op".
 * Each line is one run; each pair of a number and a unit is a measure of its own. Lines that are no
 * results are skipped, as in the original; "pkg:" tells two benchmarks of one name apart, and
 * "Unit NAME better=lower" gives a direction. A unit an operation is better low, one a second better
 * high. The rate "MB/s" says again what "ns/op" says.
 */
#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "intake/format.h"
#include "intake/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FIELDS_MAX 64
#define SHOWN_MAX 60

struct field {
	const char *at;
	size_t length;
};

struct packages {    /* Seen so far. */
	char *now;   /* "" before the first "pkg:" line. */
	char *first; /* Of the first result; NULL before it. */
	bool several;
};

static bool is_blank(char byte)
{
	return byte == ' ' || byte == '\t';
}

static size_t split(const char *line, size_t length, struct field fields[static FIELDS_MAX])
{
	size_t n = 0;
	for (size_t i = 0; i < length && n < FIELDS_MAX;) {
		while (i < length && is_blank(line[i]))
			i++;
		const size_t start = i;
		while (i < length && !is_blank(line[i]))
			i++;
		if (i > start)
			fields[n++] = (struct field) { line + start, i - start };
	}
	return n;
}

static bool field_is(const struct field *field, const char *word)
{
	return field->length == strlen(word) && memcmp(field->at, word, field->length) == 0;
}

static bool field_begins(const struct field *field, const char *prefix)
{
	const size_t n = strlen(prefix);
	return field->length > n && memcmp(field->at, prefix, n) == 0;
}

static bool is_whole(const struct field *field)
{
	for (size_t i = 0; i < field->length; i++)
		if (field->at[i] < '0' || field->at[i] > '9')
			return false;
	return field->length > 0;
}

/* "BenchmarkX 1000 ...": anything else that begins with the word is the talk of a test. */
static bool is_result(const struct field *fields, size_t n)
{
	return n >= 3 && field_begins(&fields[0], "Benchmark") && is_whole(&fields[1]);
}

static enum metric_better direction_of(const char *unit)
{
	if (text_ends_with(unit, "/op"))
		return BETTER_LOWER;
	return text_ends_with(unit, "/s") ? BETTER_HIGHER : BETTER_UNKNOWN;
}

static int add_measure(const char *name, const struct field *pair, size_t line,
		       struct intake_document *document, struct error *err)
{
	struct value value;
	if (!lines_parse_value(pair[0].at, pair[0].length, &value)) {
		const int shown = pair[0].length > SHOWN_MAX ? SHOWN_MAX : (int)pair[0].length;
		return error_set(err, EINVAL, "%s:%zu: '%.*s' of %.60s is not a number",
				 document->path, line, shown, pair[0].at, strchr(name, ':') + 1);
	}
	AUTO(text) char *unit = mem_text_n(pair[1].at, pair[1].length);
	struct intake_series *series;
	const int failed = intake_series_at(document, name, unit, NULL, &series, err);
	if (failed)
		return failed;
	if (series->n == 0) {
		series->better = direction_of(unit);
		series->restated = strcmp(unit, "MB/s") == 0;
	}
	return intake_add(document, series, value, line, err);
}

static int add_result(const struct field *fields, size_t n, size_t line, struct packages *packages,
		      struct intake_document *document, struct error *err)
{
	const size_t prefix = strlen("Benchmark");
	AUTO(text) char *bare = mem_text_n(fields[0].at + prefix, fields[0].length - prefix);
	AUTO(text) char *name = mem_format("%s:%s", packages->now, bare);
	if (n % 2 != 0)
		return error_set(
			err, EINVAL,
			"%s:%zu: a number without a unit; a result is a name, a count, and "
			"pairs of number and unit",
			document->path, line);
	if (!packages->first)
		packages->first = mem_text(packages->now);
	packages->several |= strcmp(packages->first, packages->now) != 0;
	int failed = 0;
	for (size_t i = 2; i < n && !failed; i += 2)
		failed = add_measure(name, &fields[i], line, document, err);
	return failed;
}

struct direction { /* Of a "Unit" line. */
	char *unit;
	enum metric_better better;
};

struct directions {
	struct direction *rows;
	size_t n, capacity;
};

static void note_direction(const struct field *fields, size_t n, struct directions *directions)
{
	for (size_t i = 2; i < n; i++) {
		const bool lower = field_is(&fields[i], "better=lower");
		if (!lower && !field_is(&fields[i], "better=higher"))
			continue;
		directions->rows = mem_grow(directions->rows, &directions->capacity,
					    directions->n + 1, sizeof(*directions->rows));
		directions->rows[directions->n++] = (struct direction) {
			.unit = mem_text_n(fields[1].at, fields[1].length),
			.better = lower ? BETTER_LOWER : BETTER_HIGHER,
		};
	}
}

/* Directions hold for the whole file wherever they stand; packages are named when there are several.
 */
static void finish(const struct directions *directions, const struct packages *packages,
		   struct intake_document *document)
{
	for (size_t i = 0; i < document->n_series; i++) {
		struct intake_series *series = &document->series[i];
		for (size_t j = 0; j < directions->n; j++)
			if (strcmp(directions->rows[j].unit, series->unit) == 0)
				series->better = directions->rows[j].better;
		const char *colon = strchr(series->name, ':');
		if (packages->several && colon != series->name)
			continue;
		char *bare = mem_text(colon + 1);
		free(series->name);
		series->name = bare;
	}
}

static int read_lines(struct lines *lines, struct packages *packages, struct directions *directions,
		      struct intake_document *document, struct error *err)
{
	const char *line;
	size_t length;
	while (lines_next(lines, &line, &length)) {
		struct field fields[FIELDS_MAX];
		const size_t n = split(line, length, fields);
		int failed = 0;
		if (is_result(fields, n)) {
			failed = add_result(fields, n, lines->number, packages, document, err);
		} else if (n == 2 && field_is(&fields[0], "pkg:")) {
			free(packages->now);
			packages->now = mem_text_n(fields[1].at, fields[1].length);
			for (char *at = packages->now; *at; at++)
				*at = *at == ':' ? '_' : *at; /* The colon ends its name. */
		} else if (n >= 3 && field_is(&fields[0], "Unit")) {
			note_direction(fields, n, directions);
		}
		if (failed)
			return failed;
	}
	return 0;
}

static int parse(const char *bytes, size_t length, const struct intake_options *options,
		 struct intake_document *document, struct error *err)
{
	struct lines lines = lines_make(bytes, length);
	struct packages packages = { .now = mem_text("") };
	struct directions directions = { 0 };
	const int failed = read_lines(&lines, &packages, &directions, document, err);
	if (!failed)
		finish(&directions, &packages, document);
	for (size_t i = 0; i < directions.n; i++)
		free(directions.rows[i].unit);
	free(directions.rows);
	free(packages.now);
	free(packages.first);
	return failed;
}

static bool sniff(const char *bytes, size_t length)
{
	struct lines lines = lines_make(bytes, length);
	const char *line;
	size_t n;
	while (lines_next(&lines, &line, &n)) {
		struct field fields[FIELDS_MAX];
		if (is_result(fields, split(line, n, fields)))
			return true;
	}
	return false;
}

const struct intake_format intake_benchstat = {
	.name = "benchstat",
	.what = "results of Go's `go test -bench`",
	.sniff = sniff,
	.parse = parse,
};
