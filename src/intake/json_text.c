/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON from elsewhere. See json_text.h. */
#include "intake/json_text.h"

#include "base/auto.h"
#include "base/mem.h"

#include <errno.h>
#include <string.h>

int json_text_parse(const char *bytes, size_t length, const char *path, json_t **ret_document,
		    struct error *err)
{
	json_error_t wrong;
	const size_t mark = length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
	/* Whole numbers beyond 64 bits are numbers too. */
	json_t *document = json_loadb(bytes + mark, length - mark,
				      JSON_DECODE_INT_AS_REAL | JSON_REJECT_DUPLICATES, &wrong);
	if (!document && json_error_code(&wrong) == json_error_duplicate_key)
		return error_set(
			err, EINVAL,
			"%s:%d: two members of one object have the same name: %s; which one is "
			"meant?",
			path, wrong.line, wrong.text);
	if (!document)
		return error_set(err, EINVAL, "%s:%d: no JSON in column %d: %s", path, wrong.line,
				 wrong.column, wrong.text);
	*ret_document = document;
	return 0;
}

bool json_text_value(const json_t *json, struct value *ret_value)
{
	if (json_is_null(json))
		*ret_value = value_missing(MISSING_ABSENT);
	else if (json_is_number(json))
		*ret_value = value_known(json_number_value(json));
	else
		return false;
	return true;
}

bool json_text_begins(const char *bytes, size_t length, char bracket)
{
	const size_t mark = length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
	for (size_t i = mark; i < length; i++)
		if (!strchr(" \t\r\n", bytes[i]) || !bytes[i])
			return bytes[i] == bracket;
	return false;
}

bool json_text_names(const char *bytes, size_t length, const char *name)
{
	AUTO(text) char *quoted = mem_format("\"%s\"", name);
	return memmem(bytes, length, quoted, strlen(quoted)) != NULL;
}

const char *json_text_kind(const json_t *json)
{
	switch (json_typeof(json)) {
	case JSON_OBJECT:
		return "an object";
	case JSON_ARRAY:
		return "an array";
	case JSON_STRING:
		return "a text";
	case JSON_INTEGER:
	case JSON_REAL:
		return "a number";
	case JSON_TRUE:
	case JSON_FALSE:
		return "true or false";
	case JSON_NULL:
		return "null";
	}
	return "nothing";
}
