/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From two cells to a verdict, in two steps, because p values are adjusted over all of them
 * between the steps.
 */
#pragma once

#include "verdict/comparison.h"

/* Change, interval and p of every row and side. Warns about scores that cannot be tested. */
void judge_measure(struct comparison *comparison);

/* Adjusts p over all the comparisons given, as one family of scores and one of evidence, and gives
 * each finding its verdict. */
void judge_decide(struct comparison *const *comparisons, size_t n);
