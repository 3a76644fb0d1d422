/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a person said beforehand: which direction is good, and what to expect of a metric. */
#pragma once

#include "verdict/comparison.h"

/* Overrides directions and attaches marks, by the comparison's options. */
void told_apply(struct comparison *comparison);

/* Whether somebody said of this row, or of the whole comparison, that a change of this size is
 * expected; or that it is invalid. The mark, or NULL. */
const struct mark *told_expected(const struct comparison *comparison, const struct row *row,
				 double change);
const struct mark *told_invalid(const struct comparison *comparison, const struct row *row);
