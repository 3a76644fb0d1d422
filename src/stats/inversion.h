/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which shifts does the test of aligned ranks not reject? After a shift is taken off the head's values
 * the medians of the blocks, and with them all ranks, are found anew. The p value changes only where
 * two aligned values meet: at the differences within the blocks, and between them where two runs of
 * different blocks pass each other.
 */
#pragma once

#include "base/auto.h"
#include "base/macros.h"
#include "stats/layout.h"

struct inversion;

/* `differences`: head - base within the blocks, ascending, n > 0. The estimate is taken as not
 * rejected. Borrows both. What was found at one level serves the next one. */
struct inversion *inversion_new(const struct layout *layout, const double *differences, size_t n,
				double estimate, uint64_t seed) NODISCARD;
void inversion_free(struct inversion *inversion);
DEFINE_AUTO(inversion, struct inversion *, inversion_free);

/* The interval around the shifts whose p is above alpha. -INFINITY, INFINITY where none is
 * rejected. */
void inversion_find(struct inversion *inversion, double alpha, double *ret_low, double *ret_high);
