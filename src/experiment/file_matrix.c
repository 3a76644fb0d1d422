/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The workloads of an experiment file with their lists of values. See file.h. */
#include "base/text.h"
#include "experiment/build.h"
#include "experiment/check.h"
#include "experiment/file.h"

#include <string.h>

static int add_value(const struct file *file, const struct yaml_node *node,
		     const struct parameter *parameter, struct values *values)
{
	if (node->kind != YAML_WORD || yaml_is_empty(node))
		return file_wrong_kind(file, node, "a value");
	const char *word = node->text;
	unsigned column;
	if (check_value(parameter, word, &column, file->err) < 0) {
		struct yaml_place place = node->place;
		place.column += node->one_line ? column : 0;
		return file_at(file, place);
	}
	for (size_t i = 0; i < values->n_texts; i++)
		if (text_equal(values->texts[i], word))
			return file_wrong(file, node->place, "the value '%s' is listed twice",
					  word);
	build_text(values, word);
	return 0;
}

static int add_values(const struct file *file, const struct yaml_node *node,
		      const struct plugin *plugin, struct selected *selected)
{
	const struct parameter *parameter = NULL;
	if (check_parameter(plugin, node->key, &parameter, file->err) < 0)
		return file_at(file, node->key_place);
	for (size_t i = 0; i < selected->n_values; i++)
		if (text_equal(selected->values[i].name, parameter->name))
			return file_wrong(file, node->key_place,
					  "the parameter '%s' is given twice (alias '%s')",
					  parameter->name,
					  parameter->alias ? parameter->alias : "");
	struct values *values = build_values(selected, parameter->name);
	if (node->kind == YAML_MAP || (node->kind == YAML_LIST && node->n_items == 0))
		return file_wrong(file, node->place,
				  "'%s' wants a value or a list of values, this is %s", node->key,
				  node->kind == YAML_MAP ? "a map" : "an empty list");
	if (node->kind == YAML_WORD)
		return add_value(file, node, parameter, values);
	int answer = 0;
	for (size_t i = 0; answer == 0 && i < node->n_items; i++)
		answer = add_value(file, node->items[i], parameter, values);
	return answer;
}

/* `name`, or `name:` with a map of parameters below it. */
static int add_workload(struct file *file, const struct yaml_node *node)
{
	const bool is_map = node->kind == YAML_MAP && node->n_items > 0;
	const char *name = node->text;
	int answer = is_map ? 0 : file_word(file, node, &name);
	if (answer < 0)
		return answer;
	if (is_map && node->n_items > 1)
		return file_wrong(
			file, node->items[1]->key_place,
			"'%s' stands beside the workload '%s': indent it further to make it a "
			"parameter, or begin a new line with '- '",
			node->items[1]->key, node->items[0]->key);
	const struct yaml_node *parameters = is_map ? node->items[0] : NULL;
	if (is_map)
		name = parameters->key;
	const struct plugin *plugin = NULL;
	if (check_workload(name, file->catalogue, &plugin, file->err) < 0)
		return file_at(file, is_map ? parameters->key_place : node->place);
	struct selected *selected = build_selected(file->experiment, plugin->name);
	if (!parameters || yaml_is_empty(parameters))
		return 0;
	if (parameters->kind != YAML_MAP)
		return file_wrong_kind(file, parameters, "parameters (name: value)");
	for (size_t i = 0; answer == 0 && i < parameters->n_items; i++)
		answer = add_values(file, parameters->items[i], plugin, selected);
	return answer;
}

int file_workload(struct file *file, const struct yaml_node *node)
{
	if (node->kind == YAML_LIST)
		return file_wrong(file, node->place,
				  "'workload' is one, write 'workloads' for a list");
	return add_workload(file, node);
}

int file_workloads(struct file *file, const struct yaml_node *node)
{
	if (file->experiment->n_selected > 0)
		return file_wrong(file, node->key_place,
				  "both 'workload' and 'workloads', keep one");
	if (node->kind != YAML_LIST || node->n_items == 0)
		return file_wrong_kind(file, node, "a list of workloads ('- name' lines)");
	int answer = 0;
	for (size_t i = 0; answer == 0 && i < node->n_items; i++)
		answer = add_workload(file, node->items[i]);
	return answer;
}
