/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Experiment files: what the keys and words of the YAML tree mean. Each piece is checked where it
 * stands, so that every refusal has its line and column. Format: assay-experiment(5). */
#include "experiment/file.h"

#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "experiment/build.h"
#include "experiment/check.h"
#include "experiment/duration.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* ---- refusals ---- */

int file_at(const struct file *file, struct yaml_place place)
{
	return error_at(file->err, "%s:%u:%u", file->name, place.line, place.column);
}

int file_wrong(const struct file *file, struct yaml_place place, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	AUTO(text) char *sentence = mem_format_v(format, arguments);
	va_end(arguments);
	(void)error_set(file->err, EINVAL, "%s", sentence); /* file_at() gives the code. */
	return file_at(file, place);
}

int file_wrong_kind(const struct file *file, const struct yaml_node *node, const char *wanted)
{
	if (node->key)
		return file_wrong(file, node->place, "'%s' wants %s, this is %s", node->key, wanted,
				  yaml_kind_text(node));
	return file_wrong(file, node->place, "%s is wanted, this is %s", wanted,
			  yaml_kind_text(node));
}

int file_unknown(const struct file *file, const struct yaml_node *item, const char *what,
		 const char *const *words, size_t n)
{
	(void)check_unknown(what, item->key, words, n, file->err); /* file_at() gives the code. */
	return file_at(file, item->key_place);
}

/* ---- words ---- */

int file_word(const struct file *file, const struct yaml_node *node, const char **ret_word)
{
	if (node->kind != YAML_WORD || yaml_is_empty(node))
		return file_wrong_kind(file, node, "a word");
	*ret_word = node->text;
	return 0;
}

int file_number(const struct file *file, const struct yaml_node *node, uint64_t *ret_number)
{
	if (node->kind != YAML_WORD || yaml_is_empty(node))
		return file_wrong_kind(file, node, "a number");
	if (!text_parse_u64(node->text, ret_number))
		return file_wrong(file, node->place, "'%s' wants a whole number, not '%s'",
				  node->key, node->text);
	return 0;
}

int file_duration(const struct file *file, const struct yaml_node *node, uint64_t *ret_ns)
{
	if (node->kind != YAML_WORD || yaml_is_empty(node))
		return file_wrong_kind(file, node, "a duration such as 1s");
	return duration_parse(node->text, ret_ns, file->err) < 0 ? file_at(file, node->place) : 0;
}

static int read_name(struct file *file, const struct yaml_node *node)
{
	const char *word = NULL;
	const int answer = file_word(file, node, &word);
	if (answer < 0)
		return answer;
	if (check_name("experiment", word, file->err) < 0)
		return file_at(file, node->place);
	build_string(&file->experiment->name, word);
	return 0;
}

static int read_question(struct file *file, const struct yaml_node *node)
{
	const char *word = NULL;
	const int answer = file_word(file, node, &word);
	if (answer < 0)
		return answer;
	AUTO(text) char *copy = mem_text(word);
	const char *question = text_trim(copy);
	if (check_question(question, file->err) < 0)
		return file_at(file, node->place);
	build_string(&file->experiment->question, question);
	return 0;
}

static int read_place(struct file *file, const struct yaml_node *node)
{
	const char *word = NULL;
	const int answer = file_word(file, node, &word);
	if (answer < 0)
		return answer;
	if (check_place(word, file->err) < 0)
		return file_at(file, node->place);
	build_string(&file->experiment->place, word);
	return 0;
}

static int read_seed(struct file *file, const struct yaml_node *node)
{
	const int answer = file_number(file, node, &file->experiment->seed);
	if (answer < 0)
		return answer;
	return check_seed(file->experiment->seed, file->err) < 0 ? file_at(file, node->place) : 0;
}

static int read_interval(struct file *file, const struct yaml_node *node)
{
	const int answer = file_duration(file, node, &file->experiment->interval_ns);
	if (answer < 0)
		return answer;
	return check_interval(file->experiment->interval_ns, file->err) < 0
		       ? file_at(file, node->place)
		       : 0;
}

static int read_time_limit(struct file *file, const struct yaml_node *node)
{
	uint64_t limit_ns = 0;
	const int answer = file_duration(file, node, &limit_ns);
	if (answer < 0)
		return answer;
	/* Nothing at all would mean "worked out", which nobody means who writes 0s. */
	if (check_time_limit(limit_ns ? limit_ns : 1, file->err) < 0)
		return file_at(file, node->place);
	file->experiment->time_limit_ns = limit_ns;
	return 0;
}

/* ---- monitors ---- */

static int add_monitor(struct file *file, const struct yaml_node *node)
{
	const char *word = NULL;
	const int answer = file_word(file, node, &word);
	if (answer < 0)
		return answer;
	if (text_equal(word, "all") || text_equal(word, "none"))
		return file_wrong(file, node->place, "'%s' stands alone: 'monitors: %s'", word,
				  word);
	if (check_monitor(word, file->catalogue, file->err) < 0)
		return file_at(file, node->place);
	for (size_t i = 0; i < file->experiment->n_monitors; i++)
		if (text_equal(file->experiment->monitors[i], word))
			return file_wrong(file, node->place, "monitor '%s' is named twice", word);
	build_monitor(file->experiment, word);
	return 0;
}

static int read_monitors(struct file *file, const struct yaml_node *node)
{
	if (node->kind == YAML_WORD) {
		if (text_equal(node->text, "all"))
			return 0;
		if (!text_equal(node->text, "none"))
			return add_monitor(file, node);
		build_monitor(file->experiment, "none");
		return 0;
	}
	if (node->kind != YAML_LIST || node->n_items == 0)
		return file_wrong_kind(file, node, "a list of monitors, or all, or none");
	int answer = 0;
	for (size_t i = 0; answer == 0 && i < node->n_items; i++)
		answer = add_monitor(file, node->items[i]);
	return answer;
}

/* ---- the whole ---- */

/* In the order in which they are read: settings of the param kind need the workloads. */
static const struct {
	const char *key;
	int (*read)(struct file *file, const struct yaml_node *node);
} keys[] = {
	{ "name", read_name },
	{ "question", read_question },
	{ "place", read_place },
	{ "until", file_until },
	{ "runs", file_runs },
	{ "max-runs", file_max_runs },
	{ "max-time", file_max_time },
	{ "effect", file_effect },
	{ "alpha", file_alpha },
	{ "warm-up-block", file_warm_up_block },
	{ "aa", file_aa },
	{ "better", file_better },
	{ "seed", read_seed },
	{ "interval", read_interval },
	{ "time-limit", read_time_limit },
	{ "monitors", read_monitors },
	{ "workload", file_workload },
	{ "workloads", file_workloads },
	{ "subjects", file_subjects },
};

static int check_keys(const struct file *file)
{
	const char *words[ARRAY_SIZE(keys)];
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		words[i] = keys[i].key;
	for (size_t i = 0; i < file->root->n_items; i++) {
		const struct yaml_node *item = file->root->items[i];
		bool known = false;
		for (size_t j = 0; j < ARRAY_SIZE(keys); j++)
			known = known || text_equal(item->key, keys[j].key);
		if (!known)
			return file_unknown(file, item, "key", words, ARRAY_SIZE(words));
	}
	return 0;
}

/* What can only be seen when everything has been read; the workloads' place serves. */
static int check_together(const struct file *file)
{
	const struct yaml_node *list = yaml_find(file->root, "workloads");
	const struct yaml_node *single = yaml_find(file->root, "workload");
	if (!list && !single)
		return file_wrong(file, file->root->place,
				  "no workload, add 'workloads:' with a list");
	if (file->experiment->n_subjects == 0)
		return file_wrong(file, file->root->place,
				  "no subjects, add 'subjects:' with 'base:' below it");
	const struct yaml_node *until = yaml_find(file->root, "until");
	const struct yaml_node *most = yaml_find(file->root, "max-runs");
	if (check_until(file->experiment, file->err) < 0)
		return file_at(file, until ? until->place : most->place);
	for (size_t i = 0; i < file->experiment->n_selected; i++)
		if (check_selected(file->experiment, i, file->catalogue, file->err) < 0)
			return file_at(file, single ? single->place : list->items[i]->place);
	if (check_size(file->experiment, file->err) < 0)
		return file_at(file, single ? single->key_place : list->key_place);
	return 0;
}

static int read_tree(struct file *file)
{
	if (file->root->kind != YAML_MAP)
		return file_wrong(file, file->root->place,
				  "an experiment is a map ('name: value' lines)");
	int answer = check_keys(file);
	for (size_t i = 0; answer == 0 && i < ARRAY_SIZE(keys); i++) {
		const struct yaml_node *node = yaml_find(file->root, keys[i].key);
		if (node)
			answer = keys[i].read(file, node);
	}
	return answer == 0 ? check_together(file) : answer;
}

/* Words of the file may hold line breaks and worse; a message is one line for a terminal. */
static void make_one_line(struct error *err)
{
	for (char *character = err->text; *character; character++)
		if (iscntrl((unsigned char)*character))
			*character = '?';
}

int experiment_parse(const char *yaml, size_t length, const char *file_name,
		     const struct catalogue *catalogue, struct experiment **ret_experiment,
		     struct error *err)
{
	struct error own = { 0 };
	AUTO(experiment) struct experiment *experiment = experiment_new();
	AUTO(yaml) struct yaml_node *root = NULL;
	struct file file = { .name = file_name,
			     .catalogue = catalogue,
			     .experiment = experiment,
			     .err = err ? err : &own };
	int answer = yaml_parse(yaml, length, &root, file.err);
	if (answer < 0) {
		/* The sentence begins with line and column. */
		AUTO(text) char *sentence = mem_text(file.err->text);
		answer = error_set(file.err, -answer, "%s:%s", file_name, sentence);
	} else {
		file.root = root;
		answer = read_tree(&file);
	}
	if (answer < 0) {
		make_one_line(file.err);
		return answer;
	}
	assert(experiment_check(experiment, catalogue, /* err= */ NULL) == 0);
	*ret_experiment = KEEP(experiment);
	return 0;
}
