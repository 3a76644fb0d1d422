/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pointers into JSON documents. See pointer.h. */
#include "intake/pointer.h"

#include "base/auto.h"
#include "base/mem.h"
#include "base/text.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char star[] = "*";

/* The first part of a pointer, without its escapes. New string; *at moves behind it. */
static char *take_part(const char **at)
{
	assert(**at == '/');
	const char *begin = *at + 1;
	const size_t length = strcspn(begin, "/");
	char *part = mem_text_n(begin, length);
	char *to = part;
	for (const char *from = part; *from; from++) {
		const bool escaped = from[0] == '~' && (from[1] == '0' || from[1] == '1');
		*to++ = escaped ? (char)(from[1] == '1' ? '/' : '~') : *from;
		from += escaped;
	}
	*to = '\0';
	*at = begin + length;
	return part;
}

int pointer_check(const char *pointer, bool may_star, struct error *err)
{
	size_t stars = 0;
	if (*pointer && *pointer != '/')
		return error_set(err, EINVAL, "'%s' is no JSON pointer such as /jobs/0/read/iops",
				 pointer);
	for (const char *at = pointer; *at;) {
		AUTO(text) char *part = take_part(&at);
		stars += strcmp(part, star) == 0;
	}
	if (stars > (may_star ? 1U : 0U))
		return error_set(err, EINVAL, "'%s' has %s", pointer,
				 may_star ? "more than one part '*'"
					  : "a part '*', which stands "
					    "only in the score's own");
	for (const char *at = pointer; (at = strchr(at, '~')); at++)
		if (at[1] != '0' && at[1] != '1')
			return error_set(err, EINVAL, "'%s': a '~' is written ~0", pointer);
	return 0;
}

bool pointer_has_star(const char *pointer)
{
	for (const char *at = pointer; *at;) {
		AUTO(text) char *part = take_part(&at);
		if (strcmp(part, star) == 0)
			return true;
	}
	return false;
}

static const json_t *step(const json_t *from, const char *part)
{
	uint64_t index;
	if (json_is_object(from))
		return json_object_get(from, part);
	if (json_is_array(from) && text_parse_u64(part, &index))
		return json_array_get(from, (size_t)index);
	return NULL;
}

const json_t *pointer_find(const json_t *document, const char *pointer)
{
	const json_t *found = document;
	for (const char *at = pointer; *at && found;) {
		AUTO(text) char *part = take_part(&at);
		found = step(found, part);
	}
	return found;
}

static void take_members(const json_t *of, const char *rest,
			 void (*take)(const struct pointer_hit *hit, void *user), void *user)
{
	/* jansson's iterators want a document that could be changed; it is not. */
	json_t *object = json_is_object(of) ? (json_t *)(uintptr_t)of : NULL;
	for (void *at = object ? json_object_iter(object) : NULL; at;
	     at = json_object_iter_next(object, at)) {
		const json_t *element = json_object_iter_value(at);
		take(&(struct pointer_hit) { .value = pointer_find(element, rest),
					     .element = element,
					     .key = json_object_iter_key(at) },
		     user);
	}
	for (size_t i = 0; json_is_array(of) && i < json_array_size(of); i++) {
		const json_t *element = json_array_get(of, i);
		take(&(struct pointer_hit) { .value = pointer_find(element, rest),
					     .element = element,
					     .index = i },
		     user);
	}
}

bool pointer_each(const json_t *document, const char *pointer,
		  void (*take)(const struct pointer_hit *hit, void *user), void *user)
{
	const json_t *from = document;
	for (const char *at = pointer; *at;) {
		AUTO(text) char *part = take_part(&at);
		if (strcmp(part, star) == 0) {
			take_members(from, at, take, user);
			return json_is_object(from) || json_is_array(from);
		}
		from = step(from, part);
		if (!from)
			return false;
	}
	take(&(struct pointer_hit) { .value = from }, user);
	return true;
}
