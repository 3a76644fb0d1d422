/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tests behind the verdicts, by name and in words. */
#include "report/method.h"

#include "check.h"
#include "report/scenario.h"

static void each_method_is_named_once_in_the_order_of_the_rows(void **state)
{
	struct scenario scenario;
	scenario_guarded(&scenario);
	const struct comparison *comparison = scenario.comparison;
	AUTO(text) char *scores = method_text(&comparison, 1, ROLE_SCORE);
	CHECK_TEXT(scores, "block permutation, sequential block permutation, moderated t");
	AUTO(text) char *evidence = method_text(&comparison, 1, ROLE_EVIDENCE);
	CHECK_TEXT(evidence, "moderated t, exact");
	AUTO(text) char *costs = method_text(&comparison, 1, ROLE_COST);
	CHECK_TEXT(costs, "none");
	scenario_done(&scenario);
}

static void methods_of_several_points_are_gathered(void **state)
{
	struct scenario plain;
	struct scenario guarded;
	scenario_plain(&plain);
	scenario_guarded(&guarded);
	const struct comparison *comparisons[] = { plain.comparison, guarded.comparison };
	const char *names[METHOD_NAMES_MAX];
	CHECK_INT(method_names(comparisons, 2, ROLE_SCORE, names), 3);
	CHECK_TEXT(names[2], "moderated t");
	scenario_done(&plain);
	scenario_done(&guarded);
}

static void every_method_of_the_model_is_explained(void **state)
{
	static const char *const names[] = { "block permutation", "sequential block permutation",
					     "moderated t",       "Welch t",
					     "Mann-Whitney",      "exact" };
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		CHECK(method_explain(names[i]) && strlen(method_explain(names[i])) > 20);
	CHECK(!method_explain("guess"));
	CHECK(!method_explain(NULL));
}

static void the_adjustment_depends_on_family_and_strictness(void **state)
{
	struct comparison comparison = { 0 };
	CHECK_TEXT(method_adjustment(&comparison, ROLE_SCORE), "Holm");
	CHECK_TEXT(method_adjustment(&comparison, ROLE_EVIDENCE), "Benjamini-Hochberg");
	comparison.options.sequential_max = 20;
	CHECK_TEXT(method_adjustment(&comparison, ROLE_SCORE), "Bonferroni");
	comparison.options.sequential_max = 0;
	comparison.options.strict = true;
	CHECK_TEXT(method_adjustment(&comparison, ROLE_SCORE), "Holm");
	CHECK_TEXT(method_adjustment(&comparison, ROLE_EVIDENCE), "Benjamini-Yekutieli");
}

static void a_family_that_was_fixed_beforehand_keeps_its_size(void **state)
{
	struct comparison comparison = { .n_scores_tested = 2, .n_evidence_tested = 40 };
	CHECK_INT(method_family_size(&comparison, ROLE_SCORE), 2);
	CHECK_INT(method_family_size(&comparison, ROLE_EVIDENCE), 40);
	comparison.options.n_family = 6; /* Without looks those that are there share it. */
	CHECK_INT(method_family_size(&comparison, ROLE_SCORE), 2);
	comparison.options.sequential_max = 20;
	CHECK_INT(method_family_size(&comparison, ROLE_SCORE), 6);
	CHECK_INT(method_family_size(&comparison, ROLE_EVIDENCE), 40);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_method_is_named_once_in_the_order_of_the_rows),
		cmocka_unit_test(methods_of_several_points_are_gathered),
		cmocka_unit_test(every_method_of_the_model_is_explained),
		cmocka_unit_test(a_family_that_was_fixed_beforehand_keeps_its_size),
		cmocka_unit_test(the_adjustment_depends_on_family_and_strictness),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
