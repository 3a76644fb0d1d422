/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The question "is it decided?", point by point. It is asked of what the store has, after each whole
 * block, so that a campaign which was interrupted, killed and gone on with comes to the answers that
 * it would have come to in one go.
 *
 * All looks at all points share one false-alarm budget: the number of hypotheses is fixed beforehand
 * (decide_family), and each of them spends its share over its own looks.
 */
#pragma once

#include "base/auto.h"
#include "base/error.h"
#include "experiment/plan.h"
#include "record/catalogue.h"
#include "store/store.h"
#include "verdict/comparison.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct decide;

/* What the looks are made of. All borrowed. */
struct decide_source {
	struct store *store;
	int64_t campaign;
	const struct plan *plan;
	const struct catalogue *catalogue;
	/* Fills in what is known beyond the runs: the workload's row, noise, directions. The rule of
	 * the plan is put over it. May be NULL. */
	void (*know)(const struct compared_side *sides, size_t n_sides,
		     struct verdict_options *options, void *user);
	void *user;
};

struct decide *decide_new(const struct decide_source *source);
void decide_free(struct decide *decide); /* NULL is allowed. */

/* Looks at a point, unless one of its blocks was begun and is not whole: `done` says which planned
 * runs are kept. A look that cannot be made (a side without runs) is none. An error is the store's. */
int decide_look(struct decide *decide, size_t point, const bool *done, struct error *err);

/* The point has its verdicts: the rest of its runs is not needed. */
bool decide_is_over(const struct decide *decide, size_t point);

/* Of the last look; NULL before one. Valid until the next. */
const struct comparison *decide_comparison(const struct decide *decide);

/* ---- the rule, for all that judge the runs of a plan ---- */

/* Scores x heads x points of the plan, as far as scores apply: the first complete run of each point
 * tells, else the workload's row. It needs the store once. */
int decide_family(const struct decide_source *source, size_t *ret_family, struct error *err);

/* The stopping rule as options; alpha and margin that are there already stay. `family` is not looked
 * at when the number of runs is fixed. */
void decide_rule(const struct plan *plan, size_t family, struct verdict_options *options);

/* Where the run stood, unique over campaigns. */
struct run_place decide_place(const struct run_row *row);
/* The campaign of a place that decide_place made. */
int64_t decide_campaign(const struct run_place *place);

DEFINE_AUTO(decide, struct decide *, decide_free);
