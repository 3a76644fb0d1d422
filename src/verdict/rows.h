/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of a comparison: the union of the metrics of all complete runs, summed up a side. No
 * judgement here.
 */
#pragma once

#include "verdict/comparison.h"

/* Fills comparison->rows (cells only), sorted by name. */
void rows_collect(struct comparison *comparison);

/* Brings the rows into the order that the model promises; findings must be judged. `plugin` gives
 * the order of the scores; NULL keeps them as they are. */
void rows_order(struct comparison *comparison, const struct plugin *plugin);
void rows_free(struct row *rows, size_t n_rows, size_t n_sides);
