/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the columns and words of the table mean. */
#include "check.h"
#include "report/formats.h"
#include "report/scenario.h"

static char *render(const struct comparison *const *comparisons, size_t n)
{
	struct text text = { 0 };
	const struct report_options options = { .width = 600 };
	format_table.render(comparisons, n, &options, &text);
	return text_take(&text);
}

static void the_legend_names_rates_families_and_margin(void **state)
{
	struct scenario scenario;
	scenario_plain(&scenario);
	const struct comparison *comparison = scenario.comparison;
	AUTO(text) char *text = render(&comparison, 1);
	CHECK_HOLDS(text, "standard deviation over runs (divided by n - 1), % of the mean");
	CHECK_HOLDS(text, "block permutation, p adjusted after Holm over 1 tested score, at most "
			  "1 % chance");
	CHECK_HOLDS(text,
		    "by no less than the score's margin; same: the 95 % interval lies within");
	CHECK_HOLDS(text, "moderated t, exact, p adjusted after Benjamini-Hochberg over 7 tested "
			  "metrics, about 5 % of those");
	scenario_done(&scenario);
}

static void the_legend_says_who_shares_the_budget(void **state)
{
	struct scenario one;
	struct scenario other;
	scenario_plain(&one);
	scenario_plain(&other);
	const struct comparison *comparisons[] = { one.comparison, other.comparison };
	AUTO(text) char *apart = render(comparisons, 2);
	CHECK_HOLDS(apart, "over the tested scores of each point by itself");
	one.comparison->n_sharing = 2;
	one.comparison->n_scores_tested = 2;
	one.comparison->n_evidence_tested = 12;
	other.comparison->n_sharing = 2;
	other.comparison->n_scores_tested = 2;
	other.comparison->n_evidence_tested = 12;
	AUTO(text) char *together = render(comparisons, 2);
	CHECK_HOLDS(together, "over the 2 tested scores of 2 points together");
	CHECK_HOLDS(together, "Benjamini-Hochberg over 12 tested metrics");
	scenario_done(&one);
	scenario_done(&other);
}

static void the_legend_says_what_the_change_is_an_estimate_of(void **state)
{
	struct scenario scenario;
	scenario_guarded(&scenario);
	const struct comparison *comparison = scenario.comparison;
	AUTO(text) char *text = render(&comparison, 1);
	CHECK_HOLDS(text,
		    "\nchange    of the second side against the first in %, as the test of the "
		    "row estimates it");
	CHECK_HOLDS(text,
		    "of a score mostly the median of the ratios of its runs, not the ratio of "
		    "the two means");
	CHECK_HOLDS(text,
		    "Change: Hodges-Lehmann's, the median of the differences of head and base "
		    "within the blocks, or of their ratios where all values are above 0");
	CHECK_HOLDS(text, "geometric mean of the ratios");
	scenario_done(&scenario);
}

static void an_interval_that_was_cut_is_explained(void **state)
{
	const char *words = "ends at -100 % where it would reach below";
	struct scenario scenario;
	scenario_plain(&scenario);
	const struct comparison *comparison = scenario.comparison;
	AUTO(text) char *whole = render(&comparison, 1);
	CHECK(strstr(whole, words) == NULL);
	comparison->rows[0].findings[1].low = -100.0;
	AUTO(text) char *cut = render(&comparison, 1);
	CHECK_HOLDS(cut, words);
	comparison->rows[0].findings[1].low = -130.0; /* Of values below 0: nothing was cut. */
	AUTO(text) char *deep = render(&comparison, 1);
	CHECK(strstr(deep, words) == NULL);
	scenario_done(&scenario);
}

static void each_test_is_explained_once(void **state)
{
	struct scenario scenario;
	scenario_guarded(&scenario);
	const struct comparison *comparison = scenario.comparison;
	AUTO(text) char *text = render(&comparison, 1);
	static const char *const tests[] = {
		"block permutation: were the runs shuffled",
		"sequential block permutation: block permutation, asked after each",
		"moderated t: a t test that also knows", "exact: the metric was constant"
	};
	for (size_t i = 0; i < 4; i++) {
		const char *first = strstr(text, tests[i]);
		CHECK(first != NULL);
		CHECK(!strstr(first + 1, tests[i]));
	}
	CHECK(!strstr(text, "Mann-Whitney"));
	CHECK_HOLDS(text, "order     of the evidence: the most surprising first (smallest p)");
	CHECK_HOLDS(text, "; *: provisional, the test assumes more");
	scenario_done(&scenario);
}

static void guards_are_explained_only_when_one_spoke(void **state)
{
	struct scenario scenario;
	scenario_guarded(&scenario);
	const struct comparison *comparison = scenario.comparison;
	AUTO(text) char *text = render(&comparison, 1);
	const char *first = strstr(text, "--explain");
	CHECK(first && !strstr(first + 1, "--explain"));
	CHECK_HOLDS(text, "\nguards    checks for what could make a verdict worthless; 'assay "
			  "compare --explain starved' tells");
	scenario_done(&scenario);
	scenario_plain(&scenario);
	comparison = scenario.comparison;
	AUTO(text) char *plain = render(&comparison, 1);
	CHECK(!strstr(plain, "--explain"));
	CHECK(!strstr(plain, "provisional"));
	scenario_done(&scenario);
}

static void strict_is_named_by_its_method(void **state)
{
	struct scenario scenario;
	scenario_plain(&scenario);
	scenario.comparison->options.strict = true;
	const struct comparison *comparison = scenario.comparison;
	AUTO(text) char *text = render(&comparison, 1);
	CHECK_HOLDS(text, "p adjusted after Benjamini-Yekutieli over 7 tested metrics");
	scenario_done(&scenario);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_legend_names_rates_families_and_margin),
		cmocka_unit_test(the_legend_says_who_shares_the_budget),
		cmocka_unit_test(the_legend_says_what_the_change_is_an_estimate_of),
		cmocka_unit_test(an_interval_that_was_cut_is_explained),
		cmocka_unit_test(each_test_is_explained_once),
		cmocka_unit_test(guards_are_explained_only_when_one_spoke),
		cmocka_unit_test(strict_is_named_by_its_method),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
