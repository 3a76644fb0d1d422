/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rules of a verdict.
 *
 * A score that differs at the adjusted level is better, worse, or changed when nobody said which
 * direction is good; unless its 95 % interval lies within the margin, for then the difference is
 * real and too small to matter: same. A score that does not differ is the same when that interval
 * lies within the margin, else undecided. So "same" is a finding, with evidence, and never the
 * absence of one.
 *
 * The relative interval is Fieller's of the ratio of the means, which knows that the base's mean is
 * an estimate too; it leaves 0 % out exactly when the test finds a difference. Where it is not
 * bounded (a base mean that is not surely above 0) it is the interval of the difference over |base
 * mean|.
 */
#include "verdict/judge.h"

#include "base/mem.h"
#include "base/text.h"
#include "stats/adjust.h"
#include "stats/ratio.h"
#include "stats/welch.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* What turns a difference of means into the finding's change. */
static double scale_of(const struct row *row, const struct cell *base, bool *ret_relative)
{
	const bool is_share = text_equal(row->metric.unit, "%");
	*ret_relative = !is_share && fabs(base->summary.mean) > 0.0;
	return *ret_relative ? 100.0 / fabs(base->summary.mean) : 1.0;
}

/* The interval of the change at a confidence. What was never below 0 cannot fall by more than all of
 * it, though the normal distribution that the tests assume does not know: cut off, the interval
 * covers the truth as often as before. */
static void reach(const struct cell *base, const struct cell *side, double confidence,
		  const struct finding *finding, double scale, double ret_interval[static 2])
{
	const struct welch welch = welch_compare(&base->summary, &side->summary, confidence);
	const struct ratio ratio = ratio_compare(&base->summary, &side->summary, confidence);
	if (finding->relative && ratio.known) {
		ret_interval[0] = 100.0 * (ratio.low - 1.0);
		ret_interval[1] = 100.0 * (ratio.high - 1.0);
	} else {
		ret_interval[0] = scale * welch.low;
		ret_interval[1] = scale * welch.high;
	}
	if (finding->relative && base->summary.minimum >= 0.0 && side->summary.minimum >= 0.0 &&
	    ret_interval[0] < -100.0)
		ret_interval[0] = -100.0;
}

static void measure(const struct row *row, const struct cell *base, const struct cell *side,
		    double alpha, struct finding *finding)
{
	*finding = (struct finding) {
		.verdict = VERDICT_NOT_JUDGED,
		.change = (double)NAN,
		.low = (double)NAN,
		.high = (double)NAN,
		.same_low = (double)NAN,
		.same_high = (double)NAN,
		.t = (double)NAN,
		.p = (double)NAN,
		.p_adjusted = (double)NAN,
	};
	if (base->summary.n == 0 || side->summary.n == 0 || row->mixed)
		return;

	const double scale = scale_of(row, base, &finding->relative);
	finding->known = true;
	finding->change = scale * (side->summary.mean - base->summary.mean);

	const struct welch welch = welch_compare(&base->summary, &side->summary, 1.0 - alpha);
	if (!welch.known)
		return;
	double interval[2];
	finding->tested = true;
	reach(base, side, 1.0 - alpha, finding, scale, interval);
	finding->low = interval[0];
	finding->high = interval[1];
	reach(base, side, COMPARISON_SAME_CONFIDENCE, finding, scale, interval);
	finding->same_low = interval[0];
	finding->same_high = interval[1];
	finding->t = welch.t;
	finding->p = welch.p;
	finding->method = welch.exact ? "exact" : "Welch t";
}

/* Why a score has no test, in words; NULL when it has one or needs none. */
static char *untested_reason(const struct comparison *comparison, const struct row *row,
			     size_t side)
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

/* A score without meaning on both sides (operations a thread, of processes) is not a gap. */
static bool has_no_meaning(const struct row *row, size_t side)
{
	const struct cell *base = &row->cells[0];
	const struct cell *other = &row->cells[side];
	return base->n_not_applicable && other->n_not_applicable &&
	       base->summary.n + base->n_missing + other->summary.n + other->n_missing == 0;
}

/* Missing values thin a side out silently, so each score says how many it lacks. */
static void warn_gaps(struct comparison *comparison, const struct row *row)
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

static void explain_score(struct comparison *comparison, struct row *row, size_t side)
{
	struct finding *finding = &row->findings[side];
	if (finding->tested || has_no_meaning(row, side))
		return;
	finding->verdict = VERDICT_UNDECIDED;
	finding->reason = untested_reason(comparison, row, side);
	comparison_warn(comparison, "no verdict on %s: %s", row->metric.name, finding->reason);
}

void judge_measure(struct comparison *comparison)
{
	size_t n_scores = 0;
	for (size_t i = 0; i < comparison->n_rows; i++) {
		struct row *row = &comparison->rows[i];
		for (size_t side = 1; side < comparison->n_sides; side++)
			measure(row, &row->cells[0], &row->cells[side], comparison->alpha,
				&row->findings[side]);
		if (row->metric.role != ROLE_SCORE)
			continue;
		n_scores++;
		warn_gaps(comparison, row);
		for (size_t side = 1; side < comparison->n_sides; side++)
			explain_score(comparison, row, side);
	}
	const bool has_runs = comparison->n_rows > 0;
	if (has_runs && n_scores == 0)
		comparison_warn(comparison, "the runs have no score, so there is no verdict");
}

struct family { /* Findings that share one budget. */
	struct finding **findings;
	double *p;
	double *adjusted;
	size_t n;
};

static void family_done(struct family *family)
{
	free(family->findings);
	free(family->p);
	free(family->adjusted);
}

/* Two sides constant and equal can never be found different, whatever the budget; leaving such
 * rows out of the family (Tarone, 1990) costs no error rate, and the many counters that are always
 * 0 would otherwise drown the others. */
static bool is_in_family(const struct finding *finding)
{
	return finding->tested && !(isnan(finding->t) && finding->p >= 1.0);
}

static size_t count_findings(const struct comparison *comparison)
{
	return comparison->n_rows * comparison->n_sides;
}

static void family_add(struct family *family, struct comparison *comparison, enum metric_role role)
{
	for (size_t i = 0; i < comparison->n_rows; i++)
		for (size_t side = 1; side < comparison->n_sides; side++) {
			struct finding *finding = &comparison->rows[i].findings[side];
			if (comparison->rows[i].metric.role != role || !is_in_family(finding))
				continue;
			family->p[family->n] = finding->p;
			family->findings[family->n++] = finding;
		}
}

/* Gathers the family of `role` over all comparisons, adjusts, and gives each finding its p. */
static size_t adjust_family(struct comparison *const *comparisons, size_t n, enum metric_role role,
			    void (*adjust)(const double *p, size_t n, double *ret_adjusted))
{
	size_t n_most = 0;
	for (size_t i = 0; i < n; i++)
		n_most += count_findings(comparisons[i]);
	__attribute__((cleanup(family_done))) struct family family = {
		.findings = mem_array(n_most, sizeof(struct finding *)),
		.p = mem_array(n_most, sizeof(double)),
		.adjusted = mem_array(n_most, sizeof(double)),
	};
	for (size_t i = 0; i < n; i++)
		family_add(&family, comparisons[i], role);
	adjust(family.p, family.n, family.adjusted);
	for (size_t i = 0; i < family.n; i++)
		family.findings[i]->p_adjusted = family.adjusted[i];
	return family.n;
}

/* A margin in per cent means nothing against a base of 0 in another unit: only "exactly equal" is
 * the same there. */
static bool is_within_margin(const struct row *row, const struct finding *finding, double margin)
{
	if (!finding->relative && !text_equal(row->metric.unit, "%"))
		margin = 0.0;
	return finding->same_low >= -margin && finding->same_high <= margin;
}

static enum verdict direction_of(const struct row *row, const struct finding *finding)
{
	switch (row->metric.better) {
	case BETTER_HIGHER:
		return finding->change > 0.0 ? VERDICT_BETTER : VERDICT_WORSE;
	case BETTER_LOWER:
		return finding->change < 0.0 ? VERDICT_BETTER : VERDICT_WORSE;
	case BETTER_NONE:
	case BETTER_UNKNOWN:
	case BETTER_COUNT:
		break;
	}
	return VERDICT_CHANGED;
}

static enum verdict decide_score(const struct comparison *comparison, const struct row *row,
				 const struct finding *finding)
{
	if (!finding->tested)
		return finding->verdict;
	if (is_within_margin(row, finding, comparison->margin_percent))
		return VERDICT_SAME;
	/* NaN (outside the family) compares false. */
	return finding->p_adjusted <= comparison->alpha ? direction_of(row, finding)
							: VERDICT_UNDECIDED;
}

static enum verdict decide_evidence(const struct comparison *comparison,
				    const struct finding *finding)
{
	if (!finding->tested)
		return VERDICT_NOT_JUDGED;
	if (!(finding->p_adjusted <= comparison->evidence_rate))
		return VERDICT_UNMOVED;
	return finding->change > 0.0 ? VERDICT_MOVED_UP : VERDICT_MOVED_DOWN;
}

static enum verdict decide(const struct comparison *comparison, const struct row *row,
			   const struct finding *finding)
{
	switch (row->metric.role) {
	case ROLE_SCORE:
		return decide_score(comparison, row, finding);
	case ROLE_EVIDENCE:
		return decide_evidence(comparison, finding);
	case ROLE_RESTATED:
	case ROLE_COST:
	case ROLE_COUNT:
		break;
	}
	return VERDICT_NOT_JUDGED;
}

void judge_decide(struct comparison *const *comparisons, size_t n)
{
	const size_t n_scores = adjust_family(comparisons, n, ROLE_SCORE, adjust_holm);
	const size_t n_evidence =
		adjust_family(comparisons, n, ROLE_EVIDENCE, adjust_benjamini_hochberg);
	for (size_t i = 0; i < n; i++) {
		struct comparison *comparison = comparisons[i];
		comparison->n_scores_tested = n_scores;
		comparison->n_evidence_tested = n_evidence;
		comparison->n_sharing = n;
		for (size_t row = 0; row < comparison->n_rows; row++)
			for (size_t side = 1; side < comparison->n_sides; side++) {
				struct finding *finding = &comparison->rows[row].findings[side];
				finding->verdict =
					decide(comparison, &comparison->rows[row], finding);
			}
	}
}
