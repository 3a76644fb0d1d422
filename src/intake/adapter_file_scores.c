/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The key `scores` of an adapter's file. What fits together is checked by adapter_check_scores(). */
#include "base/macros.h"
#include "base/mem.h"
#include "intake/adapter_file.h"
#include "record/metric.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#define SCALES_MAX 32

static int set_source(struct adapter_file *file, const struct yaml_node *node, struct score *score,
		      enum score_source source)
{
	if (score->place.line)
		return adapter_file_wrong(file, node->key_place,
					  "a score has one of time, regex, json and csv, not two");
	score->source = source;
	score->place = (struct adapter_place) { node->place.line, node->place.column };
	return 0;
}

static int read_time(struct adapter_file *file, const struct yaml_node *node, void *into)
{
	struct score *score = into;
	bool yes = false;
	int answer = set_source(file, node, score, SCORE_TIME);
	if (answer == 0)
		answer = adapter_file_yes(file, node, &yes);
	if (answer == 0 && !yes)
		return adapter_file_wrong(file, node->place, "'time' is yes, or is not there");
	return answer;
}

static int read_expression(struct adapter_file *file, const struct yaml_node *node,
			   struct score *score, enum score_source source)
{
	const int answer = set_source(file, node, score, source);
	return answer < 0 ? answer : adapter_file_text(file, node, &score->expression);
}

static int read_regex(struct adapter_file *file, const struct yaml_node *node, void *into)
{
	return read_expression(file, node, into, SCORE_REGEX);
}

static int read_json(struct adapter_file *file, const struct yaml_node *node, void *into)
{
	return read_expression(file, node, into, SCORE_JSON);
}

static int read_csv(struct adapter_file *file, const struct yaml_node *node, void *into)
{
	return read_expression(file, node, into, SCORE_CSV);
}

static int read_name(struct adapter_file *file, const struct yaml_node *node, void *into)
{
	struct score *score = into;
	return adapter_file_text(file, node, &score->name);
}

static int read_unit(struct adapter_file *file, const struct yaml_node *node, void *into)
{
	struct score *score = into;
	return adapter_file_text(file, node, &score->unit);
}

static int read_what(struct adapter_file *file, const struct yaml_node *node, void *into)
{
	struct score *score = into;
	return adapter_file_text(file, node, &score->what);
}

static int read_row(struct adapter_file *file, const struct yaml_node *node, void *into)
{
	struct score *score = into;
	return adapter_file_text(file, node, &score->row);
}

static int read_after(struct adapter_file *file, const struct yaml_node *node, void *into)
{
	struct score *score = into;
	return adapter_file_text(file, node, &score->after);
}

static int read_until(struct adapter_file *file, const struct yaml_node *node, void *into)
{
	struct score *score = into;
	return adapter_file_text(file, node, &score->until);
}

/* "COLUMN=VALUE" or "/pointer=VALUE". */
static int read_where(struct adapter_file *file, const struct yaml_node *node, void *into)
{
	struct score *score = into;
	const int answer = adapter_file_text(file, node, &score->where);
	if (answer < 0)
		return answer;
	char *equals = strchr(score->where, '=');
	if (!equals)
		return adapter_file_wrong(file, node->place, "'where' wants WHERE=VALUE, not '%s'",
					  score->where);
	score->where_value = mem_text(equals + 1);
	*equals = '\0';
	return 0;
}

static int read_better(struct adapter_file *file, const struct yaml_node *node, void *into)
{
	const char *words[BETTER_COUNT];
	struct score *score = into;
	size_t index = BETTER_UNKNOWN;
	for (enum metric_better better = 0; better < BETTER_COUNT; better++)
		words[better] = metric_better_text(better);
	const int answer = adapter_file_word(file, node, words, BETTER_COUNT, &index);
	score->better = (enum metric_better)index;
	return answer;
}

static int read_role(struct adapter_file *file, const struct yaml_node *node, void *into)
{
	static const char *const words[] = { "score", "restated", "evidence" };
	static const enum metric_role roles[] = { ROLE_SCORE, ROLE_RESTATED, ROLE_EVIDENCE };
	struct score *score = into;
	size_t index = 0;
	const int answer = adapter_file_word(file, node, words, ARRAY_SIZE(words), &index);
	score->role = roles[index];
	return answer;
}

static int read_pick(struct adapter_file *file, const struct yaml_node *node, void *into)
{
	const char *words[PICK_COUNT];
	struct score *score = into;
	size_t index = PICK_ONLY;
	for (enum score_pick pick = 0; pick < PICK_COUNT; pick++)
		words[pick] = score_pick_text(pick);
	const int answer = adapter_file_word(file, node, words, PICK_COUNT, &index);
	score->pick = (enum score_pick)index;
	return answer;
}

static int read_optional(struct adapter_file *file, const struct yaml_node *node, void *into)
{
	struct score *score = into;
	return adapter_file_yes(file, node, &score->optional);
}

static int read_factor(struct adapter_file *file, const struct yaml_node *node, void *into)
{
	struct score *score = into;
	return adapter_file_decimal(file, node, &score->factor);
}

static int read_units(struct adapter_file *file, const struct yaml_node *node, void *into)
{
	struct score *score = into;
	int answer = 0;
	if (node->kind != YAML_MAP || node->n_items == 0 || node->n_items > SCALES_MAX)
		return adapter_file_wrong(file, node->place,
					  "'units' wants 1 to %d units with their factors",
					  SCALES_MAX);
	score->scales = mem_array(node->n_items, sizeof(*score->scales));
	for (size_t i = 0; i < node->n_items && answer == 0; i++) {
		const struct yaml_node *item = node->items[i];
		struct score_scale *scale = &score->scales[score->n_scales++];
		scale->word = mem_text(item->key);
		answer = adapter_file_decimal(file, item, &scale->factor);
	}
	return answer;
}

static const struct adapter_key keys[] = {
	{ "name", read_name, true },          { "time", read_time, false },
	{ "regex", read_regex, false },       { "json", read_json, false },
	{ "csv", read_csv, false },           { "unit", read_unit, true },
	{ "better", read_better, true },      { "what", read_what, false },
	{ "role", read_role, false },         { "row", read_row, false },
	{ "where", read_where, false },       { "after", read_after, false },
	{ "until", read_until, false },       { "pick", read_pick, false },
	{ "factor", read_factor, false },     { "units", read_units, false },
	{ "optional", read_optional, false },
};

static int read_score(struct adapter_file *file, const struct yaml_node *item)
{
	struct adapter *adapter = file->adapter;
	struct score *score = &adapter->scores[adapter->n_scores++];
	*score = (struct score) { .factor = 1.0, .better = BETTER_UNKNOWN };
	const int answer =
		adapter_file_map(file, item, "key of a score", keys, ARRAY_SIZE(keys), score);
	if (answer < 0)
		return answer;
	if (!score->place.line)
		return adapter_file_wrong(
			file, item->place,
			"the score '%s' says nowhere to look: one of time, regex, "
			"json and csv is missing",
			score->name);
	if (!score->what)
		score->what = mem_text("");
	return 0;
}

int adapter_file_scores(struct adapter_file *file, const struct yaml_node *node, void *into)
{
	struct adapter *adapter = file->adapter;
	int answer = 0;
	if (node->kind != YAML_LIST || node->n_items == 0 || node->n_items > ADAPTER_SCORES_MAX)
		return adapter_file_wrong(file, node->place,
					  "'scores' wants a list of 1 to %d scores, this is %s",
					  ADAPTER_SCORES_MAX, yaml_kind_text(node));
	adapter->scores = mem_array(node->n_items, sizeof(*adapter->scores));
	for (size_t i = 0; i < node->n_items && answer == 0; i++)
		answer = read_score(file, node->items[i]);
	return answer;
}
