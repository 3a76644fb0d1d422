/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The model as a whole: options, exit codes, and budgets shared between points. */
#include "verdict/comparison.h"

#include "base/macros.h"
#include "base/random.h"
#include "check.h"
#include "verdict/sample.h"

#include <errno.h>

static const struct metric time_sec = { "hackbench.time_sec", "s",          "",
					METRIC_SCORE,         BETTER_LOWER, ROLE_SCORE };

struct pair {
	struct sample base, head;
	struct compared_side sides[2];
	struct comparison *comparison;
};

static void pair_begin(struct pair *pair, size_t n_runs)
{
	*pair = (struct pair) { 0 };
	pair->base = sample_make("base", n_runs);
	pair->head = sample_make("head", n_runs);
}

static void pair_judge(struct pair *pair, const struct verdict_options *options)
{
	pair->sides[0] = sample_side(&pair->base);
	pair->sides[1] = sample_side(&pair->head);
	struct error err = { 0 };
	if (comparison_make(pair->sides, 2, options, &pair->comparison, &err) < 0)
		fail_msg("%s", err.text);
}

static void pair_done(struct pair *pair)
{
	comparison_free(pair->comparison);
	sample_done(&pair->base);
	sample_done(&pair->head);
}

static int exit_code_of(double head_mean, double deviation, enum run_outcome first_outcome)
{
	struct pair pair;
	pair_begin(&pair, 10);
	sample_spread(&pair.base, &time_sec, 1.0, deviation);
	sample_spread(&pair.head, &time_sec, head_mean, deviation);
	if (first_outcome != RUN_COMPLETE)
		sample_fail(&pair.head, 0, first_outcome, "reason");
	const struct verdict_options options = { 0 };
	pair_judge(&pair, &options);
	const int code = comparison_exit_code(pair.comparison);
	pair_done(&pair);
	return code;
}

static void exit_codes_tell_worse_from_cannot_say(void **state)
{
	CHECK_INT(exit_code_of(1.1, 0.01, RUN_COMPLETE), 1);
	CHECK_INT(exit_code_of(0.9, 0.01, RUN_COMPLETE), 0);
	CHECK_INT(exit_code_of(1.0, 0.001, RUN_COMPLETE), 0);
	CHECK_INT(exit_code_of(1.0, 0.1, RUN_COMPLETE), 125);
	/* Failed runs: worse stays worse, the rest cannot be said. */
	CHECK_INT(exit_code_of(1.1, 0.01, RUN_FAILED), 1);
	CHECK_INT(exit_code_of(0.9, 0.01, RUN_FAILED), 125);
	CHECK_INT(exit_code_of(0.9, 0.01, RUN_TORN), 125);
	/* The person stopped it: that is no failure of the subject. */
	CHECK_INT(exit_code_of(0.9, 0.01, RUN_INTERRUPTED), 0);
}

static void no_score_at_all_cannot_say(void **state)
{
	struct pair pair;
	pair_begin(&pair, 3);
	const struct metric counter = { "m", "1", "", METRIC_COUNTER, BETTER_NONE, ROLE_EVIDENCE };
	sample_spread(&pair.base, &counter, 1, 0.1);
	sample_spread(&pair.head, &counter, 1, 0.1);
	const struct verdict_options options = { 0 };
	pair_judge(&pair, &options);
	CHECK_INT(comparison_exit_code(pair.comparison), 125);
	CHECK(!comparison_primary(pair.comparison));
	CHECK_HOLDS(pair.comparison->warnings[0], "no score");
	pair_done(&pair);
}

static void no_complete_run_cannot_say(void **state)
{
	struct pair pair;
	pair_begin(&pair, 2);
	sample_spread(&pair.base, &time_sec, 1, 0.1);
	sample_spread(&pair.head, &time_sec, 1, 0.1);
	for (size_t i = 0; i < 2; i++) {
		sample_fail(&pair.base, i, RUN_FAILED, "hung");
		sample_fail(&pair.head, i, RUN_FAILED, "hung");
	}
	const struct verdict_options options = { 0 };
	pair_judge(&pair, &options);
	CHECK_INT(pair.comparison->n_rows, 0);
	CHECK_INT(comparison_exit_code(pair.comparison), 125);
	CHECK_INT(pair.comparison->n_warnings, 4);
	pair_done(&pair);
}

static void zero_options_mean_the_presets(void **state)
{
	struct pair pair;
	pair_begin(&pair, 3);
	sample_spread(&pair.base, &time_sec, 1, 0.1);
	sample_spread(&pair.head, &time_sec, 1, 0.1);
	const struct verdict_options options = { 0 };
	pair_judge(&pair, &options);
	CHECK_NEAR(pair.comparison->alpha, 0.01, 0.0);
	CHECK_NEAR(pair.comparison->margin_percent, 1.0, 0.0);
	CHECK_NEAR(pair.comparison->evidence_rate, 0.05, 0.0);
	CHECK_INT(pair.comparison->n_sharing, 1);
	pair_done(&pair);
}

static void alpha_and_margin_move_the_verdict(void **state)
{
	struct pair pair;
	pair_begin(&pair, 5);
	sample_spread(&pair.base, &time_sec, 1, 0.02);
	sample_spread(&pair.head, &time_sec, 1.035, 0.02);
	struct verdict_options options = { 0 };
	pair_judge(&pair, &options);
	CHECK_INT(pair.comparison->rows[0].findings[1].verdict, VERDICT_UNDECIDED);
	comparison_free(pair.comparison);
	options.alpha = 0.05;
	pair_judge(&pair, &options);
	CHECK_INT(pair.comparison->rows[0].findings[1].verdict, VERDICT_WORSE);
	comparison_free(pair.comparison);
	options.margin_percent = 10;
	pair_judge(&pair, &options);
	CHECK_INT(pair.comparison->rows[0].findings[1].verdict, VERDICT_SAME);
	pair_done(&pair);
}

/* A plan that was kept before there was a least rate. */
static void a_rate_that_cannot_be_kept_is_judged_at_the_least(void **state)
{
	static const double rates[] = { 1e-7, 1e-17, 1e-300, 5e-324 };
	for (enum verdict_method method = 0; method < METHOD_COUNT; method++)
		for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
			struct pair pair;
			pair_begin(&pair, 10);
			sample_spread(&pair.base, &time_sec, 1.0, 0.01);
			sample_spread(&pair.head, &time_sec, 1.1, 0.01);
			pair_judge(&pair, &(struct verdict_options) { .alpha = rates[i],
								      .method = method });
			CHECK_NEAR(pair.comparison->alpha, 1e-6, 0);
			CHECK_INT(pair.comparison->n_warnings, 1);
			CHECK_HOLDS(pair.comparison->warnings[0], "judged at 1e-06");
			pair_done(&pair);
		}
}

static void a_refusal_leaves_the_answer_alone(void **state)
{
	struct pair pair;
	pair_begin(&pair, 2);
	pair.head.job->semantics = 9;
	pair.sides[0] = sample_side(&pair.base);
	pair.sides[1] = sample_side(&pair.head);
	struct comparison *untouched = (struct comparison *)&pair;
	struct error err = { 0 };
	const struct verdict_options options = { 0 };
	CHECK_INT(comparison_make(pair.sides, 2, &options, &untouched, &err), -EINVAL);
	CHECK(untouched == (struct comparison *)&pair);
	pair_done(&pair);
}

static void points_that_share_a_budget_are_judged_harder(void **state)
{
	/* Each of six points has p of about 0.003: alone worse, together not at 1 %. */
	struct pair pairs[6];
	struct comparison *comparisons[6];
	const struct verdict_options options = { 0 };
	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++) {
		pair_begin(&pairs[i], 10);
		sample_spread(&pairs[i].base, &time_sec, 1.0, 0.03);
		sample_spread(&pairs[i].head, &time_sec, 1.046, 0.03);
		pair_judge(&pairs[i], &options);
		comparisons[i] = pairs[i].comparison;
		CHECK_INT(comparisons[i]->rows[0].findings[1].verdict, VERDICT_WORSE);
	}
	comparison_share_budget(comparisons, ARRAY_SIZE(pairs));
	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++) {
		CHECK_INT(comparisons[i]->n_sharing, 6);
		CHECK_INT(comparisons[i]->n_scores_tested, 6);
		CHECK_INT(comparisons[i]->rows[0].findings[1].verdict, VERDICT_UNDECIDED);
	}
	/* And alone again. */
	comparison_share_budget(comparisons, 1);
	CHECK_INT(comparisons[0]->rows[0].findings[1].verdict, VERDICT_WORSE);
	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++)
		pair_done(&pairs[i]);
}

static void a_warning_is_said_once(void **state)
{
	struct comparison comparison = { 0 };
	for (int i = 0; i < 3; i++)
		comparison_warn(&comparison, "%s has no complete run", "base");
	comparison_warn(&comparison, "%s has no complete run", "head");
	CHECK_INT(comparison.n_warnings, 2);
	CHECK_TEXT(comparison.warnings[1], "head has no complete run");
	free(comparison.warnings[0]);
	free(comparison.warnings[1]);
	free(comparison.warnings);
}

/* Same subject twice, many metrics: nothing may be found among the scores, and nearly nothing among
 * the monitors. */
static void an_a_a_comparison_is_quiet(void **state)
{
	struct random random;
	random_seed(&random, 20260101);
	struct pair pair;
	pair_begin(&pair, 20);
	for (size_t m = 0; m < 400; m++) {
		AUTO(text) char *name = mem_format("m.%03zu", m);
		const struct metric metric = { name,           "1",         "",
					       METRIC_COUNTER, BETTER_NONE, ROLE_EVIDENCE };
		for (size_t i = 0; i < 20; i++) {
			run_metric_add(pair.base.runs[i], &metric,
				       value_known(1000 + 10 * random_normal(&random)));
			run_metric_add(pair.head.runs[i], &metric,
				       value_known(1000 + 10 * random_normal(&random)));
		}
	}
	for (size_t i = 0; i < 20; i++) {
		run_metric_add(pair.base.runs[i], &time_sec,
			       value_known(1 + 0.01 * random_normal(&random)));
		run_metric_add(pair.head.runs[i], &time_sec,
			       value_known(1 + 0.01 * random_normal(&random)));
	}
	const struct verdict_options options = { 0 };
	pair_judge(&pair, &options);
	size_t moved = 0;
	for (size_t i = 0; i < pair.comparison->n_rows; i++)
		moved += pair.comparison->rows[i].findings[1].verdict == VERDICT_MOVED_UP ||
			 pair.comparison->rows[i].findings[1].verdict == VERDICT_MOVED_DOWN;
	CHECK(moved <= 1);
	CHECK(comparison_exit_code(pair.comparison) != 1);
	pair_done(&pair);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exit_codes_tell_worse_from_cannot_say),
		cmocka_unit_test(no_score_at_all_cannot_say),
		cmocka_unit_test(no_complete_run_cannot_say),
		cmocka_unit_test(zero_options_mean_the_presets),
		cmocka_unit_test(alpha_and_margin_move_the_verdict),
		cmocka_unit_test(a_rate_that_cannot_be_kept_is_judged_at_the_least),
		cmocka_unit_test(a_refusal_leaves_the_answer_alone),
		cmocka_unit_test(points_that_share_a_budget_are_judged_harder),
		cmocka_unit_test(a_warning_is_said_once),
		cmocka_unit_test(an_a_a_comparison_is_quiet),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
