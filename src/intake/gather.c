/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers by row. See gather.h. */
#include "intake/gather.h"

#include "base/mem.h"
#include "base/text.h"
#include "intake/intake.h"
#include "intake/lines.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_BYTES 128
#define SHOWN_BYTES 60 /* Of foreign text in a sentence. */

void gather_done(struct gather *gather)
{
	for (size_t i = 0; i < gather->n; i++)
		free(gather->rows[i].row);
	free(gather->rows);
	free(gather->wrong);
	*gather = (struct gather) { 0 };
}

void gather_wrong(struct gather *gather, const char *format, ...)
{
	if (gather->wrong)
		return;
	va_list arguments;
	va_start(arguments, format);
	gather->wrong = mem_format_v(format, arguments);
	va_end(arguments);
	text_make_printable(gather->wrong, strlen(gather->wrong));
}

static struct gathered *row_of(struct gather *gather, const char *row)
{
	for (size_t i = 0; i < gather->n; i++)
		if (strcmp(gather->rows[i].row, row) == 0)
			return &gather->rows[i];
	if (gather->n == GATHER_ROWS_MAX) {
		gather_wrong(gather, "'%s' has more than %d rows", gather->score->name,
			     GATHER_ROWS_MAX);
		return NULL;
	}
	gather->rows =
		mem_grow(gather->rows, &gather->capacity, gather->n + 1, sizeof(*gather->rows));
	struct gathered *made = &gather->rows[gather->n++];
	*made = (struct gathered) { .row = mem_text(row) };
	return made;
}

void gather_number(struct gather *gather, double number, const char *row, enum gather_place place)
{
	number *= gather->score->factor;
	if (!isfinite(number) || fabs(number) > INTAKE_NUMBER_MAX) {
		gather_wrong(gather, "'%s' is beyond what can be computed with",
			     gather->score->name);
		return;
	}
	struct gathered *to = row_of(gather, row);
	if (!to)
		return;
	if (to->n == 0) {
		to->first = to->least = to->most = number;
		to->first_place = place;
	}
	to->n++;
	to->sum += number;
	to->last = number;
	to->last_place = place;
	to->least = number < to->least ? number : to->least;
	to->most = number > to->most ? number : to->most;
}

/* Digits in groups of three with commas between them: the commas go. */
static void drop_commas(char *text)
{
	size_t since = 0;
	bool grouped = false;
	for (const char *at = text + (*text == '-'); *at && *at != '.'; at++) {
		if (*at == ',' && (grouped ? since != 3 : since < 1 || since > 3))
			return;
		grouped = grouped || *at == ',';
		since = *at == ',' ? 0 : since + 1;
	}
	if (!grouped || since != 3)
		return;
	char *to = text;
	for (const char *at = text; *at; at++)
		if (*at != ',')
			*to++ = *at;
	*to = '\0';
}

static bool parse_number(const char *text, size_t length, double *ret_number)
{
	char copy[NUMBER_BYTES];
	struct value value;
	if (length == 0 || length >= sizeof(copy))
		return false;
	memcpy(copy, text, length);
	copy[length] = '\0';
	drop_commas(copy);
	if (!lines_parse_value(copy, strlen(copy), &value) || !value_is_known(value))
		return false;
	*ret_number = value.number;
	return true;
}

static bool scale(struct gather *gather, const struct gather_text *text, double *number)
{
	const struct score *score = gather->score;
	const size_t length = text->unit ? text->unit_length : 0;
	for (size_t i = 0; i < score->n_scales; i++)
		if (strlen(score->scales[i].word) == length &&
		    (length == 0 || memcmp(score->scales[i].word, text->unit, length) == 0)) {
			*number *= score->scales[i].factor;
			return true;
		}
	gather_wrong(gather, "'%s' is printed in the unit '%.*s', which the adapter does not list",
		     score->name, (int)(length < SHOWN_BYTES ? length : SHOWN_BYTES),
		     length ? text->unit : "");
	return false;
}

/* Of a row, fit for the name of a metric. New string. */
static char *row_name(const struct gather_text *text)
{
	char *row = mem_text_n(text->row ? text->row : "", text->row ? text->row_length : 0);
	text_make_printable(row, strlen(row));
	char *trimmed = mem_text(text_trim(row));
	free(row);
	for (char *at = trimmed; *at; at++)
		if (isspace((unsigned char)*at))
			*at = '_';
	return trimmed;
}

void gather_text(struct gather *gather, const struct gather_text *text, enum gather_place place)
{
	const size_t length = text->number ? text->number_length : 0;
	double number;
	if (!parse_number(text->number ? text->number : "", length, &number)) {
		gather_wrong(gather, "'%s' is '%.*s' in the output, which is no number",
			     gather->score->name,
			     (int)(length < SHOWN_BYTES ? length : SHOWN_BYTES),
			     text->number ? text->number : "");
		return;
	}
	if (gather->score->n_scales && !scale(gather, text, &number))
		return;
	const bool has_rows = strstr(gather->score->name, ADAPTER_ROW) != NULL;
	AUTO(text) char *row = has_rows ? row_name(text) : mem_text("");
	if (has_rows && !*row)
		gather_wrong(gather, "a row of '%s' has no name", gather->score->name);
	else
		gather_number(gather, number, row, place);
}

/* Could what was left out have changed the answer? */
static bool is_certain(const struct gather *gather, const struct gathered *row)
{
	if (row->first_place == GATHER_WHOLE)
		return true;
	if (strstr(gather->score->name, ADAPTER_ROW))
		return false; /* Whole rows may be missing. */
	if (gather->score->pick == PICK_FIRST)
		return row->first_place == GATHER_EARLY;
	return gather->score->pick == PICK_LAST && row->last_place == GATHER_LATE;
}

bool gather_pick(struct gather *gather, size_t index, double *ret_number)
{
	assert(index < gather->n);
	const struct gathered *row = &gather->rows[index];
	assert(row->n > 0);
	if (!is_certain(gather, row)) {
		gather_wrong(gather,
			     "the output is too long and was cut: what was left out could hold "
			     "'%s' too",
			     gather->score->name);
		return false;
	}
	const double answers[PICK_COUNT] = {
		[PICK_ONLY] = row->first,
		[PICK_FIRST] = row->first,
		[PICK_LAST] = row->last,
		[PICK_SUM] = row->sum,
		[PICK_MEAN] = row->sum / (double)row->n,
		[PICK_LEAST] = row->least,
		[PICK_MOST] = row->most,
	};
	if (gather->score->pick == PICK_ONLY && row->n > 1) {
		gather_wrong(gather,
			     "'%s' stands %zu times in the output%s%s: say which is meant by pick "
			     "(first, last, sum, mean, least or most)",
			     gather->score->name, row->n, *row->row ? ", for row " : "", row->row);
		return false;
	}
	*ret_number = answers[gather->score->pick];
	return true;
}
