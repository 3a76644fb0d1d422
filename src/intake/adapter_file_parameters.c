/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The keys `parameters` and `start` of an adapter's file: what can be said, and where it goes. */
#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "intake/adapter_file.h"
#include "intake/adapter_start.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#define CHOICES_MAX 64
#define SECONDS_MAX (7ULL * 24 * 3600)
#define NUMBER_MAX (1ULL << 53)

static const char *const types[] = {
	[PARAMETER_NUMBER] = "number",
	[PARAMETER_WORD] = "word",
	[PARAMETER_TEXT] = "text",
	[PARAMETER_SECONDS] = "seconds",
};

struct reading { /* One parameter. */
	struct parameter *parameter;
	struct adapter_choice **choices;
	struct adapter_place *preset;
	bool has_type;
};

static int read_text(struct adapter_file *file, const struct yaml_node *node, const char **ret_text)
{
	char *text = NULL;
	const int answer = adapter_file_text(file, node, &text);
	if (answer == 0)
		*ret_text = text;
	return answer;
}

static int read_what(struct adapter_file *file, const struct yaml_node *node, void *into)
{
	const struct reading *reading = into;
	return read_text(file, node, &reading->parameter->what);
}

static int read_alias(struct adapter_file *file, const struct yaml_node *node, void *into)
{
	const struct reading *reading = into;
	const int answer = read_text(file, node, &reading->parameter->alias);
	return answer < 0 ? answer
			  : adapter_file_name(file, reading->parameter->alias, node->place);
}

static int read_type(struct adapter_file *file, const struct yaml_node *node, void *into)
{
	struct reading *reading = into;
	size_t index = PARAMETER_TEXT;
	const int answer = adapter_file_word(file, node, types, ARRAY_SIZE(types), &index);
	reading->parameter->type = (enum parameter_type)index;
	reading->parameter->max = index == PARAMETER_SECONDS ? SECONDS_MAX : NUMBER_MAX;
	reading->has_type = true;
	return answer;
}

/* An empty text in quotes is a default too. */
static int read_default(struct adapter_file *file, const struct yaml_node *node, void *into)
{
	const struct reading *reading = into;
	*reading->preset = (struct adapter_place) { node->place.line, node->place.column };
	if (node->kind == YAML_WORD && !node->plain && !*node->text) {
		reading->parameter->preset = mem_text("");
		return 0;
	}
	return read_text(file, node, &reading->parameter->preset);
}

static int read_limit(struct adapter_file *file, const struct yaml_node *node,
		      const struct parameter *parameter, uint64_t *ret_limit)
{
	if (parameter->type != PARAMETER_NUMBER && parameter->type != PARAMETER_SECONDS)
		return adapter_file_wrong(file, node->key_place,
					  "'%s' is for parameters of type number or seconds",
					  node->key);
	return adapter_file_number(file, node, ret_limit);
}

static int read_least(struct adapter_file *file, const struct yaml_node *node, void *into)
{
	const struct reading *reading = into;
	return read_limit(file, node, reading->parameter, &reading->parameter->min);
}

static int read_most(struct adapter_file *file, const struct yaml_node *node, void *into)
{
	const struct reading *reading = into;
	const int answer = read_limit(file, node, reading->parameter, &reading->parameter->max);
	if (answer == 0 && reading->parameter->max < reading->parameter->min)
		return adapter_file_wrong(file, node->place, "'most' is below 'least'");
	return answer;
}

static int read_of_cpus(struct adapter_file *file, const struct yaml_node *node, void *into)
{
	const struct reading *reading = into;
	return adapter_file_yes(file, node, &reading->parameter->percent_of_cpus);
}

static int add_choice(struct adapter_file *file, const struct yaml_node *node, const char *word,
		      const char *text, struct adapter_choice *choice)
{
	if (!*word || strpbrk(word, " \t,"))
		return adapter_file_wrong(
			file, node->place,
			"'%s' is no word: it may not be empty, nor have blanks or "
			"commas",
			word);
	*choice = (struct adapter_choice) { .word = mem_text(word), .text = mem_text(text) };
	return 0;
}

/* A list of words, or a map of words to what they become. */
static int read_words(struct adapter_file *file, const struct yaml_node *node, void *into)
{
	const struct reading *reading = into;
	struct text words AUTO(text_buffer) = { 0 };
	if (node->kind == YAML_WORD || node->n_items == 0 || node->n_items > CHOICES_MAX)
		return adapter_file_wrong(
			file, node->place,
			"'words' wants 1 to %d words in a list or map, this is %s", CHOICES_MAX,
			yaml_kind_text(node));
	*reading->choices = mem_array(node->n_items + 1, sizeof(**reading->choices));
	for (size_t i = 0; i < node->n_items; i++) {
		const struct yaml_node *item = node->items[i];
		if (item->kind != YAML_WORD)
			return adapter_file_wrong(file, item->place, "a word is wanted, this is %s",
						  yaml_kind_text(item));
		const char *word = item->key ? item->key : item->text;
		const int answer =
			add_choice(file, item, word, item->text, &(*reading->choices)[i]);
		if (answer < 0)
			return answer;
		text_add(&words, "%s%s", i ? " " : "", word);
	}
	reading->parameter->words = text_take(&words);
	return 0;
}

static const struct adapter_key keys[] = {
	{ "what", read_what, true },        { "type", read_type, true },
	{ "default", read_default, false }, { "alias", read_alias, false },
	{ "least", read_least, false },     { "most", read_most, false },
	{ "of_cpus", read_of_cpus, false }, { "words", read_words, false },
};

static int read_parameter(struct adapter_file *file, const struct yaml_node *item)
{
	struct adapter *adapter = file->adapter;
	const size_t index = adapter->n_parameters;
	struct reading reading = { .parameter = &adapter->parameters[index],
				   .choices = &adapter->choices[index],
				   .preset = &adapter->presets[index] };
	int answer = adapter_file_name(file, item->key, item->key_place);
	if (answer < 0)
		return answer;
	*reading.preset = (struct adapter_place) { item->place.line, item->place.column };
	reading.parameter->name = mem_text(item->key);
	adapter->n_parameters++;
	answer = adapter_file_map(file, item, "key of a parameter", keys, ARRAY_SIZE(keys),
				  &reading);
	const bool wants_words = reading.parameter->type == PARAMETER_WORD;
	if (answer == 0 && wants_words != (reading.parameter->words != NULL))
		return adapter_file_wrong(file, item->place, "'words' and the type 'word' %s",
					  wants_words ? "belong together, 'words' is missing"
						      : "belong together");
	return answer;
}

int adapter_file_parameters(struct adapter_file *file, const struct yaml_node *node, void *into)
{
	struct adapter *adapter = file->adapter;
	int answer = 0;
	if (node->kind != YAML_MAP || node->n_items > ADAPTER_PARAMETERS_MAX)
		return adapter_file_wrong(file, node->place,
					  "'parameters' wants up to %d names with their keys",
					  ADAPTER_PARAMETERS_MAX);
	adapter->parameters = mem_array(node->n_items + 1, sizeof(*adapter->parameters));
	adapter->choices = mem_array(node->n_items + 1, sizeof(*adapter->choices));
	adapter->presets = mem_array(node->n_items + 1, sizeof(*adapter->presets));
	for (size_t i = 0; i < node->n_items && answer == 0; i++)
		answer = read_parameter(file, node->items[i]);
	return answer;
}

/* ---- start ---- */

static int check_word(struct adapter_file *file, const struct yaml_node *item, bool *used)
{
	struct adapter *adapter = file->adapter;
	struct start_piece piece;
	for (const char *at = item->text; start_next(&at, &piece);) {
		if (piece.kind == START_TEXT)
			continue;
		if (piece.kind == START_WRONG)
			return adapter_file_wrong(file, item->place,
						  "'%s' has a brace that is no {parameter}; write "
						  "{{ and }} for braces",
						  item->text);
		if (piece.kind == START_SPREAD && (piece.at != item->text || *at))
			return adapter_file_wrong(file, item->place,
						  "'%s': {name...} must be a word of its own",
						  item->text);
		AUTO(text) char *name = mem_text_n(piece.name, piece.name_length);
		const char *words[ADAPTER_PARAMETERS_MAX];
		bool known = false;
		for (size_t i = 0; i < adapter->n_parameters; i++) {
			words[i] = adapter->parameters[i].name;
			used[i] = used[i] || strcmp(words[i], name) == 0;
			known = known || strcmp(words[i], name) == 0;
		}
		if (!known && adapter->n_parameters == 0)
			return adapter_file_wrong(file, item->place,
						  "unknown parameter '%s', there are none", name);
		if (!known)
			return adapter_file_unknown(file, item->place, "parameter", name, words,
						    adapter->n_parameters);
	}
	return 0;
}

int adapter_file_start(struct adapter_file *file, const struct yaml_node *node, void *into)
{
	struct adapter *adapter = file->adapter;
	bool used[ADAPTER_PARAMETERS_MAX] = { false };
	if (node->kind != YAML_LIST || node->n_items == 0 || node->n_items > ADAPTER_WORDS_MAX)
		return adapter_file_wrong(file, node->place,
					  "'start' wants a list of 1 to %d words, this is %s",
					  ADAPTER_WORDS_MAX, yaml_kind_text(node));
	adapter->start = mem_array(node->n_items + 1, sizeof(*adapter->start));
	for (size_t i = 0; i < node->n_items; i++) {
		const struct yaml_node *item = node->items[i];
		if (item->kind != YAML_WORD || strpbrk(item->text, "\n\r"))
			return adapter_file_wrong(file, item->place,
						  "a word of 'start' is one line of text");
		const int answer = check_word(file, item, used);
		if (answer < 0)
			return answer;
		adapter->start[adapter->n_start++] = mem_text(item->text);
	}
	for (size_t i = 0; i < adapter->n_parameters; i++)
		if (!used[i])
			return adapter_file_wrong(file, node->place,
						  "'start' does not use the parameter '%s'",
						  adapter->parameters[i].name);
	return 0;
}
