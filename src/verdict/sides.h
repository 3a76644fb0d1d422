/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sides of a comparison: whether they may stand beside each other at all, and how their runs
 * ended.
 */
#pragma once

#include "base/error.h"
#include "verdict/comparison.h"

/* 0, or -EINVAL with a sentence that names both sides and both values. */
int sides_check(const struct compared_side *sides, size_t n_sides, struct error *err);

/* Counts the runs by outcome and warns about those that are not complete, and about sides with too
 * few. Fills comparison->counts, which must be allocated. */
void sides_count(struct comparison *comparison);

/* The first complete run of a side, else its first run. */
const struct run *sides_first_run(const struct compared_side *side);
