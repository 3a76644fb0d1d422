/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a score is undecided, in words, and what would decide it. */
#pragma once

#include "verdict/comparison.h"
#include "verdict/measure.h"

#include <stdbool.h>

/* Fills reason and runs_wanted of an undecided finding, and warns about what more runs do not cure.
 * `known`: both sides have a value, so that the question's pair holds. */
void undecided_explain(struct comparison *comparison, const struct question *question, bool known,
		       struct finding *finding);

/* Says which scores are missing in some runs, since those thin a side out silently. */
void undecided_warn_gaps(struct comparison *comparison);
