/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rules of a verdict.
 *
 * A score whose 95 % interval lies within its margin is the same, also when the test sees a
 * difference: it is real, and too small to matter. So "same" is a finding, with evidence, and never
 * the absence of one. Otherwise a score that differs at the adjusted level and by at least the margin
 * is better, worse, or changed when nobody said which direction is good. Everything else is
 * undecided, with the reason where one is known.
 *
 * Scores are adjusted after Holm. Looks of a running campaign each spend a part of their own level,
 * which must be known beforehand, and so it is with a family that was fixed beforehand: there it is
 * Bonferroni.
 */
#include "verdict/decide.h"

#include "base/mem.h"
#include "base/text.h"
#include "stats/adjust.h"
#include "verdict/measure.h"
#include "verdict/pair.h"
#include "verdict/undecided.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

typedef void (*adjust_function)(const double *p, size_t n, double *ret_adjusted);

struct family { /* Findings that share one budget. */
	struct finding **findings;
	double *p;
	double *adjusted;
	size_t n;
};

static struct family family_make(struct comparison *const *comparisons, size_t n)
{
	size_t n_most = 0;
	for (size_t i = 0; i < n; i++)
		n_most += comparisons[i]->n_rows * comparisons[i]->n_sides;
	return (struct family) {
		.findings = mem_array(n_most, sizeof(struct finding *)),
		.p = mem_array(n_most, sizeof(double)),
		.adjusted = mem_array(n_most, sizeof(double)),
	};
}

static void release_family(struct family *family)
{
	free(family->findings);
	free(family->p);
	free(family->adjusted);
}

static void family_add(struct family *family, struct finding *finding)
{
	family->p[family->n] = finding->p;
	family->findings[family->n++] = finding;
}

static void family_adjust(struct family *family, adjust_function adjust)
{
	adjust(family->p, family->n, family->adjusted);
	for (size_t i = 0; i < family->n; i++)
		family->findings[i]->p_adjusted = family->adjusted[i];
}

/* ---- scores ---- */

struct score { /* A score on one head. */
	struct comparison *comparison;
	struct row *row;
	size_t side;
	struct pair pair;
	bool known;  /* Both sides have a value. */
	bool shared; /* Base and head share blocks. */
	bool testable;
};

struct scores { /* Of all comparisons. */
	struct score *scores;
	size_t n, n_testable;
};

static void release_scores(struct scores *scores)
{
	for (size_t i = 0; i < scores->n; i++)
		pair_done(&scores->scores[i].pair);
	free(scores->scores);
}

static bool is_score(const struct row *row)
{
	return row->metric.role == ROLE_SCORE || row->metric.role == ROLE_RESTATED;
}

static void add_score(struct scores *scores, const struct score *place,
		      const struct pair_plan *plan)
{
	struct score *score = &scores->scores[scores->n++];
	*score = *place;
	score->shared = plan->blocked;
	score->known = !score->row->mixed && score->row->cells[0].summary.n &&
		       score->row->cells[score->side].summary.n;
	if (score->known) {
		score->pair = pair_room(plan);
		pair_fill(&score->pair, plan, score->row, score->side);
	}
	score->testable = score->known && score->row->metric.role == ROLE_SCORE &&
			  measure_is_testable(&score->pair);
	scores->n_testable += score->testable;
}

static struct scores gather(struct comparison *const *comparisons, size_t n)
{
	size_t n_most = 0;
	for (size_t i = 0; i < n; i++)
		n_most += comparisons[i]->n_rows * comparisons[i]->n_sides;
	struct scores scores = { .scores = mem_array(n_most, sizeof(*scores.scores)) };
	for (size_t i = 0; i < n; i++)
		for (size_t side = 1; side < comparisons[i]->n_sides; side++) {
			struct pair_plan plan = pair_plan_make(comparisons[i], side);
			for (size_t row = 0; row < comparisons[i]->n_rows; row++) {
				const struct score place = { .comparison = comparisons[i],
							     .row = &comparisons[i]->rows[row],
							     .side = side };
				if (is_score(place.row))
					add_score(&scores, &place, &plan);
			}
			pair_plan_done(&plan);
		}
	return scores;
}

/* Tests that share the budget: their number was fixed beforehand, or they are those there are. */
static double budget_parts(const struct score *score, size_t n_testable)
{
	const size_t n_family = score->comparison->options.n_family;
	return (double)(n_family ? n_family : n_testable);
}

static struct question question_of(const struct score *score, size_t n_testable)
{
	const double alpha = score->comparison->alpha;
	return (struct question) {
		.comparison = score->comparison,
		.row = score->row,
		.side = score->side,
		.pair = &score->pair,
		.blocked = score->shared,
		.looks = score->row->metric.role == ROLE_SCORE,
		.level = n_testable ? alpha / budget_parts(score, n_testable) : alpha,
	};
}

static void measure(struct scores *scores)
{
	for (size_t i = 0; i < scores->n; i++) {
		struct score *score = &scores->scores[i];
		struct finding *finding = &score->row->findings[score->side];
		free(finding->reason);
		*finding = measure_nothing();
		if (!score->known)
			continue;
		const struct question question = question_of(score, scores->n_testable);
		measure_score(&question, finding);
	}
}

static void adjust_scores(const struct scores *scores, struct comparison *const *comparisons,
			  size_t n)
{
	__attribute__((cleanup(release_family))) struct family family = family_make(comparisons, n);
	for (size_t i = 0; i < scores->n; i++) {
		const struct score *score = &scores->scores[i];
		struct finding *finding = &score->row->findings[score->side];
		if (!score->testable || !finding->tested)
			continue;
		const struct verdict_options *options = &score->comparison->options;
		if (!options->sequential_max && !options->n_family)
			family_add(&family, finding);
		else if (isnan(finding->p_adjusted)) /* What was judged by its looks has it. */
			finding->p_adjusted =
				fmin(1.0, budget_parts(score, scores->n_testable) * finding->p);
	}
	family_adjust(&family, adjust_holm);
}

static bool is_same(const struct finding *finding)
{
	return finding->same_low >= -finding->margin && finding->same_high <= finding->margin;
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

static enum verdict verdict_of(const struct score *score, const struct finding *finding)
{
	if (!finding->tested)
		return VERDICT_UNDECIDED;
	if (is_same(finding))
		return VERDICT_SAME;
	/* NaN (outside the family) compares false. */
	if (finding->p_adjusted <= score->comparison->alpha &&
	    fabs(finding->change) >= finding->margin)
		return direction_of(score->row, finding);
	return VERDICT_UNDECIDED;
}

/* A score without meaning on both sides (operations a thread, of processes) is not a gap. */
static bool has_no_meaning(const struct score *score)
{
	const struct cell *base = &score->row->cells[0];
	const struct cell *head = &score->row->cells[score->side];
	return base->n_not_applicable && head->n_not_applicable &&
	       base->summary.n + base->n_missing + head->summary.n + head->n_missing == 0;
}

static void decide_score(struct score *score, size_t n_testable)
{
	struct finding *finding = &score->row->findings[score->side];
	finding->unguarded = VERDICT_NOT_JUDGED;
	if (score->row->metric.role != ROLE_SCORE || has_no_meaning(score))
		return;
	finding->verdict = verdict_of(score, finding);
	if (finding->verdict == VERDICT_UNDECIDED) {
		const struct question question = question_of(score, n_testable);
		undecided_explain(score->comparison, &question, score->known, finding);
	}
	finding->unguarded = finding->verdict;
}

/* ---- evidence ---- */

static void adjust_evidence(struct comparison *const *comparisons, size_t n, size_t *ret_n)
{
	__attribute__((cleanup(release_family))) struct family family = family_make(comparisons, n);
	for (size_t i = 0; i < n; i++)
		for (size_t row = 0; row < comparisons[i]->n_rows; row++)
			for (size_t side = 1; side < comparisons[i]->n_sides; side++) {
				struct row *evidence = &comparisons[i]->rows[row];
				struct finding *finding = &evidence->findings[side];
				const bool is_idle = isnan(finding->t) && finding->p >= 1.0;
				if (evidence->metric.role == ROLE_EVIDENCE && finding->tested &&
				    !is_idle)
					family_add(&family, finding);
			}
	family_adjust(&family, comparisons[0]->options.strict ? adjust_benjamini_yekutieli
							      : adjust_benjamini_hochberg);
	*ret_n = family.n;
}

static void decide_evidence(const struct comparison *comparison, struct finding *finding)
{
	if (!finding->tested)
		finding->verdict = VERDICT_NOT_JUDGED;
	else if (!(finding->p_adjusted <= comparison->evidence_rate))
		finding->verdict = VERDICT_UNMOVED;
	else
		finding->verdict = finding->change > 0.0 ? VERDICT_MOVED_UP : VERDICT_MOVED_DOWN;
	finding->unguarded = finding->verdict;
}

static void decide_evidence_rows(struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->n_rows; i++)
		for (size_t side = 1; side < comparison->n_sides; side++)
			if (comparison->rows[i].metric.role == ROLE_EVIDENCE)
				decide_evidence(comparison, &comparison->rows[i].findings[side]);
}

void decide_all(struct comparison *const *comparisons, size_t n)
{
	if (n == 0)
		return;
	__attribute__((cleanup(release_scores))) struct scores scores = gather(comparisons, n);
	measure(&scores);
	adjust_scores(&scores, comparisons, n);
	size_t n_evidence = 0;
	adjust_evidence(comparisons, n, &n_evidence);
	for (size_t i = 0; i < n; i++) {
		comparisons[i]->n_scores_tested = scores.n_testable;
		comparisons[i]->n_evidence_tested = n_evidence;
		comparisons[i]->n_sharing = n;
		decide_evidence_rows(comparisons[i]);
	}
	for (size_t i = 0; i < scores.n; i++)
		decide_score(&scores.scores[i], scores.n_testable);
}
