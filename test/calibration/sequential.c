/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looking after each block until it is decided, at most 20 runs a side: how many runs that takes, how
 * often the answer is right, and what a fixed number of 20 runs would have said of the same runs.
 */
#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "calibration/ours.h"
#include "calibration/sections.h"

#include <math.h>
#include <stdio.h>

#define RUNS_MOST 20
#define REPETITIONS_MOST 20000 /* Each is judged seven times over. */
#define NO_FIGURES                                                                                 \
	{                                                                                          \
		(double)NAN, (double)NAN, (double)NAN                                              \
	}
#define BATCH 100 /* Campaigns that share a set of relabelled schedules. */

struct figures { /* To be reached; NaN: none. */
	double runs_most, power_least, lost_most;
};

static const struct {
	double deviation, effect;
	enum disturbance disturbance;
	struct figures figures;
} rows[] = {
	{ 0.01, 0.0, DISTURBANCE_NONE, NO_FIGURES },
	{ 0.01, 0.0, DISTURBANCE_DRIFT, NO_FIGURES },
	{ 0.01, 0.0, DISTURBANCE_AR, NO_FIGURES },
	{ 0.01, 0.0, DISTURBANCE_STEP, NO_FIGURES },
	{ 0.01, 0.0, DISTURBANCE_SAWTOOTH, NO_FIGURES },
	{ 0.03, 0.0, DISTURBANCE_NONE, NO_FIGURES },
	{ 0.01, 0.02, DISTURBANCE_NONE, { 10.0, 0.994, 0.02 } },
	{ 0.01, 0.05, DISTURBANCE_NONE, { 8.0, 0.998, 0.02 } },
	{ 0.03, 0.05, DISTURBANCE_NONE, { 11.6, 0.964, 0.024 } },
};

struct counts {
	uint64_t n, different, same, fixed;
	double runs, runs_squared;
};

/* One campaign: at each look "same" is asked first, as the verdict does. What was rejected stays so,
 * and is a verdict once the estimate is as large as the margin. */
static void carry_out(const struct simulated *simulated, size_t rejected_at, struct counts *counts)
{
	size_t runs = SEQUENTIAL_FIRST_LOOK;
	bool is_same = false;
	bool is_found = false;
	for (;; runs += 2) {
		is_same = ours_is_same(simulated, runs, CALIBRATION_MARGIN);
		is_found = !is_same && rejected_at && runs >= rejected_at &&
			   fabs(ours_change(simulated, runs)) >= CALIBRATION_MARGIN;
		if (is_same || is_found || runs == RUNS_MOST)
			break;
	}
	const struct ours fixed = ours_judge(simulated, /* history= */ NULL, CALIBRATION_ALPHA);
	counts->n++;
	counts->same += is_same;
	counts->different += is_found;
	counts->fixed += fixed.p <= CALIBRATION_ALPHA && fabs(fixed.change) >= CALIBRATION_MARGIN;
	counts->runs += (double)runs;
	counts->runs_squared += (double)(runs * runs);
}

static void carry_out_batch(struct calibration *calibration,
			    const struct experiment_case *experiment, uint64_t n,
			    struct counts *counts)
{
	const struct sequential_plan plan = {
		.alpha = CALIBRATION_ALPHA,
		.n_max = RUNS_MOST,
		.seed = random_next(&calibration->random),
	};
	AUTO(sequential_schedules) struct sequential_schedules *schedules = ours_schedules(&plan);
	for (uint64_t i = 0; i < n; i++) {
		struct simulated simulated;
		simulate(&calibration->random, experiment, &simulated);
		carry_out(&simulated, ours_looks(schedules, &plan, &simulated), counts);
	}
}

static void print_rate(const struct rate *rate)
{
	AUTO(text) char *text = rate_show(rate);
	printf("  %-18s", text);
}

static void print_row(struct calibration *calibration, const char *name, bool is_quiet,
		      const struct figures *figures, const struct counts *counts)
{
	struct claims *claims = &calibration->claims;
	const struct mean runs = mean_of(counts->runs, counts->runs_squared, counts->n);
	const struct rate different = rate_of(counts->different, counts->n);
	const struct rate same = rate_of(counts->same, counts->n);
	const struct rate fixed = rate_of(counts->fixed, counts->n);
	printf("%-20s %4.1f (%4.1f-%4.1f)", name, runs.mean, runs.low, runs.high);
	print_rate(&different);
	print_rate(&same);
	print_rate(&fixed);
	printf("\n");

	const bool holds = is_quiet ? rate_keeps(&different, CALIBRATION_ALPHA)
				    : rate_reaches(&different, figures->power_least);
	if (is_quiet || !isnan(figures->power_least))
		printf("    %s:%s\n", is_quiet ? "false at most 1 %" : "power",
		       claims_check(claims, /* claimed= */ true, holds));
	if (!isnan(figures->runs_most))
		printf("    runs at most %.1f:%s\n", figures->runs_most,
		       claims_check(claims, true, runs.low <= figures->runs_most));
	if (!isnan(figures->lost_most))
		printf("    power lost against 20 runs %.2f, at most %.1f points:%s\n",
		       100 * (fixed.share - different.share), 100 * figures->lost_most,
		       claims_check(claims, true,
				    fixed.share - different.high <= figures->lost_most));
	(void)fflush(stdout);
}

void section_sequential(struct calibration *calibration)
{
	const uint64_t repetitions = calibration->repetitions < REPETITIONS_MOST
					     ? calibration->repetitions
					     : REPETITIONS_MOST;
	printf("\nUntil decided, at most 20 runs a side, margin 1 %% (%llu campaigns a row)\n"
	       "%-20s %-16s  %-18s  %-18s  %s\n",
	       (unsigned long long)repetitions, "", "runs a side", "different, %", "same, %",
	       "20 fixed, %");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct experiment_case experiment = {
			.disturbance = rows[i].disturbance,
			.n = RUNS_MOST,
			.deviation = rows[i].deviation,
			.effect = rows[i].effect,
		};
		struct counts counts = { 0 };
		while (counts.n < repetitions)
			carry_out_batch(calibration, &experiment,
					repetitions - counts.n < BATCH ? repetitions - counts.n
								       : BATCH,
					&counts);
		const bool quiet = rows[i].disturbance == DISTURBANCE_NONE;
		AUTO(text) char *noise = mem_format("Gaussian %.0f %%", 100 * rows[i].deviation);
		AUTO(text)
		char *name =
			mem_format("%+.0f %%, %s", 100 * rows[i].effect,
				   quiet ? noise : simulate_disturbance_text(rows[i].disturbance));
		print_row(calibration, name, rows[i].effect <= 0.0, &rows[i].figures, &counts);
	}
}
