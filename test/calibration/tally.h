/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Many experiments of one case, judged by every rule from the same numbers, and the row of a table
 * that comes of it.
 */
#pragma once

#include "base/random.h"
#include "calibration/rate.h"
#include "calibration/rules_other.h"
#include "calibration/simulate.h"

#include <stdbool.h>
#include <stdint.h>

#define CALIBRATION_ALPHA 0.01
#define CALIBRATION_MARGIN 0.01

enum rule {
	RULE_ASSAY, /* As one score is judged at a fixed number of runs. */
	RULE_LKP_RESULT,
	RULE_LKP_REST,
	RULE_LKP_DISTANCE,
	RULE_BENCHSTAT,
	RULE_MANN_WHITNEY,
	RULE_MMTESTS,
	RULE_WELCH,
	RULE_COUNT,
};

struct calibration {
	uint64_t repetitions;
	struct random random;
	struct claims claims;
	struct rules *rules;
};

struct tally_case {
	struct experiment_case experiment;
	bool history;     /* 24 earlier runs of the metric are known. */
	const char *name; /* NULL: made of the case. */
	bool claimed;
	double figure; /* Of power, when the case has an effect. */
};

/* Head of a table whose rows are tally_row()'s. */
void tally_head(const char *title);

/* Simulates, judges, checks the claim and prints the row. */
void tally_row(struct calibration *calibration, const struct tally_case *row);

/* Counts without printing. */
void tally_count(struct calibration *calibration, const struct tally_case *row,
		 uint64_t ret_hits[RULE_COUNT]);
