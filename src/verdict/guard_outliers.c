/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which run lies far from all others of its side? */
#include "base/auto.h"
#include "base/mem.h"
#include "base/text.h"
#include "stats/robust.h"
#include "stats/shape.h"
#include "verdict/guard.h"
#include "verdict/order.h"

#include <inttypes.h>
#include <math.h>

extern const struct guard guard_outliers;

#define RUNS_MIN 8
#define SHOWN_MAX 3
#define SHARE_MAX 0.2 /* Of the runs; more of them are no outliers but a second mode. */

/* Reach of the modified z score that 1 sample in 1000 of a mildly skewed distribution (lognormal,
 * sigma 0.3) exceeds anywhere, simulated for 8 to 80 runs. The 3.5 that is usual for one number of a
 * long normal sample marks one in every three samples of ten. */
#define REACH_LARGE 9.0
#define REACH_SMALL 700.0

DEFINE_AUTO(numbers, double *, free);
DEFINE_AUTO(marks, bool *, free);

/* "run 7 of head (the 23rd of its campaign), 8.71": the place in the side's own order. */
static void show_run(struct text *text, const struct side_order *order, size_t index, double value)
{
	text_add(text, "%srun %zu", text->length ? ", " : "", index + 1);
	if (order->sequences)
		text_add(text, " (number %" PRIu64 " of its campaign)", order->sequences[index]);
	text_add(text, " with %.4g", value);
}

static void examine_side(struct comparison *comparison, const struct row *row, size_t side)
{
	const struct side_order *order = &comparison->orders[side];
	const struct cell *cell = &row->cells[side];
	AUTO(numbers) double *values = NULL;
	const size_t n = guard_values(comparison, row->metric.name, side, &values);
	if (n < RUNS_MIN)
		return;
	AUTO(marks) bool *is_outlier = mem_array(n, sizeof(*is_outlier));
	const double reach = REACH_LARGE + REACH_SMALL / ((double)n * (double)n);
	const size_t n_outliers = shape_outliers(values, n, reach, is_outlier);
	if (n_outliers == 0 || (double)n_outliers > SHARE_MAX * (double)n)
		return;

	AUTO(text_buffer) struct text runs = { 0 };
	size_t n_shown = 0;
	for (size_t i = 0, at = 0; i < order->n; i++) {
		if (isnan(cell->values[i]))
			continue;
		if (is_outlier[at] && n_shown++ < SHOWN_MAX)
			show_run(&runs, order, i, values[at]);
		at++;
	}
	guard_warn(comparison, &guard_outliers, side, row->metric.name,
		   "%s of %s lies far from the others (median %.4g): %s%s", row->metric.name,
		   comparison->sides[side].name, cell->summary.median, text_string(&runs),
		   n_shown > SHOWN_MAX ? ", ..." : "");
}

static void examine(struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->n_rows; i++)
		for (size_t side = 0; side < comparison->n_sides; side++)
			if (comparison->rows[i].metric.role == ROLE_SCORE)
				examine_side(comparison, &comparison->rows[i], side);
}

const struct guard guard_outliers = {
	.name = "outliers",
	.asks = "which run lies far from all others of its side?",
	.explains =
		"From 8 runs a side on, each run of a score is measured by its distance from the median "
		"in median deviations (modified z score of Iglewicz and Hoaglin). The limit is 9 + "
		"700 / (n * n) for n runs: beyond it lies a run of 1 sample in 1000 of a mildly skewed "
		"distribution; the usual 3.5 marks one in every three samples of ten. More than a fifth "
		"of the runs are no outliers (see bimodal). The guard names the runs and warns: the "
		"aligned ranks of the test are not moved by how far a stray lies, but mean and "
		"deviation are. No run is left out by itself. To go on, 'assay show RUN' and look for "
		"what was special: load, steal and pressure at its start, its log, its evidence.",
	.examine = examine,
};
