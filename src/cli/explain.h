/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `assay compare --explain GUARD`: what a guard looks at, and what it saw in a comparison. */
#pragma once

#include "base/error.h"
#include "cli/options.h"
#include "verdict/guard.h"

#include <stdbool.h>
#include <stddef.h>

/* The guard that --explain asks for, NULL when it was not given. -EINVAL, with the nearest name, when
 * there is no such guard. */
int explain_asked(const struct parsed *parsed, const struct guard **ret_guard, struct error *err);

/* Whether the answer is JSON: --json, or --format json. -EINVAL for a format that guards have none of. */
int explain_wants_json(const struct parsed *parsed, bool *ret_json, struct error *err);

/* Prints the guard's paragraph and, below it, what it saw in each comparison. An exit code. */
int explain_print(const struct guard *guard, const struct comparison *const *comparisons, size_t n);

/* The same as a JSON document. An exit code. */
int explain_json(const struct guard *guard, const struct comparison *const *comparisons, size_t n);

#define OPTION_EXPLAIN                                                                             \
	{                                                                                          \
		.name = "explain", .value = "GUARD", .words = "guard",                             \
		.what = "tell what a guard looks at and, of sides, what it saw"                    \
	}
