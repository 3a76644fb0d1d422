/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tests are given: the scale, the blocks, and the sums of the t test against naive ones. */
#include "verdict/pair.h"

#include "base/macros.h"
#include "check.h"
#include "verdict/match.h"

static const struct metric seconds = { "w.score", "s", "", METRIC_SCORE, BETTER_LOWER, ROLE_SCORE };
static const struct metric share = { "w.score", "%", "", METRIC_SCORE, BETTER_LOWER, ROLE_SCORE };
static const struct moderated_prior no_prior = { .degrees = 0.0 };

/* The pair of the only score. */
static struct pair pair_of(const struct match *match)
{
	struct pair_plan plan = pair_plan_make(match->comparison, 1);
	struct pair pair = pair_room(&plan);
	pair_fill(&pair, &plan, match_row(match, "w.score"), 1);
	pair_plan_done(&plan);
	return pair;
}

static void positive_values_are_judged_by_their_logarithms(void **state)
{
	static const double base[] = { 1, 2, 3 };
	static const double head[] = { 4, 5, 6 };
	struct match match;
	match_begin(&match, 3, false);
	match_values(&match, &seconds, base, head);
	match_judge(&match);
	struct pair pair = pair_of(&match);
	CHECK(pair.logarithmic && pair.relative && !pair.constant);
	CHECK_INT(pair.n, 6);
	CHECK_NEAR(pair.values[1], log(2), 1e-15);
	CHECK_NEAR(pair_change(&pair, log(1.1)), 10.0, 1e-12);
	pair_done(&pair);
	match_done(&match);
}

static void a_zero_or_a_share_keeps_the_values_as_they_are(void **state)
{
	static const double base[] = { 0, 2, 4 };
	static const double head[] = { 4, 5, 6 };
	struct match match;
	match_begin(&match, 3, false);
	match_values(&match, &seconds, base, head);
	match_judge(&match);
	struct pair pair = pair_of(&match);
	CHECK(!pair.logarithmic && pair.relative);
	CHECK_NEAR(pair.values[1], 2.0, 0.0);
	CHECK_NEAR(pair_change(&pair, 1.0), 50.0, 1e-12);
	/* What was never below 0 falls by no more than all of it. */
	CHECK_NEAR(pair_change(&pair, -3.0), -100.0, 0.0);
	pair_done(&pair);
	match_done(&match);

	match_begin(&match, 3, false);
	match_values(&match, &share, head, head);
	match_judge(&match);
	pair = pair_of(&match);
	CHECK(!pair.logarithmic && !pair.relative);
	CHECK_NEAR(pair_change(&pair, -3.0), -3.0, 0.0);
	pair_done(&pair);
	match_done(&match);
}

static void runs_stand_by_block(void **state)
{
	static const double base[] = { 1, 2, 3, 4 };
	static const double head[] = { 5, 6, 7, 8 };
	static const uint32_t blocks[] = { 0, 0, 0, 0, 1, 1, 1, 1 };
	static const double values[] = { 1, 2, 5, 6, 3, 4, 7, 8 };
	struct match match;
	match_begin(&match, 4, true);
	match_values(&match, &seconds, base, head);
	match_judge(&match);
	struct pair pair = pair_of(&match);
	for (size_t i = 0; i < pair.n; i++) {
		CHECK_INT(pair.blocks[i], blocks[i]);
		CHECK_NEAR(exp(pair.values[i]), values[i], 1e-12);
		CHECK_INT(pair.is_head[i], i % 4 >= 2);
	}
	pair_done(&pair);
	match_done(&match);
}

static void the_smallest_p_is_that_of_the_design(void **state)
{
	static const double some[] = { 1, 2, 3, 4, 5, 6 };
	struct match match;
	match_begin(&match, 6, true);
	match_values(&match, &seconds, some, some);
	match_judge(&match);
	struct pair pair = pair_of(&match);
	CHECK_NEAR(pair_smallest_p(&pair), 2.0 / 216.0, 1e-12); /* Three times 4 over 2. */
	pair_done(&pair);
	match_done(&match);
	match_begin(&match, 5, false);
	match_values(&match, &seconds, some, some);
	match_judge(&match);
	pair = pair_of(&match);
	CHECK_NEAR(pair_smallest_p(&pair), 2.0 / 252.0, 1e-12); /* 10 over 5. */
	pair_done(&pair);
	match_done(&match);
}

/* A pair of given numbers. */
static struct pair made(double *values, bool *is_head, uint32_t *blocks, size_t n)
{
	struct pair pair = { .values = values, .is_head = is_head, .blocks = blocks, .n = n };
	for (size_t i = 0; i < n; i++)
		pair.n_side[is_head[i]]++;
	return pair;
}

static void without_blocks_it_is_the_pooled_t_test(void **state)
{
	double values[] = { 1.0, 1.2, 0.9, 2.0, 2.4, 2.2, 2.1 };
	bool is_head[] = { false, false, false, true, true, true, true };
	uint32_t blocks[ARRAY_SIZE(values)] = { 0 };
	const struct pair pair = made(values, is_head, blocks, ARRAY_SIZE(values));
	struct pair_moderated sum;
	CHECK(pair_moderated(&pair, &no_prior, &sum));
	const struct summary base = summary_make(values, 3);
	const struct summary head = summary_make(values + 3, 4);
	CHECK_NEAR(sum.sides.head_mean - sum.sides.base_mean, head.mean - base.mean, 1e-12);
	CHECK_NEAR(sum.sides.squares,
		   2 * base.deviation * base.deviation + 3 * head.deviation * head.deviation,
		   1e-12);
	CHECK_NEAR(sum.sides.degrees, 5.0, 0.0);
	CHECK_NEAR(sum.variance, sum.sides.squares / 5.0, 1e-12);
}

/* Blocks of unequal sides against the least squares of the same model, done with the normal equations
 * of one block effect each and one side effect, by hand for two blocks. */
static void blocks_take_out_their_level_whatever_it_is(void **state)
{
	double values[] = { 10.0, 12.5, 13.0, 110.0, 111.0, 112.0 };
	bool is_head[] = { false, true, true, false, false, true };
	uint32_t blocks[] = { 3, 3, 3, 7, 7, 7 };
	const struct pair pair = made(values, is_head, blocks, ARRAY_SIZE(values));
	struct pair_moderated sum;
	CHECK(pair_moderated(&pair, &no_prior, &sum));
	/* Differences of 2.75 and 1.5, each of weight 2/3; 4/3 in all. */
	CHECK_NEAR(sum.sides.head_mean, 2.125, 1e-12);
	CHECK_NEAR(sum.sides.degrees, 3.0, 0.0);
	/* Within the sides: 2 * .25^2 and 2 * .5^2; between the differences: 2 * 2/3 * .625^2. */
	const double squares = 0.125 + 0.5 + 4.0 / 3.0 * 0.625 * 0.625;
	CHECK_NEAR(sum.variance, squares / 3.0, 1e-12);
	/* The variance of the difference is that over 4/3, which is what 3 + 3 runs with the factor
	 * give. */
	CHECK_NEAR(sum.sides.squares / 3.0 * (1.0 / 3.0 + 1.0 / 3.0), sum.variance / (4.0 / 3.0),
		   1e-12);
}

static void a_block_of_one_side_says_nothing_of_the_difference(void **state)
{
	double values[] = { 1.0, 2.0, 900.0, 901.0 };
	bool is_head[] = { false, true, true, true };
	uint32_t blocks[] = { 0, 0, 1, 1 };
	const struct pair pair = made(values, is_head, blocks, ARRAY_SIZE(values));
	struct pair_moderated sum;
	CHECK(pair_moderated(&pair, &no_prior, &sum));
	CHECK_NEAR(sum.sides.head_mean, 1.0, 1e-12);
	bool one_side[] = { true, true, true, true };
	const struct pair alone = made(values, one_side, blocks, ARRAY_SIZE(values));
	CHECK(!pair_moderated(&alone, &no_prior, &sum));
}

static void an_outlier_is_drawn_in_by_what_is_known(void **state)
{
	double values[] = { 1.00, 1.01, 0.99, 1.00, 1.50, 1.01, 1.00, 1.02, 1.01, 1.00 };
	bool is_head[] = { false, false, false, false, false, true, true, true, true, true };
	uint32_t blocks[ARRAY_SIZE(values)] = { 0 };
	const struct pair pair = made(values, is_head, blocks, ARRAY_SIZE(values));
	struct pair_moderated plain;
	struct pair_moderated wise;
	CHECK(pair_moderated(&pair, &no_prior, &plain));
	const struct moderated_prior prior = { .variance = 1e-4, .degrees = 20.0 };
	CHECK(pair_moderated(&pair, &prior, &wise));
	/* Five runs a side can hardly tell an outlier from their own scatter: most of it stays. */
	CHECK(plain.sides.head_mean < -0.05);
	CHECK(fabs(wise.sides.head_mean) < 0.02);
	CHECK(wise.variance < plain.variance / 10.0);
}

/* Equal sides, few runs, two modes: drawing in must not invent precision. */
static void equal_sides_are_found_different_as_rarely_as_promised(void **state)
{
	struct random random;
	random_seed(&random, 77);
	double values[10];
	bool is_head[10];
	uint32_t blocks[10] = { 0 };
	size_t found = 0;
	for (size_t i = 0; i < 10; i++)
		is_head[i] = i % 2 == 1;
	for (size_t repeat = 0; repeat < 4000; repeat++) {
		for (size_t i = 0; i < 10; i++)
			values[i] =
				(random_unit(&random) < 0.5 ? -3.0 : 3.0) + random_normal(&random);
		const struct pair pair = made(values, is_head, blocks, 10);
		struct pair_moderated sum;
		CHECK(pair_moderated(&pair, &no_prior, &sum));
		found += moderated_compare(&sum.sides, &sum.prior, 0.99).p <= 0.01;
	}
	CHECK(found > 0);
	CHECK(found < 100); /* 2.5 %; drawing in by the median deviation gave 10 %. */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(positive_values_are_judged_by_their_logarithms),
		cmocka_unit_test(a_zero_or_a_share_keeps_the_values_as_they_are),
		cmocka_unit_test(runs_stand_by_block),
		cmocka_unit_test(the_smallest_p_is_that_of_the_design),
		cmocka_unit_test(without_blocks_it_is_the_pooled_t_test),
		cmocka_unit_test(blocks_take_out_their_level_whatever_it_is),
		cmocka_unit_test(a_block_of_one_side_says_nothing_of_the_difference),
		cmocka_unit_test(an_outlier_is_drawn_in_by_what_is_known),
		cmocka_unit_test(equal_sides_are_found_different_as_rarely_as_promised),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
