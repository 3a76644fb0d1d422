/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does the interval of a change hold the truth as often as it says, and how often is "same" said of
 * what is not?
 */
#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "calibration/ours.h"
#include "calibration/sections.h"
#include "stats/shift.h"

#include <math.h>
#include <stdio.h>

#define SHARE 10 /* Intervals are inverted tests: a tenth of the repetitions. */
#define CONFIDENCE 0.95
#define MARGIN 0.01

static const struct {
	enum shape shape;
	double deviation;
	enum disturbance disturbance;
	size_t n;
} covered[] = {
	{ SHAPE_GAUSSIAN, 0.01, DISTURBANCE_NONE, 6 },
	{ SHAPE_GAUSSIAN, 0.01, DISTURBANCE_NONE, 10 },
	{ SHAPE_GAUSSIAN, 0.01, DISTURBANCE_DRIFT, 10 },
	{ SHAPE_GAUSSIAN, 0.01, DISTURBANCE_AR, 10 },
	{ SHAPE_GAUSSIAN, 0.01, DISTURBANCE_STEP, 10 },
	{ SHAPE_LOGNORMAL, 0.3, DISTURBANCE_NONE, 10 },
	{ SHAPE_OUTLIERS, 0.01, DISTURBANCE_NONE, 10 },
	{ SHAPE_BIMODAL, 0.01, DISTURBANCE_NONE, 10 },
	{ SHAPE_TIES, 0.01, DISTURBANCE_NONE, 10 },
};

static const char *name_of(enum shape shape, enum disturbance disturbance)
{
	return disturbance == DISTURBANCE_NONE ? simulate_shape_text(shape)
					       : simulate_disturbance_text(disturbance);
}

/* The truth is a factor: on the logarithms a shift, whatever disturbs the machine. */
static bool misses(struct calibration *calibration, const struct experiment_case *experiment)
{
	static const double truth = 0.02;
	struct simulated simulated;
	simulate(&calibration->random, experiment, &simulated);
	for (size_t i = 0; i < simulated.n; i++)
		simulated.values[i] =
			log(simulated.values[i]) + (simulated.is_head[i] ? truth : 0.0);
	const struct blocked blocked = simulate_blocked(&simulated);
	const struct shift shift =
		shift_estimate(&blocked, PERMUTE_CLIPPED, CONFIDENCE, /* seed= */ 0);
	/* Where values tie an end of the interval may be the truth itself, but for rounding. */
	return shift.low > truth + 1e-9 || shift.high < truth - 1e-9;
}

static void print_row(struct calibration *calibration, const char *name, size_t n, uint64_t hits,
		      uint64_t trials, double promised, bool claimed)
{
	const struct rate rate = rate_of(hits, trials);
	AUTO(text) char *figure = rate_show(&rate);
	printf("%-25s %4zu  %s%s\n", name, n, figure,
	       claims_check(&calibration->claims, claimed, rate_keeps(&rate, promised)));
	(void)fflush(stdout);
}

static void coverage(struct calibration *calibration, uint64_t repetitions)
{
	printf("\nThe 95 %% interval misses a true change of +2 %%, %%, nominal 5\n");
	for (size_t i = 0; i < ARRAY_SIZE(covered); i++) {
		const struct experiment_case experiment = {
			.shape = covered[i].shape,
			.deviation = covered[i].deviation,
			.disturbance = covered[i].disturbance,
			.n = covered[i].n,
		};
		uint64_t hits = 0;
		for (uint64_t j = 0; j < repetitions; j++)
			hits += misses(calibration, &experiment);
		print_row(calibration, name_of(covered[i].shape, covered[i].disturbance),
			  covered[i].n, hits, repetitions, 1.0 - CONFIDENCE, /* claimed= */ true);
	}
}

/* At a true change as large as the margin, "same" is false half of the time by definition; the
 * interval's promise is at most 2.5 %. */
static void falsely_same(struct calibration *calibration, uint64_t repetitions)
{
	static const double effects[] = { 0.0, 0.01, 0.02 };
	static const size_t counts[] = { 10, 20 };
	printf("\nCalled \"same\" within 1 %%, Gaussian 1 %%, %%; of a true +1 %% at most 2.5\n");
	for (size_t i = 0; i < ARRAY_SIZE(effects); i++)
		for (size_t j = 0; j < ARRAY_SIZE(counts); j++) {
			const struct experiment_case experiment = {
				.deviation = 0.01,
				.effect = effects[i],
				.n = counts[j],
			};
			uint64_t hits = 0;
			for (uint64_t k = 0; k < repetitions; k++) {
				struct simulated simulated;
				simulate(&calibration->random, &experiment, &simulated);
				hits += ours_is_same(&simulated, counts[j], MARGIN);
			}
			AUTO(text) char *name = mem_format("%+.0f %%", 100 * effects[i]);
			print_row(calibration, name, counts[j], hits, repetitions, 0.025,
				  effects[i] > 0.0);
		}
}

void section_interval(struct calibration *calibration)
{
	const uint64_t repetitions =
		calibration->repetitions < SHARE ? 1 : calibration->repetitions / SHARE;
	coverage(calibration, repetitions);
	falsely_same(calibration, repetitions);
}
