/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What moved among the monitors, as people read it: metrics that move together are one line, led by
 * the most surprising of them, and the lines are ranked by surprise (the smallest p first).
 */
#pragma once

#include "base/auto.h"
#include "verdict/comparison.h"

#include <stdbool.h>
#include <stddef.h>

struct evidence_group { /* One cause, as far as the numbers can tell. */
	size_t first;   /* Into `rows`: its leader. */
	size_t n;
};

struct evidence {
	size_t *rows; /* Indices of the comparison's rows that moved, each group's together. */
	struct evidence_group *groups;
	size_t n_groups;
	size_t n_moved, n_unmoved;
	size_t n_one_sided; /* Have values on one side only. */
	size_t n_not_judged;
};

/* Of one head; side 0: what moved on any of them (n_one_sided is 0 then). */
struct evidence *evidence_make(const struct comparison *comparison, size_t side);
void evidence_free(struct evidence *evidence);

/* Did the row move on that side; side 0: on any? */
bool evidence_has_moved(const struct comparison *comparison, const struct row *row, size_t side);

DEFINE_AUTO(evidence, struct evidence *, evidence_free);
