/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which test a score gets, and what it answers. */
#include "verdict/measure.h"

#include "check.h"
#include "stats/permute.h"
#include "stats/sequential.h"
#include "stats/welch.h"
#include "verdict/match.h"

static const struct metric seconds = { "w.score", "s", "", METRIC_SCORE, BETTER_LOWER, ROLE_SCORE };

static void begin(struct match *match, size_t n, bool blocked, const double with[4])
{
	struct random random;
	random_seed(&random, 11);
	match_begin(match, n, blocked);
	match_normal(match, &seconds, &random, with);
}

static const double five_more[] = { 100.0, 1.0, 5.0, 0.0 };
static const double nothing_more[] = { 100.0, 1.0, 0.0, 0.0 };

static void enough_runs_get_the_permutation_test(void **state)
{
	struct match match;
	begin(&match, 10, true, five_more);
	match_judge(&match);
	const struct finding *finding = match_finding(&match, "w.score");
	CHECK_TEXT(finding->method, "block permutation");
	CHECK(!finding->provisional);
	CHECK(isnan(finding->t));
	CHECK(finding->p <= 0.01 && finding->p >= finding->smallest_p);
	CHECK(finding->smallest_p >= 2.0 / 7776.0 - 1e-12); /* Five blocks: 6^5 orders. */
	CHECK_INT(finding->verdict, VERDICT_WORSE);
	CHECK(finding->low > 0.0 && finding->high < 10.0);
	CHECK(finding->same_low >= finding->low && finding->same_high <= finding->high);
	match_done(&match);
}

static void too_few_runs_get_the_moderated_t_test_and_a_provisional_verdict(void **state)
{
	struct match match;
	begin(&match, 3, true, five_more);
	match_judge(&match);
	const struct finding *finding = match_finding(&match, "w.score");
	CHECK_TEXT(finding->method, "moderated t");
	CHECK(finding->provisional);
	CHECK(finding->tested && !isnan(finding->t));
	match_done(&match);
	/* Five in one block are enough for one score: 2 of 252 orders. */
	begin(&match, 5, false, five_more);
	match_judge(&match);
	CHECK_TEXT(match_finding(&match, "w.score")->method, "block permutation");
	CHECK_INT(match_finding(&match, "w.score")->verdict, VERDICT_WORSE);
	match_done(&match);
}

static void more_scores_need_more_runs_for_the_permutation_test(void **state)
{
	static const struct metric second = { "w.second",   "s",          "",
					      METRIC_SCORE, BETTER_LOWER, ROLE_SCORE };
	struct random random;
	random_seed(&random, 5);
	struct match match;
	begin(&match, 5, false, five_more);
	match_normal(&match, &second, &random, nothing_more);
	match_judge(&match);
	/* 2/252 is below 1 % and above half of it. */
	CHECK_TEXT(match_finding(&match, "w.score")->method, "moderated t");
	CHECK_INT(match.comparison->n_scores_tested, 2);
	match_done(&match);
}

static void known_noise_decides_what_three_runs_cannot(void **state)
{
	static const struct known_noise noise[] = { { "w.score",
						      { true, 0.01, 40.0, (double)NAN, 3 } } };
	static const double base[] = { 100, 101.5, 99 };
	static const double head[] = { 103, 104.5, 102 };
	struct match match;
	for (size_t n_noise = 0; n_noise < 2; n_noise++) {
		match_begin(&match, 3, false);
		match_values(&match, &seconds, base, head);
		match.options.noise = noise;
		match.options.n_noise = n_noise;
		match_judge(&match);
		const struct finding *finding = match_finding(&match, "w.score");
		CHECK_INT(finding->verdict, n_noise ? VERDICT_WORSE : VERDICT_UNDECIDED);
		CHECK(finding->provisional);
		match_done(&match);
	}
}

/* Modes 6 % apart: three runs a side fall into different ones once in 32 experiments. */
static void few_runs_that_look_constant_prove_nothing_without_known_noise(void **state)
{
	static const double base[] = { 100.00, 100.01, 100.02 };
	static const double head[] = { 106.00, 106.01, 106.02 };
	struct match match;
	match_begin(&match, 3, false);
	match_values(&match, &seconds, base, head);
	match_judge(&match);
	const struct finding *finding = match_finding(&match, "w.score");
	CHECK_TEXT(finding->method, "moderated t");
	CHECK_NEAR(finding->p, 2.0 / 20.0, 1e-12);
	CHECK_INT(finding->verdict, VERDICT_UNDECIDED);
	match_done(&match);
}

/* 4 % apart at 1 % noise, but 101.5 lies below 102: for so few runs that is no change. Apart by the
 * same means it is one, and p says that few runs were asked. */
static void few_runs_must_lie_apart(void **state)
{
	static const struct known_noise noise[] = { { "w.score",
						      { true, 0.01, 20.0, (double)NAN, 3 } } };
	static const double base[] = { 100, 101, 102 };
	static const double overlapping[] = { 101.5, 106, 107 };
	static const double apart[] = { 103.5, 105, 106 };
	const double *const heads[] = { overlapping, apart };
	for (size_t i = 0; i < 2; i++) {
		struct match match;
		match_begin(&match, 3, false);
		match_values(&match, &seconds, base, heads[i]);
		match.options.noise = noise;
		match.options.n_noise = 1;
		match_judge(&match);
		const struct finding *finding = match_finding(&match, "w.score");
		CHECK_INT(finding->verdict, i == 0 ? VERDICT_UNDECIDED : VERDICT_WORSE);
		if (i == 0)
			CHECK(finding->p >= 2.0 / 20.0);
		match_done(&match);
	}
}

static void drift_from_block_to_block_hides_nothing(void **state)
{
	static const double drifting[] = { 100.0, 0.3, 2.0, 10.0 };
	struct match match;
	begin(&match, 10, true, drifting);
	match_judge(&match);
	CHECK_INT(match_finding(&match, "w.score")->verdict, VERDICT_WORSE);
	match_done(&match);
	begin(&match, 10, false, drifting);
	match_judge(&match);
	CHECK_INT(match_finding(&match, "w.score")->verdict, VERDICT_UNDECIDED);
	match_done(&match);
}

static void constant_sides_are_exact(void **state)
{
	static const double four[] = { 4, 4, 4, 4, 4 };
	static const double five[] = { 5, 5, 5, 5, 5 };
	struct match match;
	match_begin(&match, 5, false);
	match_values(&match, &seconds, four, five);
	match_judge(&match);
	const struct finding *finding = match_finding(&match, "w.score");
	CHECK_TEXT(finding->method, "exact");
	CHECK_NEAR(finding->p, welch_exact_p(5, 5), 0.0);
	CHECK_NEAR(finding->change, 25.0, 1e-12);
	CHECK_NEAR(finding->low, 25.0, 1e-12);
	CHECK_INT(finding->verdict, VERDICT_WORSE);
	match_done(&match);
}

static void looks_decide_a_campaign_that_looks(void **state)
{
	struct match match;
	begin(&match, 12, true, five_more);
	match.options.sequential_max = 20;
	match_judge(&match);
	const struct finding *finding = match_finding(&match, "w.score");
	CHECK_TEXT(finding->method, "sequential block permutation");
	CHECK_INT(finding->look_runs, SEQUENTIAL_FIRST_LOOK);
	CHECK(finding->p_adjusted <= 0.01);
	CHECK_INT(finding->verdict, VERDICT_WORSE);
	CHECK(comparison_is_decided(match.comparison));
	match_done(&match);
}

static void before_the_first_look_nothing_is_decided_but_the_interval_is_shown(void **state)
{
	struct match match;
	begin(&match, 6, true, five_more);
	match.options.sequential_max = 20;
	match_judge(&match);
	const struct finding *finding = match_finding(&match, "w.score");
	CHECK(!finding->tested && finding->known);
	CHECK(isnan(finding->p));
	CHECK_NEAR(finding->change, 5.0, 1.5);
	CHECK(finding->low < finding->change && finding->high > finding->change);
	CHECK_INT(finding->verdict, VERDICT_UNDECIDED);
	CHECK_HOLDS(finding->reason, "the first look is at 8 runs a side");
	CHECK(!comparison_is_decided(match.comparison));
	match_done(&match);
}

static void the_wanted_runs_grow_as_the_question_gets_finer(void **state)
{
	static const double noisy[] = { 100.0, 4.0, 3.0, 0.0 };
	struct match match;
	begin(&match, 10, true, noisy);
	match_judge(&match);
	const struct finding *finding = match_finding(&match, "w.score");
	CHECK_INT(finding->verdict, VERDICT_UNDECIDED);
	CHECK(finding->runs_wanted > 10);
	const size_t wanted = finding->runs_wanted;
	match_done(&match);
	begin(&match, 10, true, noisy);
	match.options.alpha = 0.0001;
	match_judge(&match);
	CHECK(match_finding(&match, "w.score")->runs_wanted > wanted);
	match_done(&match);
}

static void what_can_never_differ_is_not_testable(void **state)
{
	double values[] = { 3, 3, 3, 3 };
	bool is_head[] = { false, false, true, true };
	uint32_t blocks[] = { 0, 0, 0, 0 };
	struct pair pair = { .values = values,
			     .is_head = is_head,
			     .blocks = blocks,
			     .n = 4,
			     .n_side = { 2, 2 },
			     .constant = true };
	CHECK(!measure_is_testable(&pair));
	values[2] = 4;
	values[3] = 4;
	CHECK(measure_is_testable(&pair));
	pair.n_side[1] = 1;
	CHECK(!measure_is_testable(&pair));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(enough_runs_get_the_permutation_test),
		cmocka_unit_test(too_few_runs_get_the_moderated_t_test_and_a_provisional_verdict),
		cmocka_unit_test(more_scores_need_more_runs_for_the_permutation_test),
		cmocka_unit_test(known_noise_decides_what_three_runs_cannot),
		cmocka_unit_test(few_runs_that_look_constant_prove_nothing_without_known_noise),
		cmocka_unit_test(few_runs_must_lie_apart),
		cmocka_unit_test(drift_from_block_to_block_hides_nothing),
		cmocka_unit_test(constant_sides_are_exact),
		cmocka_unit_test(looks_decide_a_campaign_that_looks),
		cmocka_unit_test(
			before_the_first_look_nothing_is_decided_but_the_interval_is_shown),
		cmocka_unit_test(the_wanted_runs_grow_as_the_question_gets_finer),
		cmocka_unit_test(what_can_never_differ_is_not_testable),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
