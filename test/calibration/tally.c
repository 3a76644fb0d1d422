/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All rules on the same numbers. See tally.h. */
#include "calibration/tally.h"

#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "calibration/ours.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#define BENCHSTAT_ALPHA 0.05

static const char *const other_texts[] = {
	[RULE_ASSAY] = NULL,          [RULE_LKP_RESULT] = "LKP1%", [RULE_LKP_REST] = "LKP5%",
	[RULE_LKP_DISTANCE] = "LKPd", [RULE_BENCHSTAT] = "bstat",  [RULE_MANN_WHITNEY] = "MWU",
	[RULE_MMTESTS] = "mmt",       [RULE_WELCH] = "Welch",
};
static_assert(ARRAY_SIZE(other_texts) == RULE_COUNT, "a word a rule");

void tally_head(const char *title)
{
	printf("\n%s\n%-24s %3s %-5s %-24s", title, "", "n", "by", "assay");
	for (size_t rule = RULE_ASSAY + 1; rule < RULE_COUNT; rule++)
		printf("%6s", other_texts[rule]);
	printf("\n");
}

static void judge_others(struct calibration *calibration, const struct simulated *simulated,
			 uint64_t hits[RULE_COUNT])
{
	double base[SIMULATE_RUNS_MAX];
	double head[SIMULATE_RUNS_MAX];
	const struct both both = {
		.base = base,
		.n_base = simulate_side(simulated, /* is_head= */ false, base),
		.head = head,
		.n_head = simulate_side(simulated, /* is_head= */ true, head),
	};
	const double mann_whitney = rules_mann_whitney(calibration->rules, &both);
	hits[RULE_LKP_RESULT] += rules_lkp(&both, RULES_LKP_RESULT);
	hits[RULE_LKP_REST] += rules_lkp(&both, RULES_LKP_REST);
	hits[RULE_LKP_DISTANCE] += rules_lkp_distance(&both, RULES_LKP_RESULT);
	hits[RULE_BENCHSTAT] += mann_whitney <= BENCHSTAT_ALPHA;
	hits[RULE_MANN_WHITNEY] += mann_whitney <= CALIBRATION_ALPHA;
	hits[RULE_MMTESTS] += rules_mmtests(&both);
	hits[RULE_WELCH] += rules_welch(&both) <= CALIBRATION_ALPHA;
}

void tally_count(struct calibration *calibration, const struct tally_case *row,
		 uint64_t ret_hits[RULE_COUNT])
{
	for (size_t rule = 0; rule < RULE_COUNT; rule++)
		ret_hits[rule] = 0;
	for (uint64_t i = 0; i < calibration->repetitions; i++) {
		struct simulated simulated;
		struct noise history;
		simulate(&calibration->random, &row->experiment, &simulated);
		if (row->history)
			history = ours_history(&calibration->random, &row->experiment);
		const struct ours ours =
			ours_judge(&simulated, row->history ? &history : NULL, CALIBRATION_ALPHA);
		/* Nothing changed: the rate of the test. A change: that of the verdict. */
		ret_hits[RULE_ASSAY] +=
			ours.p <= CALIBRATION_ALPHA &&
			(row->experiment.effect <= 0.0 || fabs(ours.change) >= CALIBRATION_MARGIN);
		judge_others(calibration, &simulated, ret_hits);
	}
}

/* "drift 3 %, ABAB", "lognormal 30 %". */
static char *name_of(const struct tally_case *row)
{
	const struct experiment_case *experiment = &row->experiment;
	if (row->name)
		return mem_text(row->name);
	if (experiment->disturbance != DISTURBANCE_NONE)
		return mem_format("%s, %s", simulate_disturbance_text(experiment->disturbance),
				  simulate_order_text(experiment->order));
	return mem_format("%s %.0f %%", simulate_shape_text(experiment->shape),
			  100 * experiment->deviation);
}

void tally_row(struct calibration *calibration, const struct tally_case *row)
{
	uint64_t hits[RULE_COUNT];
	tally_count(calibration, row, hits);
	const struct rate ours = rate_of(hits[RULE_ASSAY], calibration->repetitions);
	const bool holds = row->experiment.effect > 0.0 ? rate_reaches(&ours, row->figure)
							: rate_keeps(&ours, CALIBRATION_ALPHA);
	AUTO(text) char *name = name_of(row);
	AUTO(text)
	char *runs = mem_format("%zu%s", row->experiment.n,
				row->experiment.order == ORDER_ONE_BLOCK ? "*" : " ");
	AUTO(text) char *figure = rate_show(&ours);
	AUTO(text)
	char *shown =
		mem_format("%s%s", figure, claims_check(&calibration->claims, row->claimed, holds));
	printf("%-24s %3s %-5s %-24s", name, runs, row->history ? "t" : "order", shown);
	for (size_t rule = RULE_ASSAY + 1; rule < RULE_COUNT; rule++) {
		const struct rate other = rate_of(hits[rule], calibration->repetitions);
		printf("%6.*f", other.share < 0.1 ? 2 : 1, 100 * other.share);
	}
	printf("\n");
	(void)fflush(stdout); /* A long run is watched. */
}
