/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Do the runs of a side fall into two groups, so that their mean is a number that no run had? */
#include "base/auto.h"
#include "stats/shape.h"
#include "verdict/guard.h"

extern const struct guard guard_bimodal;

#define ALPHA 0.001 /* Chance to see two modes where there is one; this is asked for many scores. */

DEFINE_AUTO(numbers, double *, free);

static void examine_side(struct comparison *comparison, const struct row *row, size_t side)
{
	AUTO(numbers) double *values = NULL;
	const size_t n = guard_values(comparison, row->metric.name, side, &values);
	const struct modes modes = shape_modes(values, n, ALPHA);
	if (!modes.known || !modes.two)
		return;
	guard_warn(
		comparison, &guard_bimodal, side, row->metric.name,
		"the runs of %s fall into two groups in %s: %.0f %% about %.4g and %.0f %% about "
		"%.4g; their mean is where no run was",
		comparison->sides[side].name, row->metric.name, 100.0 * modes.share_low, modes.low,
		100.0 * (1.0 - modes.share_low), modes.high);
}

static void examine(struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->n_rows; i++)
		for (size_t side = 0; side < comparison->n_sides; side++)
			if (comparison->rows[i].metric.role == ROLE_SCORE)
				examine_side(comparison, &comparison->rows[i], side);
}

const struct guard guard_bimodal = {
	.name = "bimodal",
	.asks = "do the runs of a side fall into two groups?",
	.explains =
		"A run that got its tasks on the wrong core, its pages on the wrong node or its buffers "
		"at an unlucky address belongs to another group than the rest, and the mean then says "
		"how often that happened rather than how fast the subject is. From 8 runs a side on, "
		"each score is asked for the largest gap that leaves at least 15 % of the runs on either "
		"side of it; how wide it must be comes from simulated samples with one mode, of which 1 "
		"in 1000 is taken for two. The verdict stays, since the test does not suppose one mode; "
		"the change and its interval are of a mixture. To go on, find what separates the groups: "
		"'assay show' of a run of each, the evidence, placement (parameter pin, numactl), ASLR.",
	.examine = examine,
};
