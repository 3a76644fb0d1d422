/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a score is undecided, in words. The want of values is tested through decide.c. */
#include "verdict/undecided.h"

#include "base/mem.h"
#include "check.h"
#include "verdict/match.h"

static const struct metric seconds = { "w.score", "s", "", METRIC_SCORE, BETTER_LOWER, ROLE_SCORE };

static void two_constant_runs_a_side_are_too_few(void **state)
{
	static const double three[] = { 3, 3 };
	static const double four[] = { 4, 4 };
	struct match match;
	match_begin(&match, 2, false);
	match_values(&match, &seconds, three, four);
	match_judge(&match);
	CHECK_TEXT(match_finding(&match, "w.score")->reason,
		   "too few runs, or too few different values: even the clearest outcome gives p "
		   "0.12, and 0.01 is asked for");
	match_done(&match);
}

static void what_is_lost_among_other_scores_is_said(void **state)
{
	struct random random;
	random_seed(&random, 4);
	struct match match;
	match_begin(&match, 10, true);
	static const double nothing[] = { 100.0, 1.0, 0.0, 0.0 };
	static const double something[] = { 100.0, 1.0, 1.6, 0.0 };
	match_normal(&match, &seconds, &random, something);
	for (size_t i = 0; i < 20; i++) {
		AUTO(text) char *name = mem_format("x.%02zu", i);
		const struct metric other = {
			name, "s", "", METRIC_SCORE, BETTER_LOWER, ROLE_SCORE
		};
		match_normal(&match, &other, &random, nothing);
	}
	match_judge(&match);
	const struct finding *finding = match_finding(&match, "w.score");
	CHECK(finding->p <= 0.01);
	CHECK(finding->p_adjusted > 0.01);
	CHECK_INT(finding->verdict, VERDICT_UNDECIDED);
	CHECK_HOLDS(finding->reason, "alone it would differ");
	CHECK(finding->runs_wanted > 10);
	match_done(&match);
}

static void only_more_runs_can_tell_needs_no_words(void **state)
{
	struct random random;
	random_seed(&random, 6);
	struct match match;
	match_begin(&match, 10, true);
	static const double noisy[] = { 100.0, 5.0, 0.0, 0.0 };
	match_normal(&match, &seconds, &random, noisy);
	match_judge(&match);
	const struct finding *finding = match_finding(&match, "w.score");
	CHECK_INT(finding->verdict, VERDICT_UNDECIDED);
	CHECK(!finding->reason);
	CHECK(finding->runs_wanted > 10);
	match_done(&match);
}

static void no_fewer_runs_are_wanted_than_can_decide(void **state)
{
	/* 2 runs that are surely lower, by the estimate: 4 a side would do if only scatter counted. */
	static const double base[] = { 100.0, 101.0 };
	static const double head[] = { 108.0, 109.0 };
	struct match match;
	match_begin(&match, 2, true);
	match_values(&match, &seconds, base, head);
	match_judge(&match);
	const struct finding *finding = match_finding(&match, "w.score");
	CHECK_INT(finding->verdict, VERDICT_UNDECIDED);
	CHECK(finding->runs_wanted >= 6);
	match_done(&match);
}

static void sides_that_met_in_no_block_have_no_test(void **state)
{
	/* They share a block, but the score is missing where they do. */
	static const uint64_t blocks[2][3] = { { 1, 2, 2 }, { 1, 3, 3 } };
	struct match match;
	match_begin(&match, 3, true);
	for (size_t i = 0; i < 3; i++) {
		match.places[0][i].block = blocks[0][i];
		match.places[1][i].block = blocks[1][i];
		run_metric_add(match.base.runs[i], &seconds,
			       i ? value_known((double)i) : value_missing(MISSING_TORN));
		run_metric_add(match.head.runs[i], &seconds, value_known(2.0 + (double)i));
	}
	match_judge(&match);
	const struct finding *finding = match_finding(&match, "w.score");
	CHECK(finding->known && !finding->tested);
	CHECK_INT(finding->verdict, VERDICT_UNDECIDED);
	CHECK_HOLDS(finding->reason, "no block of runs has a value of both sides");
	match_done(&match);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_constant_runs_a_side_are_too_few),
		cmocka_unit_test(what_is_lost_among_other_scores_is_said),
		cmocka_unit_test(only_more_runs_can_tell_needs_no_words),
		cmocka_unit_test(no_fewer_runs_are_wanted_than_can_decide),
		cmocka_unit_test(sides_that_met_in_no_block_have_no_test),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
