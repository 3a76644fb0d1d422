/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A guard in words: its row's paragraph, its notes, and the numbers that it looked at. */
#include "cli/explain.h"

#include "base/auto.h"
#include "base/mem.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/say.h"
#include "report/column.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int explain_asked(const struct parsed *parsed, const struct guard **ret_guard, struct error *err)
{
	const char *name = options_value(parsed, "explain");
	const struct guard *guard = name ? guard_find(name) : NULL;
	if (guard || !name) {
		*ret_guard = guard;
		return 0;
	}
	const char **names = mem_array(guard_table_count, sizeof(*names));
	AUTO(text_buffer) struct text all = { 0 };
	for (size_t i = 0; i < guard_table_count; i++) {
		names[i] = guard_table[i]->name;
		text_add(&all, "%s%s", i ? ", " : "", names[i]);
	}
	const char *nearest = text_nearest(name, names, guard_table_count);
	free(names);
	if (nearest)
		return error_set(err, EINVAL, "there is no guard '%s'; did you mean '%s'?", name,
				 nearest);
	return error_set(err, EINVAL, "there is no guard '%s'; the guards are %s", name,
			 text_string(&all));
}

int explain_wants_json(const struct parsed *parsed, bool *ret_json, struct error *err)
{
	const char *format = options_value(parsed, "format");
	const bool is_table = !format || strcmp(format, "table") == 0;
	const bool is_json = format && strcmp(format, "json") == 0;
	if (!is_table && !is_json)
		return error_set(err, EINVAL,
				 "option '--explain' answers in words or with --json, not as '%s'",
				 format);
	*ret_json = is_json || (!format && options_has(parsed, "json"));
	return 0;
}

static void add_line(struct text *out, const char *start, const char *line, size_t indent)
{
	AUTO(text) char *whole = mem_format("%s%s", start, line);
	column_wrap(out, whole, say_width(), indent);
}

/* The guard said it, of this head or of all. */
static bool is_of(const struct guard_note *note, const struct guard *guard, size_t head)
{
	return text_equal(note->guard, guard->name) && (!note->side || note->side == head);
}

static void add_notes(struct text *out, const struct guard *guard,
		      const struct comparison *comparison, size_t head)
{
	size_t n = 0;
	for (size_t i = 0; i < comparison->n_notes; i++) {
		const struct guard_note *note = &comparison->notes[i];
		if (!is_of(note, guard, head))
			continue;
		add_line(out,
			 note->withholds ? "  withholds the verdict: " : "  warns: ", note->text,
			 4);
		n++;
	}
	if (n == 0)
		text_add(out, "  has nothing to say\n");
}

static void add_seen(struct text *out, const struct guard *guard,
		     const struct comparison *comparison, size_t head)
{
	if (!guard->show)
		return;
	AUTO(text_buffer) struct text seen = { 0 };
	guard->show(comparison, head, &seen);
	AUTO(text) char *lines = mem_text(text_string(&seen));
	char *rest = NULL;
	for (char *line = strtok_r(lines, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		add_line(out, "  saw: ", line, 4);
}

int explain_print(const struct guard *guard, const struct comparison *const *comparisons, size_t n)
{
	AUTO(text_buffer) struct text out = { 0 };
	text_add(&out, "%s: %s\n\n", guard->name, guard->asks);
	column_wrap(&out, guard->explains, say_width(), /* indent= */ 0);
	for (size_t i = 0; i < n; i++) {
		text_add(&out, "\n%s\n", comparisons[i]->point);
		for (size_t head = 1; head < comparisons[i]->n_sides; head++) {
			text_add(&out, "%s against %s\n", comparisons[i]->sides[head].name,
				 comparisons[i]->sides[0].name);
			add_notes(&out, guard, comparisons[i], head);
			add_seen(&out, guard, comparisons[i], head);
		}
	}
	(void)fwrite(text_string(&out), 1, out.length, stdout); /* say_done sees its failure. */
	return say_done(EXIT_NO_REGRESSION);
}

static json_t *notes_json(const struct guard *guard, const struct comparison *comparison,
			  size_t head)
{
	json_t *notes = json_array();
	for (size_t i = 0; i < comparison->n_notes; i++) {
		const struct guard_note *note = &comparison->notes[i];
		if (is_of(note, guard, head))
			(void)json_array_append_new(
				notes, json_pack("{s:b, s:s?, s:s}", "withholds", note->withholds,
						 "metric", note->metric, "text", note->text));
	}
	return notes;
}

static json_t *seen_json(const struct guard *guard, const struct comparison *comparison,
			 size_t head)
{
	json_t *lines = json_array();
	if (!guard->show)
		return lines;
	AUTO(text_buffer) struct text seen = { 0 };
	guard->show(comparison, head, &seen);
	AUTO(text) char *all = mem_text(text_string(&seen));
	char *rest = NULL;
	for (char *line = strtok_r(all, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		(void)json_array_append_new(lines, json_string(line));
	return lines;
}

int explain_json(const struct guard *guard, const struct comparison *const *comparisons, size_t n)
{
	json_t *heads = json_array();
	for (size_t i = 0; i < n; i++)
		for (size_t head = 1; head < comparisons[i]->n_sides; head++)
			(void)json_array_append_new(
				heads, json_pack("{s:s, s:s, s:s, s:o, s:o}", "point",
						 comparisons[i]->point, "base",
						 comparisons[i]->sides[0].name, "head",
						 comparisons[i]->sides[head].name, "notes",
						 notes_json(guard, comparisons[i], head), "saw",
						 seen_json(guard, comparisons[i], head)));
	return say_json(json_pack("{s:s, s:s, s:s, s:o}", "guard", guard->name, "asks", guard->asks,
				  "explains", guard->explains, "heads", heads));
}
