/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the readers of JSON files share: the text to a document, and members that must be there. */
#pragma once

#include "base/error.h"
#include "record/value.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* -EINVAL with file, line and column when it is no JSON. The caller owns the document. */
int json_text_parse(const char *bytes, size_t length, const char *path, json_t **ret_document,
		    struct error *err);

/* A number, or null for a missing one. False for everything else. */
bool json_text_value(const json_t *json, struct value *ret_value);

/* The first character that is no blank is `bracket`. */
bool json_text_begins(const char *bytes, size_t length, char bracket);

/* The text holds the member's name in quotes, somewhere. */
bool json_text_names(const char *bytes, size_t length, const char *name);

/* "a text", "an object": for messages. */
const char *json_text_kind(const json_t *json);

static inline void auto_release_json_document(json_t **json)
{
	json_decref(*json);
}
