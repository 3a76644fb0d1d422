/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Experiment files: the keys that say when enough has been measured, and what is good. */
#include "base/mem.h"
#include "base/text.h"
#include "experiment/build.h"
#include "experiment/check.h"
#include "experiment/file.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

int file_until(struct file *file, const struct yaml_node *node)
{
	static const char *const words[] = { "decided" };
	const char *word = NULL;
	const int answer = file_word(file, node, &word);
	if (answer < 0)
		return answer;
	if (!text_equal(word, words[0])) {
		(void)check_unknown("end", word, words, ARRAY_SIZE(words), file->err);
		return file_at(file, node->place); /* It gives the code. */
	}
	file->experiment->until = UNTIL_DECIDED;
	return 0;
}

int file_runs(struct file *file, const struct yaml_node *node)
{
	const int answer = file_number(file, node, &file->experiment->runs);
	if (answer < 0)
		return answer;
	if (check_runs(file->experiment->runs, file->err) < 0)
		return file_at(file, node->place);
	if (file->experiment->until == UNTIL_DECIDED)
		return file_wrong(file, node->place,
				  "'runs' is a fixed number and 'until: decided' is not: leave one "
				  "of them out ('max-runs' limits the runs until decided)");
	file->experiment->until = UNTIL_RUNS;
	return 0;
}

int file_max_runs(struct file *file, const struct yaml_node *node)
{
	const int answer = file_number(file, node, &file->experiment->max_runs);
	if (answer < 0)
		return answer;
	if (check_max_runs(file->experiment->max_runs, file->err) < 0 ||
	    check_stopping(file->experiment, file->err) < 0)
		return file_at(file, node->place);
	return 0;
}

int file_max_time(struct file *file, const struct yaml_node *node)
{
	uint64_t time_ns = 0;
	const int answer = file_duration(file, node, &time_ns);
	if (answer < 0)
		return answer;
	/* Nothing at all would mean "no end", which nobody means who writes 0s. */
	if (check_max_time(time_ns ? time_ns : 1, file->err) < 0)
		return file_at(file, node->place);
	file->experiment->max_time_ns = time_ns;
	return 0;
}

/* A number above 0; a '%' may stand behind it. */
static int read_decimal(const struct file *file, const struct yaml_node *node, bool percent,
			double *ret_number)
{
	const char *word = NULL;
	const int answer = file_word(file, node, &word);
	if (answer < 0)
		return answer;
	const size_t length = strlen(word) - (percent && text_ends_with(word, "%"));
	AUTO(text) char *digits = mem_text_n(word, length);
	double number;
	if (!text_parse_f64(digits, &number) || !(number > 0.0))
		return file_wrong(file, node->place, "'%s' wants a number above 0%s, not '%s'",
				  node->key, percent ? " (per cent)" : "", word);
	*ret_number = number;
	return 0;
}

int file_effect(struct file *file, const struct yaml_node *node)
{
	if (node->kind == YAML_WORD && text_equal(node->text, "auto"))
		return 0;
	const int answer =
		read_decimal(file, node, /* percent= */ true, &file->experiment->effect_percent);
	if (answer < 0)
		return answer;
	return check_effect(file->experiment->effect_percent, file->err) < 0
		       ? file_at(file, node->place)
		       : 0;
}

int file_alpha(struct file *file, const struct yaml_node *node)
{
	const int answer = read_decimal(file, node, /* percent= */ false, &file->experiment->alpha);
	if (answer < 0)
		return answer;
	return check_alpha(file->experiment->alpha, file->err) < 0 ? file_at(file, node->place) : 0;
}

int file_warm_up_block(struct file *file, const struct yaml_node *node)
{
	const char *word = NULL;
	const int answer = file_word(file, node, &word);
	if (answer < 0)
		return answer;
	const bool yes = text_equal(word, "yes") || text_equal(word, "true");
	if (!yes && !text_equal(word, "no") && !text_equal(word, "false"))
		return file_wrong(file, node->place, "'%s' wants yes or no, not '%s'", node->key,
				  word);
	file->experiment->warm_up_block = yes;
	return 0;
}

/* `metric` is the item's key, or NULL when the word stands alone. */
static int read_better(struct file *file, const struct yaml_node *node, const char *metric)
{
	static const char *const words[] = { "higher", "lower" };
	const char *word = NULL;
	const int answer = file_word(file, node, &word);
	if (answer < 0)
		return answer;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (!text_equal(word, words[i]))
			continue;
		build_better(file->experiment, metric, /* higher= */ i == 0);
		return 0;
	}
	(void)check_unknown("direction", word, words, ARRAY_SIZE(words), file->err);
	return file_at(file, node->place); /* It gives the code. */
}

int file_better(struct file *file, const struct yaml_node *node)
{
	int answer = 0;
	if (node->kind != YAML_MAP)
		return read_better(file, node, /* metric= */ NULL);
	for (size_t i = 0; answer == 0 && i < node->n_items; i++)
		answer = read_better(file, node->items[i], node->items[i]->key);
	return answer;
}

int file_aa(struct file *file, const struct yaml_node *node)
{
	const int answer =
		read_decimal(file, node, /* percent= */ true, &file->experiment->aa_percent);
	if (answer < 0)
		return answer;
	return check_aa(file->experiment->aa_percent, file->err) < 0 ? file_at(file, node->place)
								     : 0;
}
