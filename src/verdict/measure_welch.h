/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tests that others use, for those who ask for them; measure.h has ours. */
#pragma once

#include "verdict/comparison.h"
#include "verdict/pair.h"

/* Welch's t test on the values as they are, with Fieller's interval of the ratio of the means. Two
 * values a side, not all constant. */
void measure_by_welch(const struct row *row, size_t side, double alpha, struct finding *finding);

/* Mann and Whitney's test; blocks are not looked at. */
void measure_by_mann_whitney(const struct pair *pair, double alpha, uint64_t seed,
			     struct finding *finding);
