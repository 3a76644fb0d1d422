/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scores from a JSON document in the output. Programs say other things around it (warnings, versions):
 * the document is the first that can be read and begins a line with '{' or '['.
 */
#include "base/mem.h"
#include "intake/extract.h"
#include "intake/json_text.h"
#include "intake/pointer.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#define TRIES_MAX 64 /* Lines that begin like a document and are none. */

struct taking {
	struct gather *gather;
	bool has_rows;
};

static const char *behind_line(const char *at, const char *end)
{
	const char *newline = memchr(at, '\n', (size_t)(end - at));
	return newline ? newline + 1 : end;
}

static json_t *find_document(const struct extract_output *output, json_error_t *ret_wrong)
{
	unsigned tries = 0;
	for (const char *at = output->text; at < output->end && tries < TRIES_MAX;
	     at = behind_line(at, output->end)) {
		if (*at != '{' && *at != '[')
			continue;
		tries++;
		json_t *document =
			json_loadb(at, (size_t)(output->end - at),
				   JSON_DISABLE_EOF_CHECK | JSON_DECODE_INT_AS_REAL, ret_wrong);
		/* "[info] ..." is no document; neither is an empty one. */
		if (json_object_size(document) || json_array_size(document))
			return document;
		json_decref(document);
	}
	return NULL;
}

/* The name of the row: what `row` points to, else the member's name, else its number. New string. */
static char *row_of(const struct score *score, const struct pointer_hit *hit)
{
	const json_t *named = score->row ? pointer_find(hit->element, score->row) : NULL;
	if (json_is_string(named))
		return mem_text(json_string_value(named));
	if (json_is_number(named))
		return mem_format("%.15g", json_number_value(named));
	if (score->row)
		return mem_text("");
	return hit->key ? mem_text(hit->key) : mem_format("%zu", hit->index);
}

static bool is_wanted(const struct score *score, const struct pointer_hit *hit)
{
	if (!score->where)
		return true;
	const json_t *said = pointer_find(hit->element, score->where);
	if (json_is_string(said))
		return strcmp(json_string_value(said), score->where_value) == 0;
	if (json_is_boolean(said))
		return strcmp(json_is_true(said) ? "true" : "false", score->where_value) == 0;
	AUTO(text) char *number = mem_format("%.15g", json_number_value(said));
	return json_is_number(said) && strcmp(number, score->where_value) == 0;
}

static void take_hit(const struct pointer_hit *hit, void *user)
{
	const struct taking *taking = user;
	struct gather *gather = taking->gather;
	if (!hit->value || gather->wrong || !is_wanted(gather->score, hit))
		return;
	AUTO(text) char *row = taking->has_rows ? row_of(gather->score, hit) : mem_text("");
	char number[64];
	struct gather_text text = { .row = row, .row_length = strlen(row) };
	if (json_is_string(hit->value)) {
		text.number = json_string_value(hit->value);
		text.number_length = json_string_length(hit->value);
	} else if (json_is_number(hit->value)) {
		text.number_length = (size_t)snprintf(number, sizeof(number), "%.17g",
						      json_number_value(hit->value));
		text.number = number;
	} else {
		gather_wrong(gather, "'%s' is %s in the output, not a number", gather->score->name,
			     json_text_kind(hit->value));
		return;
	}
	gather_text(gather, &text, GATHER_WHOLE);
}

void extract_json(const struct extract_output *output, struct gather *gather)
{
	json_error_t wrong = { 0 };
	if (output->first_gap) {
		gather_wrong(gather, "the output is too long and was cut: the JSON in it cannot be "
				     "read");
		return;
	}
	__attribute__((cleanup(auto_release_json_document))) json_t *document =
		find_document(output, &wrong);
	if (!document) {
		gather_wrong(gather, "the output has no JSON document%s%s",
			     wrong.text[0] ? ": " : "", wrong.text);
		return;
	}
	struct taking taking = { .gather = gather,
				 .has_rows = strstr(gather->score->name, ADAPTER_ROW) != NULL };
	(void)pointer_each(document, gather->score->expression, take_hit, &taking);
}
