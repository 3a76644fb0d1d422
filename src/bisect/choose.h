/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The commit to measure next, and how often: what tells most for its cost. */
#pragma once

#include "bisect/state.h"

struct choice {
	uint32_t commit;
	size_t n_units;
	double bits, cost; /* Expected; in the options' unit. */
};

struct choice choose_next(const struct bisect *bisect);

/* Cost of so many units of a commit in one boot. */
double choose_cost(const struct bisect *bisect, uint32_t commit, size_t n_units);

/* How many units of one boot are worth while when a commit has to be measured anyway. */
size_t choose_batch(const struct bisect *bisect);
