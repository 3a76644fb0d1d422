/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pieces of an experiment said on the command line. A refusal names the piece and the column in it,
 * counted from 1 in bytes. */
#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "experiment/build.h"
#include "experiment/check.h"
#include "experiment/experiment.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <string.h>

struct piece { /* One part of a list with commas, "\," undone. */
	char *text;
	size_t offset; /* Of its first byte in the whole. */
};

struct pieces {
	struct piece *items;
	size_t n;
	size_t capacity;
};

static inline void auto_release_pieces(struct pieces *pieces)
{
	for (size_t i = 0; i < pieces->n; i++)
		free(pieces->items[i].text);
	free(pieces->items);
}

static void add_piece(struct pieces *pieces, struct text *text, size_t offset)
{
	pieces->items =
		mem_grow(pieces->items, &pieces->capacity, pieces->n + 1, sizeof(*pieces->items));
	pieces->items[pieces->n++] = (struct piece) { .text = text_take(text), .offset = offset };
}

/* From `offset` to the end of `whole`; at least one piece. */
static void split(const char *whole, size_t offset, struct pieces *pieces)
{
	struct text text AUTO(text_buffer) = { 0 };
	const char *at = whole + offset;
	for (; *at; at++) {
		if (*at == ',') {
			add_piece(pieces, &text, offset);
			offset = (size_t)(at - whole) + 1;
			continue;
		}
		if (at[0] == '\\' && at[1] == ',')
			at++;
		text_add_bytes(&text, at, 1);
	}
	add_piece(pieces, &text, offset);
}

/* Puts the piece and the column in front of the sentence that is there already. Words may hold
 * control characters; a message is one line for a terminal. */
static int at_column(const char *what, const char *whole, size_t offset, struct error *err)
{
	const int answer = error_at(err, "%s '%s', column %zu", what, whole, offset + 1);
	for (char *character = err->text; *character; character++)
		if (iscntrl((unsigned char)*character))
			*character = '?';
	return answer;
}

/* ---- workloads and parameters ---- */

int experiment_add_workload(struct experiment *experiment, const char *name,
			    const struct catalogue *catalogue, struct error *err)
{
	const struct plugin *plugin = NULL;
	const int answer = check_workload(name, catalogue, &plugin, err);
	if (answer < 0)
		return answer;
	for (size_t i = 0; i < experiment->n_selected; i++)
		if (text_equal(experiment->selected[i].workload, plugin->name))
			return error_set(err, EINVAL, "workload '%s' is named twice", plugin->name);
	build_selected(experiment, plugin->name);
	return 0;
}

/* All that is between the commas, for one workload's parameter. *ret_offset is where the fault is.
 */
static int check_pieces(const struct parameter *parameter, const struct pieces *pieces,
			size_t *ret_offset, struct error *err)
{
	for (size_t i = 0; i < pieces->n; i++) {
		const struct piece *piece = &pieces->items[i];
		unsigned column = 0;
		*ret_offset = piece->offset;
		if (!*piece->text)
			return error_set(err, EINVAL, "'%s' has no value here", parameter->name);
		const int answer = check_value(parameter, piece->text, &column, err);
		*ret_offset += column;
		if (answer < 0)
			return answer;
		for (size_t j = 0; j < i; j++)
			if (text_equal(pieces->items[j].text, piece->text))
				return error_set(err, EINVAL, "the value '%s' is listed twice",
						 piece->text);
	}
	return 0;
}

static int check_new_parameter(const struct selected *selected, const char *name,
			       const struct catalogue *catalogue,
			       const struct parameter **ret_parameter, struct error *err)
{
	const struct plugin *plugin = NULL;
	int answer = check_workload(selected->workload, catalogue, &plugin, err);
	if (answer == 0)
		answer = check_parameter(plugin, name, ret_parameter, err);
	for (size_t i = 0; answer == 0 && i < selected->n_values; i++)
		if (text_equal(selected->values[i].name, (*ret_parameter)->name))
			answer = error_set(err, EINVAL, "the parameter '%s' is given twice",
					   (*ret_parameter)->name);
	return answer;
}

int experiment_add_parameter(struct experiment *experiment, const char *text,
			     const struct catalogue *catalogue, struct error *err)
{
	struct error own = { 0 };
	struct error *why = err ? err : &own;
	struct pieces pieces AUTO(pieces) = { 0 };
	const char *equals = strchr(text, '=');
	if (!equals) {
		(void)error_set(why, EINVAL, "write NAME=VALUE[,VALUE...]"); /* See below. */
		return at_column("parameter", text, strlen(text), why);
	}
	AUTO(text) char *name = mem_text_n(text, (size_t)(equals - text));
	split(text, (size_t)(equals - text) + 1, &pieces);
	if (experiment->n_selected == 0)
		return error_set(why, EINVAL, "parameter '%s' without a workload before it", text);
	for (size_t i = 0; i < experiment->n_selected; i++) {
		const struct parameter *parameter = NULL;
		size_t offset = 0;
		int answer = check_new_parameter(&experiment->selected[i], name, catalogue,
						 &parameter, why);
		if (answer == 0)
			answer = check_pieces(parameter, &pieces, &offset, why);
		if (answer < 0)
			return at_column("parameter", text, offset, why);
	}
	for (size_t i = 0; i < experiment->n_selected; i++) {
		const struct plugin *plugin =
			catalogue_workload_find(catalogue, experiment->selected[i].workload);
		struct values *values = build_values(&experiment->selected[i],
						     plugin_parameter_find(plugin, name)->name);
		for (size_t j = 0; j < pieces.n; j++)
			build_text(values, pieces.items[j].text);
	}
	return 0;
}

/* ---- subjects ---- */

/* Kinds written KIND.KEY=VALUE. `kernel` is no such kind, so that kernel.numa_balancing is the
 * sysctl that everybody means. */
static const enum setting_kind keyed[] = { SETTING_SYSCTL, SETTING_SYSFS, SETTING_ENV,
					   SETTING_PARAM, SETTING_CGROUP };

static bool is_keyed(enum setting_kind kind)
{
	for (size_t i = 0; i < ARRAY_SIZE(keyed); i++)
		if (keyed[i] == kind)
			return true;
	return false;
}

/* The left side has no dot. */
static int find_plain_kind(const char *left, enum setting_kind *ret_kind, struct error *err)
{
	const char *words[SETTING_KIND_COUNT];
	const size_t n = check_setting_kinds(words);
	const enum setting_kind kind = setting_kind_find(left);
	if (kind == SETTING_KIND_COUNT)
		return check_unknown("setting", left, words, n, err);
	if (is_keyed(kind))
		return error_set(err, EINVAL, "'%s' needs a key, write %s.KEY=VALUE", left, left);
	*ret_kind = kind;
	return 0;
}

/* The left side has a dot behind `first`: KIND.KEY, or the name of a sysctl. */
static int find_dotted_kind(const char *first, enum setting_kind *ret_kind, bool *ret_is_sysctl,
			    struct error *err)
{
	const char *words[ARRAY_SIZE(keyed)];
	for (size_t i = 0; i < ARRAY_SIZE(keyed); i++)
		words[i] = setting_kind_text(keyed[i]);
	const enum setting_kind kind = setting_kind_find(first);
	const bool is_kind = kind != SETTING_KIND_COUNT && is_keyed(kind);
	if (!is_kind && kind != SETTING_KIND_COUNT && kind != SETTING_KERNEL)
		return error_set(err, EINVAL, "'%s' has no key, write %s=VALUE", first, first);
	/* A slip of the pen must not become a sysctl of a name that no kernel has. */
	if (!is_kind && text_nearest(first, words, ARRAY_SIZE(words)))
		return check_unknown("setting", first, words, ARRAY_SIZE(words), err);
	*ret_is_sysctl = !is_kind;
	*ret_kind = is_kind ? kind : SETTING_SYSCTL;
	return 0;
}

/* "KIND.KEY=VALUE" as split; *ret_offset is where in the piece the fault is. */
static int add_setting(struct subject *subject, const char *piece, size_t *ret_offset,
		       struct error *err)
{
	const char *equals = strchr(piece, '=');
	*ret_offset = 0;
	if (!equals)
		return error_set(err, EINVAL,
				 "'%s' is no KIND.KEY=VALUE (a comma inside a value is written "
				 "'\\,')",
				 piece);
	const char *value = equals + 1;
	AUTO(text) char *left = mem_text_n(piece, (size_t)(equals - piece));
	char *dot = strchr(left, '.');
	AUTO(text) char *first = mem_text_n(left, dot ? (size_t)(dot - left) : strlen(left));
	enum setting_kind kind = SETTING_KIND_COUNT;
	bool is_sysctl = false;
	int answer = dot ? find_dotted_kind(first, &kind, &is_sysctl, err)
			 : find_plain_kind(first, &kind, err);
	if (answer < 0)
		return answer;
	const char *key = !dot ? "" : is_sysctl ? left : dot + 1;
	*ret_offset = dot && !is_sysctl ? (size_t)(dot + 1 - left) : 0;
	answer = check_setting_key(kind, key, err);
	if (answer < 0)
		return answer;
	*ret_offset = (size_t)(value - piece);
	answer = check_setting_value(kind, value, err);
	if (answer < 0)
		return answer;
	build_setting(subject, kind, key, value);
	return 0;
}

static int add_settings(struct experiment *experiment, const char *whole, size_t offset,
			struct error *err)
{
	struct pieces pieces AUTO(pieces) = { 0 };
	const size_t index = experiment->n_subjects - 1;
	split(whole, offset, &pieces);
	for (size_t i = 0; i < pieces.n; i++) {
		size_t inside = 0;
		if (add_setting(&experiment->subjects[index], pieces.items[i].text, &inside, err) <
		    0)
			return at_column("subject", whole, pieces.items[i].offset + inside, err);
		if (check_subject(experiment, index, err) < 0)
			return at_column("subject", whole, pieces.items[i].offset, err);
	}
	return 0;
}

static int check_new_subject(const struct experiment *experiment, const char *name,
			     struct error *err)
{
	const int answer = check_name("subject", name, err);
	if (answer < 0)
		return answer;
	if (experiment->n_subjects >= EXPERIMENT_SUBJECTS_MAX)
		return error_set(err, EINVAL, "more than %d subjects", EXPERIMENT_SUBJECTS_MAX);
	for (size_t i = 0; i < experiment->n_subjects; i++)
		if (text_equal(experiment->subjects[i].name, name))
			return error_set(err, EINVAL, "two subjects are named '%s'", name);
	return 0;
}

int experiment_add_subject(struct experiment *experiment, const char *text, struct error *err)
{
	struct error own = { 0 };
	struct error *why = err ? err : &own;
	const char *colon = strchr(text, ':');
	AUTO(text)
	char *name = mem_text_n(text, colon ? (size_t)(colon - text) : strlen(text));
	if (check_new_subject(experiment, name, why) < 0)
		return at_column("subject", text, 0, why);
	build_subject(experiment, name);
	if (!colon)
		return 0;
	const int answer = add_settings(experiment, text, (size_t)(colon - text) + 1, why);
	if (answer < 0)
		build_drop_subject(experiment);
	return answer;
}
