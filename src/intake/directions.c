/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of directions. See directions.h. */
#include "intake/directions.h"

#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "intake/adapter_file.h"

#include <assert.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

static int read_text(struct adapter_file *file, const struct yaml_node *node, const char **ret_text)
{
	char *text = NULL;
	const int answer = adapter_file_text(file, node, &text);
	if (answer == 0)
		*ret_text = text;
	return answer;
}

/* A pattern without a dot would be of somebody's column. */
static int read_metric(struct adapter_file *file, const struct yaml_node *node, void *into)
{
	struct metric *row = into;
	const int answer = read_text(file, node, &row->name);
	if (answer == 0 && (!strchr(row->name, '.') || row->name[0] == '*'))
		return adapter_file_wrong(file, node->place,
					  "'%s' must begin with a program's name and have a dot",
					  row->name);
	return answer;
}

static int read_unit(struct adapter_file *file, const struct yaml_node *node, void *into)
{
	struct metric *row = into;
	return read_text(file, node, &row->unit);
}

static int read_what(struct adapter_file *file, const struct yaml_node *node, void *into)
{
	struct metric *row = into;
	return read_text(file, node, &row->what);
}

static int read_better(struct adapter_file *file, const struct yaml_node *node, void *into)
{
	static const char *const words[] = { "higher", "lower", "none" };
	static const enum metric_better ways[] = { BETTER_HIGHER, BETTER_LOWER, BETTER_NONE };
	struct metric *row = into;
	size_t index = 0;
	const int answer = adapter_file_word(file, node, words, ARRAY_SIZE(words), &index);
	row->better = ways[index];
	return answer;
}

static const struct adapter_key keys[] = {
	{ "metric", read_metric, true },
	{ "unit", read_unit, true },
	{ "better", read_better, true },
	{ "what", read_what, true },
};

int directions_parse(const char *text, size_t length, const char *path,
		     struct directions **ret_directions, struct error *err)
{
	struct error own = { 0 };
	AUTO(yaml) struct yaml_node *root = NULL;
	AUTO(directions) struct directions *directions = mem_zero(sizeof(*directions));
	struct adapter_file file = { .path = path, .err = err ? err : &own };
	int answer = yaml_parse(text, length, &root, file.err);
	if (answer < 0) {
		/* The sentence begins with line and column. */
		AUTO(text) char *sentence = mem_text(file.err->text);
		return error_set(file.err, -answer, "%s:%s", path, sentence);
	}
	assert(root);
	if (root->kind != YAML_LIST || root->n_items > DIRECTIONS_MAX)
		return adapter_file_wrong(&file, root->place, "a list of up to %d rows is wanted",
					  DIRECTIONS_MAX);
	directions->rows = mem_array(root->n_items + 1, sizeof(*directions->rows));
	for (size_t i = 0; i < root->n_items && answer == 0; i++) {
		struct metric *row = &directions->rows[directions->n++];
		*row = (struct metric) { .kind = METRIC_SCORE, .role = ROLE_SCORE };
		answer = adapter_file_map(&file, root->items[i], "key of a direction", keys,
					  ARRAY_SIZE(keys), row);
	}
	if (answer < 0)
		return answer;
	*ret_directions = KEEP(directions);
	return 0;
}

void directions_free(struct directions *directions)
{
	if (!directions)
		return;
	for (size_t i = 0; i < directions->n; i++) {
		mem_free_const(directions->rows[i].name);
		mem_free_const(directions->rows[i].unit);
		mem_free_const(directions->rows[i].what);
	}
	free(directions->rows);
	free(directions);
}

const struct metric *directions_find(const struct directions *directions, const char *name)
{
	for (size_t i = 0; directions && i < directions->n; i++)
		if (fnmatch(directions->rows[i].name, name, 0) == 0)
			return &directions->rows[i];
	return NULL;
}
