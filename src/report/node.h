/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The smaller parts of the JSON report: numbers and texts that may be missing, a metric with its
 * cells and findings, a mark, a scalability. For json.c only.
 */
#pragma once

#include "verdict/comparison.h"
#include "verdict/sweep.h"

#include <jansson.h>
#include <stddef.h>

/* jansson refuses NaN and infinity: null. Text that is not UTF-8 is named as such; NULL is null. */
json_t *node_number(double number);
json_t *node_text(const char *text);

void node_set(json_t *object, const char *key, json_t *value); /* Takes the value. */
void node_set_count(json_t *object, const char *key, size_t count);
void node_append(json_t *array, json_t *value); /* Takes the value. */

json_t *node_cell(const struct cell *cell);
json_t *node_mark(const struct mark *mark);
json_t *node_scaling(const struct scaling *scaling);
json_t *node_metric(const struct comparison *comparison, const struct row *row);
