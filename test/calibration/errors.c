/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How often is one subject, measured twice, called different? On a machine that drifts, steps and
 * swings, and for noise of many shapes; and how often any of several scores is.
 */
#include "base/macros.h"
#include "base/text.h"
#include "calibration/ours.h"
#include "calibration/sections.h"
#include "stats/adjust.h"

#include <stdio.h>

void section_disturbed(struct calibration *calibration)
{
	static const enum order orders[] = { ORDER_BLOCKS, ORDER_ALTERNATE, ORDER_APART };
	tally_head("False alarms on a disturbed machine, Gaussian 1 %, %, nominal 1");
	for (size_t d = DISTURBANCE_NONE + 1; d < DISTURBANCE_COUNT; d++)
		for (size_t i = 0; i < ARRAY_SIZE(orders); i++)
			tally_row(calibration,
				  &(struct tally_case) {
					  .experiment = { .disturbance = (enum disturbance)d,
							  .order = orders[i],
							  .n = 10,
							  .deviation = 0.01 },
					  .claimed = orders[i] == ORDER_BLOCKS,
				  });
}

struct kind { /* Of noise. */
	enum shape shape;
	double deviation;
};

static const struct kind kinds[] = {
	{ SHAPE_GAUSSIAN, 0.01 }, { SHAPE_GAUSSIAN, 0.03 },  { SHAPE_LOGNORMAL, 0.01 },
	{ SHAPE_LOGNORMAL, 0.3 }, { SHAPE_BIMODAL, 0.01 },   { SHAPE_OUTLIERS, 0.01 },
	{ SHAPE_HEAVY, 0.01 },    { SHAPE_QUANTISED, 0.01 }, { SHAPE_TIES, 0.01 },
};

struct size { /* Of an experiment. */
	size_t n;
	enum order order;
	bool history;
};

/* 3 runs a side without history are never decided. */
static const struct size sizes[] = {
	{ 3, ORDER_BLOCKS, true },    { 4, ORDER_BLOCKS, true },  { 5, ORDER_ONE_BLOCK, false },
	{ 5, ORDER_ONE_BLOCK, true }, { 6, ORDER_BLOCKS, false }, { 10, ORDER_BLOCKS, false },
	{ 20, ORDER_BLOCKS, false },
};

void section_shapes(struct calibration *calibration)
{
	tally_head("False alarms by the shape of the noise, %, nominal 1");
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		for (size_t j = 0; j < ARRAY_SIZE(sizes); j++)
			tally_row(calibration,
				  &(struct tally_case) {
					  .experiment = { .shape = kinds[i].shape,
							  .deviation = kinds[i].deviation,
							  .order = sizes[j].order,
							  .n = sizes[j].n },
					  .history = sizes[j].history,
					  .claimed = true,
				  });
}

#define FAMILY 8

/* Eight scores of one run share half of the variance of their noise: is any called different? */
static bool family_alarms(struct calibration *calibration, size_t n)
{
	const struct experiment_case experiment = { .n = n };
	struct simulated order;
	double shared[2 * SIMULATE_RUNS_MAX];
	double p[FAMILY];
	double adjusted[FAMILY];
	simulate(&calibration->random, &experiment, &order);
	for (size_t run = 0; run < order.n; run++)
		shared[run] = random_normal(&calibration->random);
	for (size_t score = 0; score < FAMILY; score++) {
		for (size_t run = 0; run < order.n; run++)
			order.values[run] =
				1.0 + 0.01 * (shared[run] + random_normal(&calibration->random));
		p[score] = ours_judge(&order, /* history= */ NULL, CALIBRATION_ALPHA).p;
	}
	adjust_holm(p, FAMILY, adjusted);
	bool any = false;
	for (size_t score = 0; score < FAMILY; score++)
		any |= adjusted[score] <= CALIBRATION_ALPHA;
	return any;
}

void section_family(struct calibration *calibration)
{
	static const size_t counts[] = { 10, 20 };
	printf("\nAny false alarm among 8 scores with correlation .5, after Holm, %%, nominal 1\n");
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		uint64_t hits = 0;
		for (uint64_t j = 0; j < calibration->repetitions; j++)
			hits += family_alarms(calibration, counts[i]);
		const struct rate rate = rate_of(hits, calibration->repetitions);
		AUTO(text) char *figure = rate_show(&rate);
		printf("%-25s %4zu  %-11s %s%s\n", "Gaussian 1 %", counts[i], "permutation", figure,
		       claims_check(&calibration->claims, /* claimed= */ true,
				    rate_keeps(&rate, CALIBRATION_ALPHA)));
	}
}
