/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How often is a true change found? The figures are those that the design set out to reach. */
#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "calibration/sections.h"

#define BLOCKS ORDER_BLOCKS
#define ONE ORDER_ONE_BLOCK

static const struct {
	double deviation, effect;
	enum shape shape;
	enum disturbance disturbance;
	enum order order;
	size_t n;
	bool history;
	double figure; /* 0: shown without a claim. */
} rows[] = {
	{ 0.01, 0.01, SHAPE_GAUSSIAN, DISTURBANCE_NONE, BLOCKS, 10, false, 0.0 },
	{ 0.01, 0.01, SHAPE_GAUSSIAN, DISTURBANCE_NONE, BLOCKS, 20, false, 0.0 },
	{ 0.01, 0.02, SHAPE_GAUSSIAN, DISTURBANCE_NONE, BLOCKS, 3, true, 0.0 },
	{ 0.01, 0.02, SHAPE_GAUSSIAN, DISTURBANCE_NONE, ONE, 5, false, 0.36 },
	{ 0.01, 0.02, SHAPE_GAUSSIAN, DISTURBANCE_NONE, ONE, 5, true, 0.60 },
	{ 0.01, 0.02, SHAPE_GAUSSIAN, DISTURBANCE_NONE, BLOCKS, 10, false, 0.88 },
	{ 0.01, 0.02, SHAPE_GAUSSIAN, DISTURBANCE_NONE, BLOCKS, 10, true, 0.95 },
	{ 0.01, 0.02, SHAPE_GAUSSIAN, DISTURBANCE_NONE, BLOCKS, 20, false, 0.0 },
	{ 0.01, 0.05, SHAPE_GAUSSIAN, DISTURBANCE_NONE, BLOCKS, 3, true, 0.0 },
	{ 0.01, 0.05, SHAPE_GAUSSIAN, DISTURBANCE_NONE, ONE, 5, false, 0.99 },
	{ 0.01, 0.05, SHAPE_GAUSSIAN, DISTURBANCE_NONE, ONE, 5, true, 0.99 },
	{ 0.03, 0.05, SHAPE_GAUSSIAN, DISTURBANCE_NONE, ONE, 5, false, 0.24 },
	{ 0.03, 0.05, SHAPE_GAUSSIAN, DISTURBANCE_NONE, ONE, 5, true, 0.43 },
	{ 0.03, 0.05, SHAPE_GAUSSIAN, DISTURBANCE_NONE, BLOCKS, 10, false, 0.71 },
	{ 0.03, 0.05, SHAPE_GAUSSIAN, DISTURBANCE_NONE, BLOCKS, 10, true, 0.82 },
	{ 0.01, 0.02, SHAPE_GAUSSIAN, DISTURBANCE_DRIFT, BLOCKS, 10, false, 0.88 },
	{ 0.01, 0.02, SHAPE_GAUSSIAN, DISTURBANCE_AR, BLOCKS, 10, false, 0.0 },
	{ 0.01, 0.02, SHAPE_GAUSSIAN, DISTURBANCE_STEP, BLOCKS, 10, false, 0.0 },
	{ 0.01, 0.02, SHAPE_GAUSSIAN, DISTURBANCE_SAWTOOTH, BLOCKS, 10, false, 0.0 },
	{ 0.01, 0.01, SHAPE_LOGNORMAL, DISTURBANCE_NONE, BLOCKS, 10, false, 0.0 },
	{ 0.01, 0.02, SHAPE_OUTLIERS, DISTURBANCE_NONE, BLOCKS, 10, false, 0.0 },
	{ 0.01, 0.02, SHAPE_HEAVY, DISTURBANCE_NONE, BLOCKS, 10, false, 0.0 },
	{ 0.01, 0.02, SHAPE_QUANTISED, DISTURBANCE_NONE, BLOCKS, 10, false, 0.0 },
	{ 0.01, 0.02, SHAPE_TIES, DISTURBANCE_NONE, BLOCKS, 10, false, 0.0 },
};

void section_power(struct calibration *calibration)
{
	tally_head(
		"True changes found (a verdict: at least 1 % too), %, one score at 1 % false alarms\n"
		"(* all runs in one block)");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct tally_case row = {
			.experiment = { .shape = rows[i].shape,
					.disturbance = rows[i].disturbance,
					.order = rows[i].order,
					.n = rows[i].n,
					.deviation = rows[i].deviation,
					.effect = rows[i].effect },
			.history = rows[i].history,
			.claimed = rows[i].figure > 0.0,
			.figure = rows[i].figure,
		};
		const bool quiet = rows[i].disturbance == DISTURBANCE_NONE;
		AUTO(text)
		char *noise = mem_format("%s %.0f %%", simulate_shape_text(rows[i].shape),
					 100 * rows[i].deviation);
		AUTO(text)
		char *name =
			mem_format("%+.0f %%, %s", 100 * rows[i].effect,
				   quiet ? noise : simulate_disturbance_text(rows[i].disturbance));
		row.name = name;
		tally_row(calibration, &row);
	}
}
