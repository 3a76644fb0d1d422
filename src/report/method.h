/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which tests the verdicts of a report rest on, and what each of them asks and assumes, in words. */
#pragma once

#include "verdict/comparison.h"

#include <stddef.h>

#define METHOD_NAMES_MAX 8

/* The distinct methods of the findings of a role over `n` comparisons, in the order in which they
 * are met; how many. */
size_t method_names(const struct comparison *const *comparisons, size_t n, enum metric_role role,
		    const char *ret_names[static METHOD_NAMES_MAX]);

/* The same as "block permutation, moderated t"; "none" when nothing was tested. New string. */
char *method_text(const struct comparison *const *comparisons, size_t n, enum metric_role role);

/* A sentence about a method; NULL for an unknown name. Static. */
const char *method_explain(const char *name);

/* How p values of scores and of evidence are adjusted over their family: looks of a running campaign
 * need levels that are fixed beforehand. Static. */
const char *method_adjustment(const struct comparison *comparison, enum metric_role role);

/* How many p values share the budget: those that were tested, or their number as it was fixed before
 * the first look. */
size_t method_family_size(const struct comparison *comparison, enum metric_role role);
