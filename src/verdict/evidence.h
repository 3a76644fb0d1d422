/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Evidence: what the monitors read. Hundreds to thousands of metrics are measured at once, by the
 * moderated t test, because the permutation test of few runs could not give a p that stands beside
 * so many.
 */
#pragma once

#include "verdict/comparison.h"

/* Change, interval and p of every row that is evidence or cost, on every head. */
void evidence_measure(struct comparison *comparison);
