/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Regular expressions (PCRE2) on foreign text: line by line, with a bounded number of steps, so that
 * no expression can hang the program. The value is the group named `value`, else the one group there
 * is; groups named `row` and `unit` say which row it is of and in what unit it is printed.
 */
#pragma once

#include "base/auto.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PATTERN_BYTES_MAX 1000
#define PATTERN_LINE_BYTES_MAX 8192 /* Of a line that is looked at; longer ones are passed over. */
#define PATTERN_STEPS 20000000      /* Of one reading, over all its expressions. */

struct pattern;

struct pattern_part { /* Of the line; NULL when the group took no part. */
	const char *at;
	size_t length;
};

struct pattern_match {
	struct pattern_part value, row, unit;
};

/* -EINVAL: no expression, with the column in it. `wants_value`: one group must be the value's. */
int pattern_compile(const char *expression, bool wants_value, struct pattern **ret_pattern,
		    struct error *err);
void pattern_free(struct pattern *pattern); /* NULL is allowed. */

bool pattern_has_row(const struct pattern *pattern);
bool pattern_has_unit(const struct pattern *pattern);

/* 1: matched; 0: did not; -ELOOP: the steps are spent. `match` may be NULL. The match borrows the line. */
int pattern_match(const struct pattern *pattern, const char *line, size_t length, uint64_t *steps,
		  struct pattern_match *match);

DEFINE_AUTO(pattern, struct pattern *, pattern_free);
