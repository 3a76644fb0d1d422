/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which way scores of other programs are good: the table data/directions.yaml, a list of patterns with
 * unit, direction and meaning. What stands in no line stays unknown.
 */
#pragma once

#include "base/auto.h"
#include "base/error.h"
#include "record/metric.h"

#include <stddef.h>

#define DIRECTIONS_MAX 1000

struct directions {
	struct metric *rows; /* Their names are patterns; owned with their strings. */
	size_t n;
};

/* -EINVAL with "<file>:<line>:<column>: ..." in err. */
int directions_parse(const char *text, size_t length, const char *path,
		     struct directions **ret_directions, struct error *err);
void directions_free(struct directions *directions); /* NULL is allowed. */

/* The first row whose pattern fits the whole name, or NULL. */
const struct metric *directions_find(const struct directions *directions, const char *name);

DEFINE_AUTO(directions, struct directions *, directions_free);
