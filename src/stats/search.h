/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which shifts does the test of clipped values not reject? Residuals and their robust deviation are
 * found anew for each shift, so that the ends have no formula: they are searched, and the end given is
 * on the rejected side, by less than half a per cent of its distance from the estimate: a little too
 * far out rather than too near.
 */
#pragma once

#include "stats/layout.h"

#include <stdint.h>

/* `estimate` is taken as not rejected, `step` > 0 is a first guess of how far the ends are from it.
 * -INFINITY, INFINITY where no shift is rejected. */
void search_interval(const struct layout *layout, double estimate, double step, double alpha,
		     uint64_t seed, double ret_interval[static 2]);
