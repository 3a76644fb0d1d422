/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What --score says: KIND[:WHERE] and options behind commas. The expression may hold commas itself, so
 * the options are taken from the end, as long as they are options.
 */
#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "intake/adapter.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#define BETWEEN ";;"
#define NAME_PRESET "command.score"

static const char *const words[] = { "better", "name", "pick", "unit" };

static int take_better(const char *value, struct score *score, struct error *err)
{
	static const enum metric_better ways[] = { BETTER_HIGHER, BETTER_LOWER };
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++)
		if (strcmp(metric_better_text(ways[i]), value) == 0) {
			score->better = ways[i];
			return 0;
		}
	return error_set(err, EINVAL, "better is higher or lower, not '%s'", value);
}

static int take_pick(const char *value, struct score *score, struct error *err)
{
	const enum score_pick pick = score_pick_find(value);
	if (pick == PICK_COUNT)
		return error_set(err, EINVAL,
				 "pick is only, first, last, sum, mean, least or most, not '%s'",
				 value);
	score->pick = pick;
	return 0;
}

static int take_text(const char *word, const char *value, char **to, struct error *err)
{
	if (*to)
		return error_set(err, EINVAL, "%s is said twice", word);
	if (!*value)
		return error_set(err, EINVAL, "%s has no value", word);
	*to = mem_text(value);
	return 0;
}

static int take_option(const char *word, const char *value, struct score *score, struct error *err)
{
	if (strcmp(word, "better") == 0)
		return take_better(value, score, err);
	if (strcmp(word, "pick") == 0)
		return take_pick(value, score, err);
	if (strcmp(word, "unit") == 0)
		return take_text(word, value, &score->unit, err);
	return take_text(word, value, &score->name, err);
}

/* "word=..." at the end behind a comma: 1 an option, 0 none of ours. A near miss is refused, for it
 * would silently become part of the expression. */
static int is_option(const char *piece, char **ret_word, struct error *err)
{
	size_t length = 0;
	while (islower((unsigned char)piece[length]))
		length++;
	if (length == 0 || piece[length] != '=')
		return 0;
	AUTO(text) char *word = mem_text_n(piece, length);
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strcmp(words[i], word) == 0) {
			*ret_word = KEEP(word);
			return 1;
		}
	const char *near = text_nearest(word, words, ARRAY_SIZE(words));
	if (!near)
		return 0;
	return error_set(err, EINVAL,
			 "unknown option '%s', did you mean '%s'? (a comma that belongs to the "
			 "expression is written '[,]')",
			 word, near);
}

/* Takes the options off the end of the text, in place. */
static int take_options(char *text, struct score *score, struct error *err)
{
	for (char *comma; (comma = strrchr(text, ','));) {
		AUTO(text) char *word = NULL;
		const int answer = is_option(comma + 1, &word, err);
		if (answer <= 0)
			return answer;
		const int failed = take_option(word, comma + 1 + strlen(word) + 1, score, err);
		if (failed)
			return failed;
		*comma = '\0';
	}
	return 0;
}

static const char *const advice[SCORE_SOURCE_COUNT] = {
	[SCORE_TIME] = "time has nothing behind a colon",
	[SCORE_REGEX] = "write regex:RE, with the number in parentheses",
	[SCORE_JSON] = "write json:POINTER, such as json:/jobs/0/iops",
	[SCORE_CSV] = "write csv:COLUMN, the column's name or number",
};

static int take_kind(const char *text, struct score *score, struct error *err)
{
	static const char *const kinds[] = { "csv", "json", "regex", "time" };
	const char *colon = strchr(text, ':');
	AUTO(text) char *kind = mem_text_n(text, colon ? (size_t)(colon - text) : strlen(text));
	score->source = score_source_find(kind);
	if (score->source == SCORE_SOURCE_COUNT) {
		const char *near = text_nearest(kind, kinds, ARRAY_SIZE(kinds));
		return error_set(err, EINVAL, "'%s' is no kind of score%s%s%s", kind,
				 near ? ", did you mean '"
				      : ": time, regex:RE, json:POINTER or "
					"csv:COLUMN",
				 near ? near : "", near ? "'?" : "");
	}
	const bool has_place = colon && colon[1];
	if (has_place == (score->source == SCORE_TIME))
		return error_set(err, EINVAL, "%s", advice[score->source]);
	if (has_place)
		score->expression = mem_text(colon + 1);
	return 0;
}

static void fill_in(struct score *score, size_t index)
{
	const bool is_time = score->source == SCORE_TIME;
	if (!score->unit)
		score->unit = mem_text(is_time ? "s" : "1");
	if (is_time && score->better == BETTER_UNKNOWN)
		score->better = BETTER_LOWER;
	if (!score->name && is_time)
		score->name = mem_text("command.time_sec");
	if (!score->name && index == 0)
		score->name = mem_text(NAME_PRESET);
	if (!score->name)
		score->name = mem_format(NAME_PRESET "%zu", index + 1);
	score->what = score->expression ? mem_format("%s:%s", score_source_text(score->source),
						     score->expression)
					: mem_text("time from start to end of the program");
}

static int add_score(struct adapter *adapter, const char *piece, struct error *err)
{
	AUTO(text) char *text = mem_text(piece);
	if (adapter->n_scores == ADAPTER_SCORES_MAX)
		return error_set(err, EINVAL, "more than %d scores", ADAPTER_SCORES_MAX);
	struct score *score = &adapter->scores[adapter->n_scores++];
	*score = (struct score) { .factor = 1.0, .better = BETTER_UNKNOWN };
	int failed = take_options(text, score, err);
	if (!failed)
		failed = take_kind(text_trim(text), score, err);
	if (failed)
		return error_at(err, "score '%s'", piece);
	fill_in(score, adapter->n_scores - 1);
	return 0;
}

int adapter_from_words(const char *whole, struct adapter **ret_adapter, struct error *err)
{
	struct error own = { 0 };
	struct error *why = err ? err : &own;
	AUTO(adapter) struct adapter *adapter = mem_zero(sizeof(*adapter));
	adapter->name = mem_text("command");
	adapter->semantics = 1;
	adapter->scores = mem_array(ADAPTER_SCORES_MAX, sizeof(*adapter->scores));
	for (const char *at = whole; at;) {
		const char *end = strstr(at, BETWEEN);
		AUTO(text) char *piece = mem_text_n(at, end ? (size_t)(end - at) : strlen(at));
		const int failed = add_score(adapter, text_trim(piece), why);
		if (failed)
			return failed;
		at = end ? end + strlen(BETWEEN) : NULL;
	}
	const int failed = adapter_check_scores(adapter, why);
	if (failed)
		return error_at(why, "score '%s'", whole);
	*ret_adapter = KEEP(adapter);
	return 0;
}
