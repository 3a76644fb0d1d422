/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line of an adapter's program. See adapter_start.h. */
#include "intake/adapter_start.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool start_next(const char **at, struct start_piece *ret_piece)
{
	const char *from = *at;
	if (!*from)
		return false;
	const size_t plain = strcspn(from, "{}");
	struct start_piece piece = { .kind = START_TEXT, .at = from, .length = plain };
	if (plain == 0 && from[0] == from[1]) {
		piece.length = 1;
		*at = from + 2;
	} else if (plain > 0) {
		*at = from + plain;
	} else {
		const size_t name = *from == '{' ? strcspn(from + 1, "{}") : 0;
		const bool closed = name > 0 && from[1 + name] == '}';
		const bool spread = closed && name > 3 && memcmp(from + name - 2, "...", 3) == 0;
		piece.kind = !closed ? START_WRONG : spread ? START_SPREAD : START_VALUE;
		piece.name = from + 1;
		piece.name_length = name - (spread ? 3 : 0);
		*at = closed ? from + name + 2 : from + 1;
	}
	*ret_piece = piece;
	return true;
}

/* The workload splits at blanks; '...' keeps everything but an apostrophe, "..." everything but a
 * quote, and pieces beside each other are one word. */
void start_add_word(struct text *line, const char *word)
{
	if (line->length)
		text_add(line, " ");
	if (*word && !strpbrk(word, " '\"")) {
		text_add(line, "%s", word);
		return;
	}
	if (!*word)
		text_add(line, "''");
	while (*word) {
		const char mark = *word == '\'' ? '"' : '\'';
		const size_t length = mark == '"' ? strspn(word, "'") : strcspn(word, "'");
		text_add(line, "%c%.*s%c", mark, (int)length, word, mark);
		word += length;
	}
}

static const char *value_of(const struct adapter *adapter, const struct job *job,
			    const struct start_piece *piece)
{
	AUTO(text) char *name = mem_text_n(piece->name, piece->name_length);
	size_t index = 0;
	while (index < adapter->n_parameters && strcmp(adapter->parameters[index].name, name) != 0)
		index++;
	const char *value = job_argument(job, name);
	assert(index < adapter->n_parameters && value); /* The file and the plan were checked. */
	return adapter_choice(adapter, index, value);
}

static void add_spread(struct text *line, const char *value)
{
	AUTO(text) char *words = mem_text(value);
	char *rest = NULL;
	for (char *word = strtok_r(words, " \t", &rest); word; word = strtok_r(NULL, " \t", &rest))
		start_add_word(line, word);
}

static void add_start_word(const struct adapter *adapter, const struct job *job, const char *from,
			   struct text *line)
{
	struct text word AUTO(text_buffer) = { 0 };
	struct start_piece piece;
	while (start_next(&from, &piece)) {
		assert(piece.kind != START_WRONG);
		if (piece.kind == START_SPREAD) {
			add_spread(line, value_of(adapter, job, &piece));
			return;
		}
		if (piece.kind == START_TEXT)
			text_add_bytes(&word, piece.at, piece.length);
		else
			text_add(&word, "%s", value_of(adapter, job, &piece));
	}
	start_add_word(line, text_string(&word));
}

char *start_program(const struct adapter *adapter, const struct job *job)
{
	struct text line = { 0 };
	assert(adapter->n_start > 0);
	for (size_t i = 0; i < adapter->n_start; i++)
		add_start_word(adapter, job, adapter->start[i], &line);
	return text_take(&line);
}
