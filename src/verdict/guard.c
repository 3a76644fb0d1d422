/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of guards, what they may say, and what follows from it. guard_rows.h is one
 * ROW(identifier) for each name in meson.build's list.
 *
 * A guard only says; the notes are applied to the findings afterwards. So the order of the guards
 * does not matter, and verdicts that are found anew (a budget that is shared) are withheld anew.
 */
#include "verdict/guard.h"

#include "base/mem.h"
#include "base/text.h"
#include "verdict/order.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define ROW(identifier) extern const struct guard guard_##identifier;
#include "verdict/guard_rows.h"
#undef ROW

const struct guard *const guard_table[] = {
#define ROW(identifier) &guard_##identifier,
#include "verdict/guard_rows.h"
#undef ROW
};

const size_t guard_table_count = ARRAY_SIZE(guard_table);

const struct guard *guard_find(const char *name)
{
	for (size_t i = 0; i < guard_table_count; i++)
		if (text_equal(guard_table[i]->name, name))
			return guard_table[i];
	return NULL;
}

/* ---- what they say ---- */

static bool is_said(const struct comparison *comparison, const struct guard_note *note)
{
	for (size_t i = 0; i < comparison->n_notes; i++) {
		const struct guard_note *other = &comparison->notes[i];
		if (text_equal(other->guard, note->guard) && text_equal(other->text, note->text) &&
		    other->side == note->side && text_equal(other->metric, note->metric) &&
		    other->withholds == note->withholds)
			return true;
	}
	return false;
}

static void say(struct comparison *comparison, struct guard_note *note)
{
	assert(note->side < comparison->n_sides);
	if (is_said(comparison, note)) {
		free(note->metric);
		free(note->text);
		return;
	}
	/* Doubts are few: growing by one keeps the struct free of a capacity. */
	size_t capacity = comparison->n_notes;
	comparison->notes = mem_grow(comparison->notes, &capacity, comparison->n_notes + 1,
				     sizeof(*comparison->notes));
	comparison->notes[comparison->n_notes++] = *note;
}

void guard_warn(struct comparison *comparison, const struct guard *guard, size_t side,
		const char *metric, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	struct guard_note note = { .guard = guard->name,
				   .side = side,
				   .metric = mem_text(metric),
				   .text = mem_format_v(format, arguments) };
	va_end(arguments);
	say(comparison, &note);
}

void guard_withhold(struct comparison *comparison, const struct guard *guard, size_t side,
		    const char *metric, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	struct guard_note note = { .guard = guard->name,
				   .side = side,
				   .metric = mem_text(metric),
				   .withholds = true,
				   .text = mem_format_v(format, arguments) };
	va_end(arguments);
	say(comparison, &note);
}

void guard_forget(struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->n_notes; i++) {
		free(comparison->notes[i].metric);
		free(comparison->notes[i].text);
	}
	free(comparison->notes);
	comparison->notes = NULL;
	comparison->n_notes = 0;
	for (size_t i = 0; i < comparison->n_differences; i++) {
		free(comparison->differences[i].fact);
		free(comparison->differences[i].base_text);
		free(comparison->differences[i].side_text);
	}
	free(comparison->differences);
	comparison->differences = NULL;
	comparison->n_differences = 0;
}

/* ---- what follows ---- */

/* Withholding ones first; else the order in which they were said. */
static void sort_notes(struct comparison *comparison)
{
	struct guard_note *sorted = mem_array(comparison->n_notes, sizeof(*sorted));
	size_t n = 0;
	for (size_t i = 0; i < comparison->n_notes; i++)
		if (comparison->notes[i].withholds)
			sorted[n++] = comparison->notes[i];
	for (size_t i = 0; i < comparison->n_notes; i++)
		if (!comparison->notes[i].withholds)
			sorted[n++] = comparison->notes[i];
	assert(n == comparison->n_notes);
	free(comparison->notes);
	comparison->notes = sorted;
}

static void withhold(struct finding *finding, const struct guard_note *note)
{
	if (finding->verdict == VERDICT_NOT_JUDGED || finding->verdict == VERDICT_WITHHELD)
		return;
	finding->unguarded = finding->verdict;
	finding->verdict = VERDICT_WITHHELD;
	finding->guard = note->guard;
	free(finding->reason);
	finding->reason = mem_text(note->text);
}

static void apply_note(struct comparison *comparison, const struct guard_note *note)
{
	for (size_t i = 0; i < comparison->n_rows; i++) {
		struct row *row = &comparison->rows[i];
		const bool fits = !note->metric || text_equal(note->metric, row->metric.name);
		if (row->metric.role != ROLE_SCORE || !fits)
			continue;
		for (size_t side = 1; side < comparison->n_sides; side++)
			if (note->side == 0 || note->side == side)
				withhold(&row->findings[side], note);
	}
}

void guard_apply(struct comparison *comparison)
{
	sort_notes(comparison);
	for (size_t i = 0; i < comparison->n_notes; i++)
		if (comparison->notes[i].withholds)
			apply_note(comparison, &comparison->notes[i]);
}

void guard_all(struct comparison *comparison)
{
	guard_forget(comparison);
	for (size_t i = 0; i < guard_table_count; i++)
		guard_table[i]->examine(comparison);
	guard_apply(comparison);
}

/* ---- what they ask for ---- */

static const struct row *find_row(const struct comparison *comparison, const char *metric)
{
	for (size_t i = 0; i < comparison->n_rows; i++)
		if (text_equal(comparison->rows[i].metric.name, metric))
			return &comparison->rows[i];
	return NULL;
}

size_t guard_values(const struct comparison *comparison, const char *metric, size_t side,
		    double **ret_values)
{
	assert(side < comparison->n_sides);
	const struct row *row = find_row(comparison, metric);
	const size_t n_runs = row ? comparison->orders[side].n : 0;
	double *values = mem_array(n_runs, sizeof(*values));
	size_t n = 0;
	for (size_t i = 0; i < n_runs; i++)
		if (!isnan(row->cells[side].values[i]))
			values[n++] = row->cells[side].values[i];
	*ret_values = values;
	return n;
}

double guard_mean(const struct comparison *comparison, const char *metric, size_t side)
{
	assert(side < comparison->n_sides);
	const struct row *row = find_row(comparison, metric);
	return row ? row->cells[side].summary.mean : (double)NAN;
}

const char *guard_fact(const struct comparison *comparison, const char *fact, size_t side)
{
	assert(side < comparison->n_sides);
	const struct compared_side *compared = &comparison->sides[side];
	for (size_t i = 0; i < compared->n_runs; i++) {
		const struct fact *found = compared->runs[i]->outcome == RUN_COMPLETE
						   ? run_fact_find(compared->runs[i], fact)
						   : NULL;
		if (found && found->state == VALUE_KNOWN && found->text)
			return found->text;
	}
	return NULL;
}
