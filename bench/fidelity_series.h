/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A series of pairs of one case, by the rule: random blocks of 2 + 2 until the 95 % interval of the ratio
 * of geometric means is narrower than +-3 % and lies inside 0.95-1.05 or outside of it, or the most
 * pairs are done.
 */
#pragma once

#include "base/random.h"
#include "fidelity_run.h"

#include <stdint.h>

#define FIDELITY_PAIRS_MAX 200
#define FIDELITY_PAIRS_MIN 8

struct fidelity_series {
	uint64_t pairs_max;
	struct random *random;
	double seconds_left; /* Of the cases behind this one, for the progress. */
};

/* Measures and prints the row. */
void fidelity_measure(const struct fidelity_series *series, struct fidelity_case *at);
