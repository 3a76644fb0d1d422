/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "Undecided" alone leaves a person helpless. There are four kinds: no number to judge, too few runs
 * for any outcome to be one, a difference that is lost among the other scores of the budget, and a
 * difference that is real and may or may not matter. Where nothing can be said but "more runs", the
 * number of runs says it.
 */
#include "verdict/undecided.h"

#include "base/mem.h"
#include "stats/sequential.h"

#include <math.h>

/* Why a score has no test, in words; NULL when that is not for want of values. */
static char *want_of_values(const struct comparison *comparison, const struct row *row, size_t side)
{
	if (row->mixed)
		return mem_text("its unit or kind is not the same in all runs");
	const size_t sides[] = { 0, side };
	for (size_t i = 0; i < 2; i++) {
		const struct cell *cell = &row->cells[sides[i]];
		const char *name = comparison->sides[sides[i]].name;
		if (cell->summary.n >= 2)
			continue;
		if (cell->summary.n == 1)
			return mem_format("%s has one value, and one value has no deviation", name);
		if (cell->n_missing)
			return mem_format("missing on %s: %s", name, missing_text(cell->why));
		if (cell->n_not_applicable)
			return mem_format("not applicable on %s", name);
		return mem_format("%s has no complete run", name);
	}
	return NULL;
}

/* Values are there, and no test of them. */
static char *want_of_a_test(const struct comparison *comparison)
{
	const size_t n_max = comparison->options.sequential_max;
	if (comparison->options.method == METHOD_PERMUTATION && n_max)
		return mem_format("the first look is at %d runs a side",
				  n_max < SEQUENTIAL_FIRST_LOOK ? (int)n_max
								: SEQUENTIAL_FIRST_LOOK);
	return mem_text("no block of runs has a value of both sides");
}

static const char *unit_of_change(const struct row *row, const struct finding *finding)
{
	if (finding->relative)
		return "%";
	return row->metric.unit[0] == '%' ? "percentage points" : row->metric.unit;
}

/* Why a tested score is undecided; NULL when only more runs can tell. */
static char *want_of_evidence(const struct question *question, const struct finding *finding)
{
	const double alpha = question->comparison->alpha;
	if (finding->p_adjusted <= alpha)
		return mem_format(
			"differs (p %.2g), but whether by more than the margin of %.3g %s "
			"is open",
			finding->p_adjusted, finding->margin,
			unit_of_change(question->row, finding));
	if (finding->smallest_p > question->level)
		return mem_format("too few runs, or too few different values: even the clearest "
				  "outcome gives p %.2g, and %.2g is asked for",
				  finding->smallest_p, question->level);
	if (finding->p <= alpha && fabs(finding->change) >= finding->margin)
		return mem_format("alone it would differ (p %.2g), but not beside all the scores "
				  "that share the budget (p adjusted %.2g)",
				  finding->p, finding->p_adjusted);
	return NULL;
}

void undecided_explain(struct comparison *comparison, const struct question *question, bool known,
		       struct finding *finding)
{
	finding->reason = want_of_values(comparison, question->row, question->side);
	if (finding->reason) {
		comparison_warn(comparison, "no verdict on %s: %s", question->row->metric.name,
				finding->reason);
		return;
	}
	finding->reason =
		finding->tested ? want_of_evidence(question, finding) : want_of_a_test(comparison);
	if (!known)
		return;
	const size_t wanted = measure_runs_wanted(question, finding);
	const size_t have = question->pair->n_side[0] < question->pair->n_side[1]
				    ? question->pair->n_side[0]
				    : question->pair->n_side[1];
	/* The estimate says that these runs should have decided: one block more is the least. */
	finding->runs_wanted = wanted && wanted <= have ? have + 2 : wanted;
}

static void warn_row(struct comparison *comparison, const struct row *row)
{
	for (size_t side = 0; side < comparison->n_sides; side++) {
		const struct cell *cell = &row->cells[side];
		const size_t n_judged = comparison->counts[side].outcomes[RUN_COMPLETE];
		if (cell->n_missing && cell->n_missing < n_judged)
			comparison_warn(comparison, "%s is missing in %zu of %zu runs of %s: %s",
					row->metric.name, cell->n_missing, n_judged,
					comparison->sides[side].name, missing_text(cell->why));
	}
}

void undecided_warn_gaps(struct comparison *comparison)
{
	size_t n_scores = 0;
	for (size_t i = 0; i < comparison->n_rows; i++)
		if (comparison->rows[i].metric.role == ROLE_SCORE) {
			n_scores++;
			warn_row(comparison, &comparison->rows[i]);
		}
	if (comparison->n_rows > 0 && n_scores == 0)
		comparison_warn(comparison, "the runs have no score, so there is no verdict");
}
