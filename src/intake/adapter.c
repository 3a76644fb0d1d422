/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adapters in memory: their words, the row for the catalogue, release. See adapter.h. */
#include "intake/adapter.h"

#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const char *const source_texts[] = {
	[SCORE_TIME] = "time",
	[SCORE_REGEX] = "regex",
	[SCORE_JSON] = "json",
	[SCORE_CSV] = "csv",
};
static const char *const pick_texts[] = {
	[PICK_ONLY] = "only", [PICK_FIRST] = "first", [PICK_LAST] = "last", [PICK_SUM] = "sum",
	[PICK_MEAN] = "mean", [PICK_LEAST] = "least", [PICK_MOST] = "most",
};

static_assert(ARRAY_SIZE(source_texts) == SCORE_SOURCE_COUNT, "each source has its word");
static_assert(ARRAY_SIZE(pick_texts) == PICK_COUNT, "each pick has its word");

const char *score_source_text(enum score_source source)
{
	assert(source < SCORE_SOURCE_COUNT);
	return source_texts[source];
}

const char *score_pick_text(enum score_pick pick)
{
	assert(pick < PICK_COUNT);
	return pick_texts[pick];
}

enum score_source score_source_find(const char *word)
{
	enum score_source source = 0;
	while (source < SCORE_SOURCE_COUNT && strcmp(source_texts[source], word) != 0)
		source++;
	return source;
}

enum score_pick score_pick_find(const char *word)
{
	enum score_pick pick = 0;
	while (pick < PICK_COUNT && strcmp(pick_texts[pick], word) != 0)
		pick++;
	return pick;
}

void score_done(struct score *score)
{
	for (size_t i = 0; i < score->n_scales; i++)
		free(score->scales[i].word);
	free(score->scales);
	free(score->name);
	free(score->unit);
	free(score->what);
	free(score->expression);
	free(score->row);
	free(score->where);
	free(score->where_value);
	free(score->after);
	free(score->until);
	*score = (struct score) { 0 };
}

static void parameter_done(struct parameter *parameter, struct adapter_choice *choices)
{
	for (size_t i = 0; choices && choices[i].word; i++) {
		free(choices[i].word);
		free(choices[i].text);
	}
	free(choices);
	mem_free_const(parameter->name);
	mem_free_const(parameter->alias);
	mem_free_const(parameter->what);
	mem_free_const(parameter->preset);
	mem_free_const(parameter->words);
}

static void row_done(struct adapter *adapter)
{
	for (struct metric *metric = adapter->metrics; metric && metric->name; metric++)
		mem_free_const(metric->name);
	free(adapter->metrics);
	adapter->metrics = NULL;
}

void adapter_free(struct adapter *adapter)
{
	if (!adapter)
		return;
	row_done(adapter);
	for (size_t i = 0; i < adapter->n_parameters; i++)
		parameter_done(&adapter->parameters[i], adapter->choices[i]);
	for (size_t i = 0; i < adapter->n_scores; i++)
		score_done(&adapter->scores[i]);
	for (size_t i = 0; i < adapter->n_start; i++)
		free(adapter->start[i]);
	free(adapter->parameters);
	free(adapter->choices);
	free(adapter->presets);
	free(adapter->scores);
	free(adapter->start);
	free(adapter->name);
	free(adapter->what);
	free(adapter->stands);
	free(adapter->program);
	free(adapter->package);
	free(adapter->seen);
	free(adapter->path);
	free(adapter);
}

/* "unixbench.{row}" is told as "unixbench.*": which rows there are is known after a run. */
static char *told_name(const char *name)
{
	const char *row = strstr(name, ADAPTER_ROW);
	if (!row)
		return mem_text(name);
	return mem_format("%.*s*%s", (int)(row - name), name, row + strlen(ADAPTER_ROW));
}

void adapter_make_row(struct adapter *adapter)
{
	row_done(adapter);
	adapter->metrics = mem_array(adapter->n_scores + 1, sizeof(*adapter->metrics));
	for (size_t i = 0; i < adapter->n_scores; i++) {
		const struct score *score = &adapter->scores[i];
		adapter->metrics[i] = (struct metric) {
			.name = told_name(score->name),
			.unit = score->unit,
			.what = score->what,
			.kind = METRIC_SCORE,
			.better = score->better,
			.role = score->role,
		};
	}
	adapter->plugin = (struct plugin) {
		.name = adapter->name,
		.what = adapter->what,
		.stands = adapter->stands,
		.parameters = adapter->parameters,
		.metrics = adapter->metrics,
		.semantics = adapter->semantics,
	};
}

const char *adapter_choice(const struct adapter *adapter, size_t parameter, const char *word)
{
	assert(parameter < adapter->n_parameters);
	const struct adapter_choice *choices = adapter->choices[parameter];
	for (size_t i = 0; choices && choices[i].word; i++)
		if (strcmp(choices[i].word, word) == 0)
			return choices[i].text;
	return word;
}
