/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rules of a verdict, one by one, through the model that everybody sees. */
#include "verdict/decide.h"

#include "base/macros.h"
#include "check.h"
#include "verdict/sample.h"

struct judged {
	struct sample base, head;
	struct compared_side sides[2];
	struct comparison *comparison;
};

static struct metric score(const char *unit, enum metric_better better)
{
	return (struct metric) { "w.score", unit, "", METRIC_SCORE, better, ROLE_SCORE };
}

static void judge(struct judged *judged)
{
	judged->sides[0] = sample_side(&judged->base);
	judged->sides[1] = sample_side(&judged->head);
	const struct verdict_options options = { 0 };
	struct error err = { 0 };
	if (comparison_make(judged->sides, 2, &options, &judged->comparison, &err) < 0)
		fail_msg("%s", err.text);
}

/* One score, the same number of runs a side, even spread: base mean, head mean, deviation. */
static void judge_score(struct judged *judged, const struct metric *metric, size_t n,
			const double means[2], double deviation)
{
	judged->base = sample_make("base", n);
	judged->head = sample_make("head", n);
	sample_spread(&judged->base, metric, means[0], deviation);
	sample_spread(&judged->head, metric, means[1], deviation);
	judge(judged);
}

static const struct finding *finding_of(const struct judged *judged, const char *name)
{
	for (size_t i = 0; i < judged->comparison->n_rows; i++)
		if (strcmp(judged->comparison->rows[i].metric.name, name) == 0)
			return &judged->comparison->rows[i].findings[1];
	fail_msg("no row %s", name);
	return NULL;
}

static void judged_done(struct judged *judged)
{
	comparison_free(judged->comparison);
	sample_done(&judged->base);
	sample_done(&judged->head);
}

static int verdict_of(enum metric_better better, double base, double head)
{
	struct judged judged;
	const struct metric metric = score("s", better);
	const double means[] = { base, head };
	judge_score(&judged, &metric, 10, means, 0.01);
	const int verdict = (int)finding_of(&judged, "w.score")->verdict;
	judged_done(&judged);
	return verdict;
}

static void direction_decides_between_better_and_worse(void **state)
{
	CHECK_INT(verdict_of(BETTER_LOWER, 1.0, 1.1), VERDICT_WORSE);
	CHECK_INT(verdict_of(BETTER_LOWER, 1.0, 0.9), VERDICT_BETTER);
	CHECK_INT(verdict_of(BETTER_HIGHER, 1.0, 1.1), VERDICT_BETTER);
	CHECK_INT(verdict_of(BETTER_HIGHER, 1.0, 0.9), VERDICT_WORSE);
}

static void an_unknown_direction_never_becomes_better_or_worse(void **state)
{
	CHECK_INT(verdict_of(BETTER_UNKNOWN, 1.0, 1.1), VERDICT_CHANGED);
	CHECK_INT(verdict_of(BETTER_UNKNOWN, 1.0, 0.9), VERDICT_CHANGED);
	CHECK_INT(verdict_of(BETTER_NONE, 1.0, 0.9), VERDICT_CHANGED);
}

static void same_needs_an_interval_within_the_margin(void **state)
{
	struct judged judged;
	const struct metric metric = score("s", BETTER_LOWER);
	const double means[] = { 1.0, 1.0005 };
	judge_score(&judged, &metric, 10, means, 0.002);
	CHECK_INT(finding_of(&judged, "w.score")->verdict, VERDICT_SAME);
	CHECK(finding_of(&judged, "w.score")->same_high < 1.0);
	judged_done(&judged);
	/* The same means with much noise: nothing is known, which is not "same". */
	judge_score(&judged, &metric, 10, means, 0.05);
	CHECK_INT(finding_of(&judged, "w.score")->verdict, VERDICT_UNDECIDED);
	judged_done(&judged);
}

static void a_real_difference_below_the_margin_is_the_same(void **state)
{
	struct judged judged;
	const struct metric metric = score("s", BETTER_LOWER);
	const double means[] = { 1.0, 1.003 };
	judge_score(&judged, &metric, 10, means, 0.0005);
	CHECK(finding_of(&judged, "w.score")->p_adjusted < 0.001);
	CHECK_INT(finding_of(&judged, "w.score")->verdict, VERDICT_SAME);
	judged_done(&judged);
	/* Not so when the interval reaches beyond it: then it may or may not matter. */
	const double nearer[] = { 1.0, 1.009 };
	judge_score(&judged, &metric, 10, nearer, 0.003);
	const struct finding *finding = finding_of(&judged, "w.score");
	CHECK_INT(finding->verdict, VERDICT_UNDECIDED);
	CHECK(finding->p_adjusted < 0.01);
	CHECK_HOLDS(finding->reason, "differs (p ");
	CHECK_HOLDS(finding->reason, "more than the margin of 1 % is open");
	judged_done(&judged);
}

static void the_change_of_what_is_positive_is_a_factor(void **state)
{
	struct judged judged;
	const struct metric metric = score("s", BETTER_LOWER);
	static const double base[] = { 1, 2, 4, 3, 2, 5, 3, 2, 4, 1 };
	double head[ARRAY_SIZE(base)];
	for (size_t i = 0; i < ARRAY_SIZE(base); i++)
		head[i] = 9.0 * base[i];
	judged.base = sample_make("base", ARRAY_SIZE(base));
	judged.head = sample_make("head", ARRAY_SIZE(base));
	sample_metric(&judged.base, &metric, base);
	sample_metric(&judged.head, &metric, head);
	judge(&judged);
	const struct finding *finding = finding_of(&judged, "w.score");
	CHECK(finding->relative);
	CHECK_NEAR(finding->change, 800.0, 1e-6);
	CHECK(finding->low > 0.0 && finding->low < 800.0 && finding->high > 800.0);
	/* The interval is as wide in factors below as above. */
	CHECK(9.0 / (1 + finding->low / 100) > 1.2 && (1 + finding->high / 100) / 9.0 > 1.2);
	CHECK_TEXT(finding->method, "block permutation");
	CHECK_INT(finding->verdict, VERDICT_WORSE);
	CHECK(!finding->provisional);
	judged_done(&judged);
}

static void what_is_never_negative_falls_by_no_more_than_all_of_it(void **state)
{
	struct judged judged;
	const struct metric metric = score("ops/s", BETTER_HIGHER);
	const double means[] = { 10.0, 8.0 };
	judge_score(&judged, &metric, 3, means, 8.0);
	const struct finding *finding = finding_of(&judged, "w.score");
	CHECK(judged.comparison->rows[0].cells[1].summary.minimum >= 0.0);
	CHECK(finding->low == -100.0);
	CHECK(finding->same_low == -100.0);
	CHECK(finding->high > 0.0);
	CHECK_INT(finding->verdict, VERDICT_UNDECIDED);
	judged_done(&judged);
	/* Where values below 0 were seen there is no such floor. */
	judge_score(&judged, &metric, 3, means, 12.0);
	CHECK(finding_of(&judged, "w.score")->low < -100.0);
	judged_done(&judged);
}

static void a_negative_base_keeps_the_sign_of_the_change(void **state)
{
	struct judged judged;
	const struct metric metric = score("s", BETTER_LOWER);
	const double means[] = { -2.0, -2.1 };
	judge_score(&judged, &metric, 10, means, 0.02);
	CHECK_NEAR(finding_of(&judged, "w.score")->change, -5.0, 1e-9);
	CHECK_INT(finding_of(&judged, "w.score")->verdict, VERDICT_BETTER);
	judged_done(&judged);
}

static void shares_change_by_percentage_points(void **state)
{
	struct judged judged;
	const struct metric metric = score("%", BETTER_HIGHER);
	const double means[] = { 50.0, 45.0 };
	judge_score(&judged, &metric, 10, means, 0.5);
	const struct finding *finding = finding_of(&judged, "w.score");
	CHECK(!finding->relative);
	CHECK_NEAR(finding->change, -5.0, 1e-9);
	CHECK_INT(finding->verdict, VERDICT_WORSE);
	judged_done(&judged);
}

static void a_base_of_zero_has_no_per_cent(void **state)
{
	struct judged judged;
	const struct metric metric = score("errors", BETTER_LOWER);
	judged.base = sample_make("base", 5);
	judged.head = sample_make("head", 5);
	const double zeros[] = { 0, 0, 0, 0, 0 };
	const double some[] = { 0.1, 0.2, 0, 0.1, 0.1 };
	sample_metric(&judged.base, &metric, zeros);
	sample_metric(&judged.head, &metric, some);
	judge(&judged);
	const struct finding *finding = finding_of(&judged, "w.score");
	CHECK(!finding->relative);
	CHECK_NEAR(finding->change, 0.1, 1e-12);
	/* One per cent of nothing is no margin: 0.1 errors are not "the same". */
	CHECK_INT(finding->verdict, VERDICT_UNDECIDED);
	judged_done(&judged);
}

static void constant_and_equal_sides_are_the_same_and_cost_no_budget(void **state)
{
	struct judged judged;
	const struct metric metric = score("s", BETTER_LOWER);
	const double means[] = { 3.0, 3.0 };
	judge_score(&judged, &metric, 3, means, 0.0);
	const struct finding *finding = finding_of(&judged, "w.score");
	CHECK_TEXT(finding->method, "exact");
	CHECK_INT(finding->verdict, VERDICT_SAME);
	CHECK_INT(judged.comparison->n_scores_tested, 0);
	judged_done(&judged);
}

static void constant_and_different_sides_need_four_runs(void **state)
{
	struct judged judged;
	const struct metric metric = score("s", BETTER_LOWER);
	const double means[] = { 3.0, 4.0 };
	judge_score(&judged, &metric, 2, means, 0.0);
	CHECK_INT(finding_of(&judged, "w.score")->verdict, VERDICT_UNDECIDED);
	judged_done(&judged);
	judge_score(&judged, &metric, 4, means, 0.0);
	CHECK_INT(finding_of(&judged, "w.score")->verdict, VERDICT_WORSE);
	CHECK_TEXT(finding_of(&judged, "w.score")->method, "exact");
	judged_done(&judged);
}

static void one_run_a_side_is_undecided_with_the_reason(void **state)
{
	struct judged judged;
	const struct metric metric = score("s", BETTER_LOWER);
	const double means[] = { 1.0, 2.0 };
	judge_score(&judged, &metric, 1, means, 0.0);
	const struct finding *finding = finding_of(&judged, "w.score");
	CHECK_INT(finding->verdict, VERDICT_UNDECIDED);
	CHECK(finding->known);
	CHECK(!finding->tested);
	CHECK_NEAR(finding->change, 100.0, 1e-12);
	CHECK_TEXT(finding->reason, "base has one value, and one value has no deviation");
	CHECK(isnan(finding->p));
	judged_done(&judged);
}

static void a_score_missing_on_one_side_is_undecided_with_the_reason(void **state)
{
	struct judged judged;
	const struct metric metric = score("s", BETTER_LOWER);
	judged.base = sample_make("base", 5);
	judged.head = sample_make("head", 5);
	sample_spread(&judged.base, &metric, 1.0, 0.01);
	sample_state(&judged.head, &metric, value_missing(MISSING_SWITCHED_OFF));
	judge(&judged);
	const struct finding *finding = finding_of(&judged, "w.score");
	CHECK_INT(finding->verdict, VERDICT_UNDECIDED);
	CHECK_HOLDS(finding->reason, "missing on head");
	CHECK_HOLDS(finding->reason, missing_text(MISSING_SWITCHED_OFF));
	CHECK_HOLDS(judged.comparison->warnings[0], "no verdict on w.score: missing on head");
	judged_done(&judged);
}

static void a_score_missing_in_some_runs_is_judged_and_told(void **state)
{
	struct judged judged;
	const struct metric metric = score("s", BETTER_LOWER);
	judged.base = sample_make("base", 6);
	judged.head = sample_make("head", 6);
	sample_spread(&judged.base, &metric, 1.0, 0.01);
	for (size_t i = 0; i < 6; i++)
		run_metric_add(judged.head.runs[i], &metric,
			       i < 2 ? value_missing(MISSING_DENIED)
				     : value_known(1.2 + 0.01 * (double)i));
	judge(&judged);
	CHECK_INT(finding_of(&judged, "w.score")->verdict, VERDICT_WORSE);
	CHECK_INT(judged.comparison->n_warnings, 1);
	CHECK_HOLDS(judged.comparison->warnings[0], "w.score is missing in 2 of 6 runs of head");
	judged_done(&judged);
}

static void a_score_without_meaning_on_both_sides_is_not_judged(void **state)
{
	struct judged judged;
	const struct metric metric = score("s", BETTER_LOWER);
	judged.base = sample_make("base", 5);
	judged.head = sample_make("head", 5);
	sample_state(&judged.base, &metric, value_not_applicable());
	sample_state(&judged.head, &metric, value_not_applicable());
	judge(&judged);
	CHECK_INT(finding_of(&judged, "w.score")->verdict, VERDICT_NOT_JUDGED);
	CHECK_INT(judged.comparison->n_warnings, 0);
	judged_done(&judged);
}

static void two_units_of_one_score_are_undecided(void **state)
{
	struct judged judged;
	const struct metric seconds = score("s", BETTER_LOWER);
	const struct metric millis = score("ms", BETTER_LOWER);
	judged.base = sample_make("base", 5);
	judged.head = sample_make("head", 5);
	sample_spread(&judged.base, &seconds, 1.0, 0.01);
	sample_spread(&judged.head, &millis, 1000.0, 10);
	judge(&judged);
	CHECK_INT(finding_of(&judged, "w.score")->verdict, VERDICT_UNDECIDED);
	CHECK(!finding_of(&judged, "w.score")->known);
	CHECK_HOLDS(finding_of(&judged, "w.score")->reason, "not the same in all runs");
	judged_done(&judged);
}

static void restated_scores_and_costs_are_shown_and_not_judged(void **state)
{
	struct judged judged;
	const struct metric restated = { "w.restated", "s",          "",
					 METRIC_SCORE, BETTER_LOWER, ROLE_RESTATED };
	const struct metric cost = {
		"assay.cost.x", "%", "", METRIC_SCORE, BETTER_LOWER, ROLE_COST
	};
	judged.base = sample_make("base", 5);
	judged.head = sample_make("head", 5);
	sample_spread(&judged.base, &restated, 1.0, 0.01);
	sample_spread(&judged.head, &restated, 2.0, 0.01);
	sample_spread(&judged.base, &cost, 1.0, 0.01);
	sample_spread(&judged.head, &cost, 2.0, 0.01);
	judge(&judged);
	CHECK_INT(finding_of(&judged, "w.restated")->verdict, VERDICT_NOT_JUDGED);
	CHECK_NEAR(finding_of(&judged, "w.restated")->change, 100.0, 1e-9);
	CHECK_INT(finding_of(&judged, "assay.cost.x")->verdict, VERDICT_NOT_JUDGED);
	CHECK_INT(judged.comparison->n_scores_tested, 0);
	CHECK_INT(judged.comparison->n_evidence_tested, 0);
	judged_done(&judged);
}

static void scores_share_the_budget(void **state)
{
	/* Ten scores, each with p of about 0.003: alone worse, together not at 1 %. */
	struct judged judged;
	judged.base = sample_make("base", 10);
	judged.head = sample_make("head", 10);
	for (size_t i = 0; i < 10; i++) {
		AUTO(text) char *name = mem_format("w.s%zu", i);
		const struct metric metric = {
			name, "s", "", METRIC_SCORE, BETTER_LOWER, ROLE_SCORE
		};
		sample_spread(&judged.base, &metric, 1.0, 0.03);
		sample_spread(&judged.head, &metric, 1.046, 0.03);
	}
	judge(&judged);
	const struct finding *finding = finding_of(&judged, "w.s3");
	CHECK(finding->p < 0.01);
	CHECK_NEAR(finding->p_adjusted, 10 * finding->p, 1e-12);
	CHECK(finding->low > 0.0);
	CHECK_INT(finding->verdict, VERDICT_UNDECIDED);
	CHECK_INT(judged.comparison->n_scores_tested, 10);
	judged_done(&judged);
}

static void a_family_that_was_fixed_beforehand_costs_each_score_the_same(void **state)
{
	/* One of five scores that the plan has, judged before the others are there. */
	struct judged judged;
	const struct metric metric = score("s", BETTER_LOWER);
	const struct verdict_options options = { .n_family = 5 };
	struct error err = { 0 };
	judged.base = sample_make("base", 10);
	judged.head = sample_make("head", 10);
	sample_spread(&judged.base, &metric, 1.0, 0.03);
	sample_spread(&judged.head, &metric, 1.046, 0.03);
	judged.sides[0] = sample_side(&judged.base);
	judged.sides[1] = sample_side(&judged.head);
	CHECK_INT(comparison_make(judged.sides, 2, &options, &judged.comparison, &err), 0);
	const struct finding *finding = finding_of(&judged, "w.score");
	CHECK_NEAR(finding->p_adjusted, 5 * finding->p, 1e-12);
	CHECK(finding->p < 0.01 && finding->p_adjusted > 0.01);
	CHECK_INT(finding->verdict, VERDICT_UNDECIDED);
	judged_done(&judged);
}

static void evidence_moves_up_or_down_and_leads_the_list(void **state)
{
	struct judged judged;
	judged.base = sample_make("base", 8);
	judged.head = sample_make("head", 8);
	const struct {
		const char *name;
		double base, head;
	} counters[] = { { "a.still", 100, 100 }, { "b.up", 100, 110 }, { "c.far_down", 100, 50 } };
	for (size_t i = 0; i < ARRAY_SIZE(counters); i++) {
		const struct metric metric = { counters[i].name, "1",         "",
					       METRIC_COUNTER,   BETTER_NONE, ROLE_EVIDENCE };
		sample_spread(&judged.base, &metric, counters[i].base, 1);
		sample_spread(&judged.head, &metric, counters[i].head, 1);
	}
	judge(&judged);
	CHECK_TEXT(judged.comparison->rows[0].metric.name, "c.far_down");
	CHECK_TEXT(judged.comparison->rows[1].metric.name, "b.up");
	CHECK_TEXT(judged.comparison->rows[2].metric.name, "a.still");
	CHECK_INT(judged.comparison->rows[0].findings[1].verdict, VERDICT_MOVED_DOWN);
	CHECK_INT(judged.comparison->rows[1].findings[1].verdict, VERDICT_MOVED_UP);
	CHECK_INT(judged.comparison->rows[2].findings[1].verdict, VERDICT_UNMOVED);
	judged_done(&judged);
}

static void counters_that_are_always_zero_do_not_drown_the_others(void **state)
{
	struct judged judged;
	judged.base = sample_make("base", 5);
	judged.head = sample_make("head", 5);
	for (size_t i = 0; i < 500; i++) {
		AUTO(text) char *name = mem_format("zero.%zu", i);
		const struct metric metric = { name,           "1",         "",
					       METRIC_COUNTER, BETTER_NONE, ROLE_EVIDENCE };
		sample_spread(&judged.base, &metric, 0, 0);
		sample_spread(&judged.head, &metric, 0, 0);
	}
	const struct metric moved = {
		"moved", "1", "", METRIC_COUNTER, BETTER_NONE, ROLE_EVIDENCE
	};
	sample_spread(&judged.base, &moved, 100, 2);
	sample_spread(&judged.head, &moved, 106, 2);
	judge(&judged);
	CHECK_INT(judged.comparison->n_evidence_tested, 1);
	CHECK_INT(finding_of(&judged, "moved")->verdict, VERDICT_MOVED_UP);
	CHECK_INT(finding_of(&judged, "zero.0")->verdict, VERDICT_UNMOVED);
	judged_done(&judged);
}

static void evidence_with_one_value_is_not_judged(void **state)
{
	struct judged judged;
	judged.base = sample_make("base", 1);
	judged.head = sample_make("head", 8);
	const struct metric metric = { "m", "1", "", METRIC_COUNTER, BETTER_NONE, ROLE_EVIDENCE };
	sample_spread(&judged.base, &metric, 100, 0);
	sample_spread(&judged.head, &metric, 200, 1);
	judge(&judged);
	CHECK_INT(finding_of(&judged, "m")->verdict, VERDICT_NOT_JUDGED);
	judged_done(&judged);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(direction_decides_between_better_and_worse),
		cmocka_unit_test(an_unknown_direction_never_becomes_better_or_worse),
		cmocka_unit_test(same_needs_an_interval_within_the_margin),
		cmocka_unit_test(a_real_difference_below_the_margin_is_the_same),
		cmocka_unit_test(the_change_of_what_is_positive_is_a_factor),
		cmocka_unit_test(what_is_never_negative_falls_by_no_more_than_all_of_it),
		cmocka_unit_test(a_negative_base_keeps_the_sign_of_the_change),
		cmocka_unit_test(shares_change_by_percentage_points),
		cmocka_unit_test(a_base_of_zero_has_no_per_cent),
		cmocka_unit_test(constant_and_equal_sides_are_the_same_and_cost_no_budget),
		cmocka_unit_test(constant_and_different_sides_need_four_runs),
		cmocka_unit_test(one_run_a_side_is_undecided_with_the_reason),
		cmocka_unit_test(a_score_missing_on_one_side_is_undecided_with_the_reason),
		cmocka_unit_test(a_score_missing_in_some_runs_is_judged_and_told),
		cmocka_unit_test(a_score_without_meaning_on_both_sides_is_not_judged),
		cmocka_unit_test(two_units_of_one_score_are_undecided),
		cmocka_unit_test(restated_scores_and_costs_are_shown_and_not_judged),
		cmocka_unit_test(scores_share_the_budget),
		cmocka_unit_test(a_family_that_was_fixed_beforehand_costs_each_score_the_same),
		cmocka_unit_test(evidence_moves_up_or_down_and_leads_the_list),
		cmocka_unit_test(counters_that_are_always_zero_do_not_drown_the_others),
		cmocka_unit_test(evidence_with_one_value_is_not_judged),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
