/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON pointers (RFC 6901): "/jobs/0/read/iops", with "~1" for a '/' and "~0" for a '~' in a name.
 * One part may be '*', which stands for each member of an object or each item of an array.
 */
#pragma once

#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct pointer_hit {
	const json_t *value;   /* NULL: this member has nothing there. */
	const json_t *element; /* What the '*' stands for; NULL without one. */
	const char *key;       /* Its name in an object, or NULL. */
	size_t index;          /* Its number in an array. */
};

/* -EINVAL: not a pointer, or two stars; without a star when `may_star` is false. */
int pointer_check(const char *pointer, bool may_star, struct error *err);

bool pointer_has_star(const char *pointer);

/* NULL when there is nothing. Without a star. Borrowed from the document. */
const json_t *pointer_find(const json_t *document, const char *pointer);

/* Calls for each thing that the pointer means; once without a star. False when what stands in front
 * of the star is not there. */
bool pointer_each(const json_t *document, const char *pointer,
		  void (*take)(const struct pointer_hit *hit, void *user), void *user);
