/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON arrays of numbers:
 *
 *     [1.5, 1.6, 1.4]                            one series
 *     [[1.5, 1.6], [1.7, 1.8]]                   two
 *     {"base": [1.5, 1.6], "head": [1.7, 1.8]}   two, with names (an LKP matrix is such a file)
 *     {"base": {"time": [...]}, "head": {...}}   sides with several measures each
 *
 * null is a missing value. Members that are no arrays of numbers are left out.
 */
#include "base/macros.h"
#include "base/mem.h"
#include "intake/format.h"
#include "intake/json_text.h"

#include <errno.h>

struct place {             /* Where in the file; for messages. */
	const char *group; /* NULL at the top. */
	const char *name;
};

static int complain(const struct intake_document *document, const struct place *place, size_t index,
		    const json_t *json, struct error *err)
{
	return error_set(err, EINVAL, "%s: %.60s%s%.60s[%zu] is %s, not a number", document->path,
			 place->group ? place->group : "", place->group ? "." : "", place->name,
			 index, json_text_kind(json));
}

static int add_array(const json_t *array, const struct place *place,
		     struct intake_document *document, struct error *err)
{
	struct intake_series *series;
	int failed = intake_series_at(document, place->name, "1", place->group, &series, err);
	for (size_t i = 0; i < json_array_size(array) && !failed; i++) {
		const json_t *item = json_array_get(array, i);
		struct value value;
		if (!json_text_value(item, &value))
			return complain(document, place, i, item, err);
		failed = intake_add(document, series, value, 0, err);
	}
	return failed;
}

static bool begins_with_number(const json_t *json)
{
	const json_t *first = json_array_get(json, 0);
	return json_is_number(first) || json_is_null(first);
}

static int add_members(json_t *object, const char *group, struct intake_document *document,
		       struct error *err)
{
	const char *key;
	json_t *member;
	int failed = 0;
	json_object_foreach(object, key, member)
	{
		const struct place place = { .group = group, .name = key };
		if (json_is_array(member) && begins_with_number(member))
			failed = add_array(member, &place, document, err);
		else if (json_is_object(member) && !group)
			failed = add_members(member, key, document, err);
		if (failed)
			return failed;
	}
	return 0;
}

static int add_items(const json_t *array, struct intake_document *document, struct error *err)
{
	if (!json_is_array(json_array_get(array, 0))) {
		const struct place whole = { .name = "value" };
		return add_array(array, &whole, document, err);
	}
	int failed = 0;
	for (size_t i = 0; i < json_array_size(array) && !failed; i++) {
		const json_t *item = json_array_get(array, i);
		AUTO(text) char *name = mem_format("%zu", i + 1);
		const struct place place = { .name = name };
		if (!json_is_array(item))
			return error_set(err, EINVAL, "%s: [%zu] is %s, not an array of numbers",
					 document->path, i, json_text_kind(item));
		failed = add_array(item, &place, document, err);
	}
	return failed;
}

static int parse(const char *bytes, size_t length, const struct intake_options *options,
		 struct intake_document *document, struct error *err)
{
	__attribute__((cleanup(auto_release_json_document))) json_t *root = NULL;
	const int failed = json_text_parse(bytes, length, document->path, &root, err);
	if (failed)
		return failed;
	return json_is_array(root) ? add_items(root, document, err)
				   : add_members(root, /* group= */ NULL, document, err);
}

static bool sniff(const char *bytes, size_t length)
{
	return json_text_begins(bytes, length, '[') || json_text_begins(bytes, length, '{');
}

const struct intake_format intake_json = {
	.name = "json",
	.what = "JSON arrays: [..], [[..],[..]] or {\"base\":[..],\"head\":[..]}",
	.holds_sides = "value",
	.sniff = sniff,
	.parse = parse,
};
