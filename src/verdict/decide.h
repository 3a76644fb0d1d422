/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From measured values to verdicts. The scores are measured here, because the test that a score gets
 * depends on how many share the budget; evidence was measured before.
 */
#pragma once

#include "verdict/comparison.h"

/* Measures the scores, adjusts p over all the comparisons given, as one family of scores and one of
 * evidence, and gives each finding its verdict. Warns about scores that cannot be judged. */
void decide_all(struct comparison *const *comparisons, size_t n);
