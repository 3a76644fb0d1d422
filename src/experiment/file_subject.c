/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The subjects of an experiment file with their settings. See file.h. */
#include "base/text.h"
#include "experiment/build.h"
#include "experiment/check.h"
#include "experiment/file.h"

#include <string.h>

static bool kind_has_key(enum setting_kind kind)
{
	return kind == SETTING_SYSCTL || kind == SETTING_SYSFS || kind == SETTING_ENV ||
	       kind == SETTING_PARAM || kind == SETTING_CGROUP;
}

static int add_setting(struct file *file, struct subject *subject, enum setting_kind kind,
		       const struct yaml_node *node)
{
	const bool has_key = kind_has_key(kind);
	const char *key = has_key ? node->key : "";
	if (node->kind != YAML_WORD || yaml_is_empty(node))
		return file_wrong_kind(file, node, "a value");
	const char *value = node->text;
	if (check_setting_key(kind, key, file->err) < 0)
		return file_at(file, node->key_place);
	if (check_setting_value(kind, value, file->err) < 0)
		return file_at(file, node->place);
	build_setting(subject, kind, key, value);
	if (kind == SETTING_PARAM && check_param(file->experiment, subject, subject->n_settings - 1,
						 file->catalogue, file->err) < 0)
		return file_at(file, node->key_place);
	return 0;
}

/* `idle: [C1, C1E]` is the same as `idle: C1,C1E`. */
static int add_idle_list(struct file *file, struct subject *subject, const struct yaml_node *node)
{
	struct text states AUTO(text_buffer) = { 0 };
	for (size_t i = 0; i < node->n_items; i++) {
		const char *word = NULL;
		const int answer = file_word(file, node->items[i], &word);
		if (answer < 0)
			return answer;
		text_add(&states, "%s%s", i > 0 ? "," : "", word);
	}
	if (check_setting_value(SETTING_IDLE, text_string(&states), file->err) < 0)
		return file_at(file, node->place);
	build_setting(subject, SETTING_IDLE, "", text_string(&states));
	return 0;
}

static int unknown_kind(const struct file *file, const struct yaml_node *node)
{
	const char *kinds[SETTING_KIND_COUNT];
	const size_t n = check_setting_kinds(kinds);
	if (strchr(node->key, '.'))
		return file_wrong(file, node->key_place,
				  "unknown setting '%s', write 'sysctl: {%s: VALUE}' for a sysctl",
				  node->key, node->key);
	return file_unknown(file, node, "setting", kinds, n);
}

static int add_kind(struct file *file, struct subject *subject, const struct yaml_node *node)
{
	const enum setting_kind kind = setting_kind_find(node->key);
	if (kind == SETTING_KIND_COUNT)
		return unknown_kind(file, node);
	if (kind == SETTING_IDLE && node->kind == YAML_LIST)
		return add_idle_list(file, subject, node);
	if (!kind_has_key(kind))
		return add_setting(file, subject, kind, node);
	if (node->kind != YAML_MAP || node->n_items == 0)
		return file_wrong_kind(file, node, "settings (name: value)");
	int answer = 0;
	for (size_t i = 0; answer == 0 && i < node->n_items; i++)
		answer = add_setting(file, subject, kind, node->items[i]);
	return answer;
}

static int add_subject(struct file *file, const struct yaml_node *node)
{
	if (check_name("subject", node->key, file->err) < 0)
		return file_at(file, node->key_place);
	if (file->experiment->n_subjects == EXPERIMENT_SUBJECTS_MAX)
		return file_wrong(file, node->key_place, "more than %d subjects",
				  EXPERIMENT_SUBJECTS_MAX);
	struct subject *subject = build_subject(file->experiment, node->key);
	if (yaml_is_empty(node))
		return 0;
	if (node->kind != YAML_MAP)
		return file_wrong_kind(file, node,
				       "settings (sysctl:, sysfs:, env:, ...) or nothing");
	int answer = 0;
	for (size_t i = 0; answer == 0 && i < node->n_items; i++)
		answer = add_kind(file, subject, node->items[i]);
	if (answer == 0 &&
	    check_subject(file->experiment, file->experiment->n_subjects - 1, file->err) < 0)
		answer = file_at(file, node->key_place);
	return answer;
}

int file_subjects(struct file *file, const struct yaml_node *node)
{
	if (node->kind != YAML_MAP || node->n_items == 0)
		return file_wrong_kind(file, node, "subjects ('base:' and 'head:' below it)");
	int answer = 0;
	for (size_t i = 0; answer == 0 && i < node->n_items; i++)
		answer = add_subject(file, node->items[i]);
	return answer;
}
