/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * permute.h by hand, against the twin that goes through every relabelling, and the promise of its
 * opening comment on a machine that drifts.
 */
#include "stats/permute.h"

#include "base/macros.h"
#include "base/mem.h"
#include "stats/layout.h"
#include "stats/sample.h"
#include "stats/score.h"

DEFINE_AUTO(numbers, double *, free);

static const char *const names[] = { "clipped", "aligned rank", "mean" };

/* The scores of the runs in the order of the sample, whose blocks stand together. */
static void scores_of(const struct sample *sample, enum permute_score score, double *ret_scores)
{
	const struct blocked blocked = sample_blocked(sample);
	AUTO(layout) struct layout *layout = layout_new(&blocked);
	AUTO(numbers) double *scores = mem_array(layout->n, sizeof(*scores));
	(void)score_centred(layout, score, 0.0, scores);
	size_t heads = 0;
	size_t bases = 0;
	for (size_t i = 0; i < sample->n; i++) {
		const struct layout_block *block = &layout->blocks[sample->blocks[i]];
		if (i == block->first)
			heads = bases = 0;
		ret_scores[i] = scores[block->first +
				       (sample->is_head[i] ? heads++ : block->n_head + bases++)];
	}
}

static void every_score_agrees_with_going_through_all(void **state)
{
	struct random random;
	random_seed(&random, 1923);
	for (int round = 0; round < 240; round++) {
		struct sample sample;
		sample_draw(&sample, &random, 1 + (size_t)random_below(&random, 4),
			    /* coarse= */ round % 2);
		const struct blocked blocked = sample_blocked(&sample);
		for (enum permute_score score = PERMUTE_CLIPPED; score <= PERMUTE_MEAN; score++) {
			double scores[SAMPLE_MAX];
			scores_of(&sample, score, scores);
			const struct permuted permuted = permute_test(&blocked, score, 1);
			CHECK(permuted.known && permuted.exhaustive);
			const double want = sample_p(&sample, scores);
			if (fabs(permuted.p - want) > 1e-12)
				CHECK_FAIL("%s, round %d: p %g, not %g", names[score], round,
					   permuted.p, want);
			CHECK(permuted.smallest_p <= permuted.p + 1e-12);
		}
	}
}

static void five_against_five_without_overlap_give_2_of_252(void **state)
{
	const double values[] = { 1, 2, 3, 4, 5, 16, 17, 18, 19, 20 };
	const bool is_head[] = { false, false, false, false, false, true, true, true, true, true };
	const struct blocked blocked = { values, is_head, NULL, 10 };
	for (enum permute_score score = PERMUTE_CLIPPED; score <= PERMUTE_MEAN; score++) {
		const struct permuted permuted = permute_test(&blocked, score, 1);
		CHECK_NEAR(permuted.relabellings, 252, 0.0);
		if (score != PERMUTE_CLIPPED)
			CHECK_NEAR(permuted.p, 2.0 / 252.0, 1e-15);
		CHECK(permuted.p <= 0.02);
	}
}

static void three_blocks_of_two_and_two_by_hand(void **state)
{
	/* The head is larger in each block, by different amounts: 2 of 216. */
	const double values[] = { 1, 2, 5, 6, 11, 12, 17, 18, 101, 102, 103, 104 };
	const bool is_head[] = { false, false, true,  true,  false, false,
				 true,  true,  false, false, true,  true };
	const uint32_t blocks[] = { 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2 };
	const struct blocked blocked = { values, is_head, blocks, 12 };
	const struct permuted ranks = permute_test(&blocked, PERMUTE_ALIGNED_RANK, 1);
	CHECK_NEAR(ranks.relabellings, 216, 0.0);
	CHECK_NEAR(ranks.p, 2.0 / 216.0, 1e-15);
	CHECK_NEAR(ranks.smallest_p, 2.0 / 216.0, 1e-15);
	CHECK_NEAR(permute_test(&blocked, PERMUTE_MEAN, 1).p, 2.0 / 216.0, 1e-15);
}

static void one_block_without_ties_is_wilcoxons_test(void **state)
{
	/* 3 against 4: the head's ranks 1 2 4 have the sum 7; sums of 3 of 7 up to 7: 123, 124. */
	const double values[] = { 1.1, 1.2, 1.4, 1.3, 1.5, 1.6, 1.7 };
	const bool is_head[] = { true, true, true, false, false, false, false };
	const struct blocked blocked = { values, is_head, NULL, 7 };
	const struct permuted permuted = permute_test(&blocked, PERMUTE_ALIGNED_RANK, 1);
	CHECK_NEAR(permuted.p, 4.0 / 35.0, 1e-15);
	CHECK_NEAR(permuted.smallest_p, 2.0 / 35.0, 1e-15);
}

static void equal_values_give_p_1(void **state)
{
	struct sample sample = { 0 };
	struct random random;
	random_seed(&random, 3);
	for (size_t b = 0; b < 10; b++)
		sample_add_block(&sample, &random, 2, 2);
	const struct blocked blocked = sample_blocked(&sample);
	for (size_t i = 0; i < sample.n; i++)
		sample.values[i] = 1e9 + 0.1;
	for (enum permute_score score = PERMUTE_CLIPPED; score <= PERMUTE_MEAN; score++)
		CHECK_NEAR(permute_test(&blocked, score, 1).p, 1.0, 0.0);
}

static void blocks_may_differ_without_a_difference_of_sides(void **state)
{
	/* Constant within each block: the machine moved, the sides did not. */
	struct sample sample = { 0 };
	struct random random;
	random_seed(&random, 4);
	for (size_t b = 0; b < 6; b++)
		sample_add_block(&sample, &random, 2, 2);
	for (size_t i = 0; i < sample.n; i++)
		sample.values[i] = 0.1 * sample.blocks[i];
	const struct blocked blocked = sample_blocked(&sample);
	for (enum permute_score score = PERMUTE_CLIPPED; score <= PERMUTE_MEAN; score++)
		CHECK_NEAR(permute_test(&blocked, score, 1).p, 1.0, 0.0);
}

static void without_two_sides_nothing_is_known(void **state)
{
	const double values[] = { 1, 2, 3 };
	const bool is_head[] = { false, true, true };
	const uint32_t blocks[] = { 0, 1, 1 };
	const struct blocked blocked = { values, is_head, blocks, 3 };
	const struct blocked none = { 0 };
	const struct permuted one_sided = permute_test(&blocked, PERMUTE_CLIPPED, 1);
	CHECK(!one_sided.known);
	CHECK(isnan(one_sided.p) && isnan(one_sided.smallest_p) && isnan(one_sided.relabellings));
	CHECK(!permute_test(&none, PERMUTE_MEAN, 1).known);
}

static void the_sides_and_the_level_can_be_swapped(void **state)
{
	struct random random;
	random_seed(&random, 5);
	struct sample sample;
	sample_simulate(&sample, &random, 5, 1.0, 0.0);
	struct sample turned = sample;
	for (size_t i = 0; i < sample.n; i++) {
		turned.is_head[i] = !sample.is_head[i];
		turned.values[i] = 7.0 - 3.0 * sample.values[i] + 1000.0 * sample.blocks[i];
	}
	const struct blocked one = sample_blocked(&sample);
	const struct blocked other = sample_blocked(&turned);
	for (enum permute_score score = PERMUTE_CLIPPED; score <= PERMUTE_MEAN; score++)
		CHECK_NEAR(permute_test(&other, score, 1).p, permute_test(&one, score, 1).p, 1e-12);
}

static void a_shift_is_taken_off_the_head(void **state)
{
	struct random random;
	random_seed(&random, 6);
	struct sample sample;
	sample_simulate(&sample, &random, 6, 1.0, 0.0);
	struct sample less = sample;
	for (size_t i = 0; i < sample.n; i++)
		less.values[i] -= sample.is_head[i] ? 0.25 : 0.0;
	const struct blocked blocked = sample_blocked(&sample);
	const struct blocked shifted = sample_blocked(&less);
	AUTO(layout) struct layout *layout = layout_new(&blocked);
	for (enum permute_score score = PERMUTE_CLIPPED; score <= PERMUTE_MEAN; score++)
		CHECK_NEAR(permute_shifted(layout, 0.25, score, 1).p,
			   permute_test(&shifted, score, 1).p, 1e-12);
}

static void draws_are_near_what_counting_gives(void **state)
{
	/* 240 + 240 in one block are too many to count: drawn, beside the normal approximation. */
	struct random random;
	random_seed(&random, 7);
	struct sample sample = { 0 };
	sample_add_block(&sample, &random, 240, 240);
	for (size_t i = 0; i < sample.n; i++)
		sample.values[i] = random_normal(&random) + (sample.is_head[i] ? 0.15 : 0.0);
	const struct blocked blocked = sample_blocked(&sample);
	for (enum permute_score score = PERMUTE_CLIPPED; score <= PERMUTE_MEAN; score++) {
		double scores[SAMPLE_MAX];
		scores_of(&sample, score, scores);
		double sum = 0.0;
		double squares = 0.0;
		for (size_t i = 0; i < sample.n; i++) {
			sum += sample.is_head[i] ? scores[i] : 0.0;
			squares += scores[i] * scores[i];
		}
		const double z = sum / sqrt(squares / 479.0 * 120.0);
		const struct permuted permuted = permute_test(&blocked, score, 8);
		CHECK(!permuted.exhaustive);
		CHECK_NEAR(permuted.p, erfc(fabs(z) / sqrt(2.0)), 0.02);
		CHECK_NEAR(permuted.smallest_p, 1.0 / (1.0 + PERMUTE_DRAWS), 1e-12);
		CHECK_NEAR(permute_test(&blocked, score, 8).p, permuted.p, 0.0);
	}
}

static void many_blocks_are_counted_for_whole_scores(void **state)
{
	struct random random;
	random_seed(&random, 9);
	struct sample sample;
	sample_simulate(&sample, &random, 10, 5.0, 0.0);
	const struct blocked blocked = sample_blocked(&sample);
	const struct permuted ranks = permute_test(&blocked, PERMUTE_ALIGNED_RANK, 1);
	CHECK(ranks.exhaustive);
	CHECK_NEAR(ranks.relabellings, pow(6, 10), 0.0);
	CHECK_NEAR(ranks.p / (2.0 * pow(6, -10)), 1.0, 1e-9);
	const struct permuted clipped = permute_test(&blocked, PERMUTE_CLIPPED, 1);
	CHECK(clipped.exhaustive && clipped.p < 1e-5);
	const struct permuted mean = permute_test(&blocked, PERMUTE_MEAN, 1);
	CHECK(!mean.exhaustive);
	CHECK_NEAR(mean.p, 1.0 / (1.0 + PERMUTE_DRAWS), 1e-12);
}

static void the_rate_is_kept_on_a_machine_that_drifts(void **state)
{
	/* A drift of 5 deviations over the session, and a first-order memory of 0.9 besides. */
	enum { REPETITIONS = 1500 };
	const double rate = 0.05;
	struct random random;
	random_seed(&random, 10);
	size_t hits[2] = { 0 };
	for (size_t i = 0; i < REPETITIONS; i++) {
		struct sample sample;
		sample_simulate(&sample, &random, 5, 0.0, 5.0);
		double memory = 0.0;
		for (size_t j = 0; j < sample.n; j++) {
			memory = 0.9 * memory + random_normal(&random);
			sample.values[j] += memory;
		}
		const struct blocked blocked = sample_blocked(&sample);
		for (enum permute_score score = PERMUTE_CLIPPED; score <= PERMUTE_ALIGNED_RANK;
		     score++)
			hits[score] += permute_test(&blocked, score, 1).p <= rate;
	}
	for (size_t i = 0; i < ARRAY_SIZE(hits); i++) {
		CHECK(sample_chance_of_at_least(hits[i], REPETITIONS, rate) > 0.0005);
		/* And not for being blind: the steps of p are fine enough. */
		CHECK(sample_chance_of_at_least(hits[i] + 1, REPETITIONS, 0.8 * rate) < 0.9995);
	}
}

static void the_smallest_p_follows_from_the_sizes(void **state)
{
	const size_t three[][2] = { { 2, 2 }, { 2, 2 }, { 2, 2 } };
	CHECK_NEAR(permute_smallest_p(three, 3), 2.0 / 216.0, 1e-15);
	CHECK_NEAR(permute_smallest_p(three, 1), 2.0 / 6.0, 1e-15);
	const size_t lopsided[][2] = { { 3, 1 }, { 0, 5 }, { 4, 0 } };
	CHECK_NEAR(permute_smallest_p(lopsided, 3), 0.25, 1e-15);
	const size_t none[][2] = { { 0, 5 }, { 4, 0 } };
	CHECK_NEAR(permute_smallest_p(none, 2), 1.0, 0.0);
	CHECK_NEAR(permute_smallest_p(NULL, 0), 1.0, 0.0);
	const size_t five[][2] = { { 5, 5 } };
	CHECK_NEAR(permute_smallest_p(five, 1), 2.0 / 252.0, 1e-15);
}

static void no_values_go_below_the_smallest_p(void **state)
{
	struct random random;
	random_seed(&random, 11);
	for (int round = 0; round < 200; round++) {
		struct sample sample;
		const size_t n_blocks = 1 + (size_t)random_below(&random, 3);
		sample_draw(&sample, &random, n_blocks, /* coarse= */ round % 2);
		size_t sizes[3][2] = { 0 };
		for (size_t i = 0; i < sample.n; i++)
			sizes[sample.blocks[i]][sample.is_head[i]]++;
		const struct blocked blocked = sample_blocked(&sample);
		const double smallest = permute_smallest_p(sizes, n_blocks);
		for (enum permute_score score = PERMUTE_CLIPPED; score <= PERMUTE_MEAN; score++)
			CHECK(permute_test(&blocked, score, 1).smallest_p >= smallest - 1e-12);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_score_agrees_with_going_through_all),
		cmocka_unit_test(five_against_five_without_overlap_give_2_of_252),
		cmocka_unit_test(three_blocks_of_two_and_two_by_hand),
		cmocka_unit_test(one_block_without_ties_is_wilcoxons_test),
		cmocka_unit_test(equal_values_give_p_1),
		cmocka_unit_test(blocks_may_differ_without_a_difference_of_sides),
		cmocka_unit_test(without_two_sides_nothing_is_known),
		cmocka_unit_test(the_sides_and_the_level_can_be_swapped),
		cmocka_unit_test(a_shift_is_taken_off_the_head),
		cmocka_unit_test(draws_are_near_what_counting_gives),
		cmocka_unit_test(many_blocks_are_counted_for_whole_scores),
		cmocka_unit_test(the_rate_is_kept_on_a_machine_that_drifts),
		cmocka_unit_test(the_smallest_p_follows_from_the_sizes),
		cmocka_unit_test(no_values_go_below_the_smallest_p),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
