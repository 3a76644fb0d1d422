/* SPDX-License-Identifier: GPL-2.0-or-later */
/* score.h by hand, and ranks against a twin that counts who is smaller. */
#include "stats/score.h"

#include "base/macros.h"
#include "base/mem.h"
#include "stats/sample.h"

DEFINE_AUTO(ranks, int32_t *, free);
DEFINE_AUTO(numbers, double *, free);

/* Two blocks: head 5 7, base 4 8 (median 6), and head 1, base 3 (median 2). */
static const double values[] = { 5, 4, 7, 8, 1, 3 };
static const bool is_head[] = { true, false, true, false, true, false };
static const uint32_t blocks[] = { 0, 0, 0, 0, 1, 1 };
static const struct blocked by_hand = { values, is_head, blocks, 6 };

static void aligned_values_are_what_is_above_the_median_of_the_block(void **state)
{
	AUTO(layout) struct layout *layout = layout_new(&by_hand);
	double aligned[6];
	score_align(layout, 0.0, aligned);
	const double want[] = { -1, 1, -2, 2, -1, 1 }; /* Heads first. */
	for (size_t i = 0; i < 6; i++)
		CHECK_NEAR(aligned[i], want[i], 0.0);
	/* Heads 3 less: 2 4 | 4 8, median 4; -2 | 3, median 0.5. */
	score_align(layout, 3.0, aligned);
	const double shifted[] = { -2, 0, 0, 4, -2.5, 2.5 };
	for (size_t i = 0; i < 6; i++)
		CHECK_NEAR(aligned[i], shifted[i], 0.0);
}

static void tied_runs_share_their_mean_rank(void **state)
{
	AUTO(layout) struct layout *layout = layout_new(&by_hand);
	int32_t ranks[6];
	score_aligned_ranks(layout, 0.0, ranks);
	/* -2 | -1 -1 | 1 1 | 2: ranks 1, 2.5, 4.5, 6. */
	const int32_t want[] = { 5, 9, 2, 12, 5, 9 };
	for (size_t i = 0; i < 6; i++)
		CHECK_INT(ranks[i], want[i]);
}

static void rounding_does_not_break_ties(void **state)
{
	/* In each block the values are 0.1 apart, but not in floating point. */
	const double close[] = { 0.1, 0.2, 0.3, 0.4, 1.1, 1.2, 1.3, 1.4 };
	const bool head[] = { true, false, true, false, true, false, true, false };
	const uint32_t of[] = { 0, 0, 0, 0, 1, 1, 1, 1 };
	const struct blocked blocked = { close, head, of, 8 };
	AUTO(layout) struct layout *layout = layout_new(&blocked);
	int32_t ranks[8];
	score_aligned_ranks(layout, 0.0, ranks);
	for (size_t i = 0; i < 4; i++)
		CHECK_INT(ranks[i], ranks[4 + i]);
}

static void ranks_agree_with_the_twin_that_counts(void **state)
{
	struct random random;
	random_seed(&random, 1962);
	for (int round = 0; round < 200; round++) {
		struct sample sample;
		sample_draw(&sample, &random, 1 + (size_t)random_below(&random, 8), round % 2);
		const struct blocked blocked = sample_blocked(&sample);
		AUTO(layout) struct layout *layout = layout_new(&blocked);
		AUTO(numbers) double *aligned = mem_array(layout->n, sizeof(*aligned));
		AUTO(ranks) int32_t *ranks = mem_array(layout->n, sizeof(*ranks));
		const double shift = random_normal(&random);
		score_align(layout, shift, aligned);
		score_aligned_ranks(layout, shift, ranks);
		for (size_t i = 0; i < layout->n; i++) {
			int32_t doubled = 1;
			for (size_t j = 0; j < layout->n; j++) {
				const double above = aligned[i] - aligned[j];
				doubled += above > 1e-12 ? 2 : above > -1e-12 ? 1 : 0;
			}
			CHECK_INT(ranks[i], doubled);
		}
	}
}

static void clipped_values_stop_at_the_reach(void **state)
{
	/* Residuals -1 1 -2 2 -1 1: sizes 1 1 1 1 2 2, the middle 1, the reach 1.5 * 1.4826. */
	AUTO(layout) struct layout *layout = layout_new(&by_hand);
	int32_t steps[6];
	score_clipped(layout, 0.0, steps);
	const double reach = PERMUTE_CLIP * 1.4826;
	const double want[] = { -1, 1, -2, 2, -1, 1 };
	for (size_t i = 0; i < 6; i++)
		CHECK_INT(steps[i], lround(PERMUTE_CLIP_STEPS * want[i] / reach));

	const double wild[] = { 5, 4, 7, 8000, 1, 3 };
	const struct blocked blocked = { wild, is_head, blocks, 6 };
	AUTO(layout) struct layout *outlier = layout_new(&blocked);
	score_clipped(outlier, 0.0, steps);
	CHECK_INT(steps[3], PERMUTE_CLIP_STEPS);
}

static void one_outlier_among_equal_values_does_not_drown_in_zeros(void **state)
{
	/* More than half of the residuals are 0; the reach is that of the others. */
	const double mostly[] = { 5, 5, 5, 6, 5, 5 };
	const struct blocked blocked = { mostly, is_head, blocks, 6 };
	AUTO(layout) struct layout *layout = layout_new(&blocked);
	int32_t steps[6];
	score_clipped(layout, 0.0, steps);
	for (size_t i = 0; i < 6; i++) {
		const double share = i == 3 ? 1.0 / (PERMUTE_CLIP * 1.4826) : 0.0;
		CHECK_INT(steps[i], lround(PERMUTE_CLIP_STEPS * share));
	}
}

static void equal_values_have_no_scores(void **state)
{
	const double equal[] = { 0.3, 0.3, 0.3, 0.3, 0.3, 0.3 };
	const struct blocked blocked = { equal, is_head, blocks, 6 };
	AUTO(layout) struct layout *layout = layout_new(&blocked);
	for (enum permute_score score = PERMUTE_CLIPPED; score <= PERMUTE_MEAN; score++) {
		double scores[6];
		const double rounding = score_centred(layout, score, 0.0, scores);
		for (size_t i = 0; i < 6; i++)
			CHECK_NEAR(scores[i], 0.0, rounding);
	}
}

static void centred_scores_sum_to_nothing_in_each_block(void **state)
{
	struct random random;
	random_seed(&random, 17);
	struct sample sample;
	sample_draw(&sample, &random, 9, /* coarse= */ false);
	const struct blocked blocked = sample_blocked(&sample);
	AUTO(layout) struct layout *layout = layout_new(&blocked);
	AUTO(numbers) double *scores = mem_array(layout->n, sizeof(*scores));
	for (enum permute_score score = PERMUTE_CLIPPED; score <= PERMUTE_MEAN; score++) {
		const double rounding = score_centred(layout, score, 0.7, scores);
		double heads = 0.0;
		for (size_t b = 0; b < layout->n_blocks; b++) {
			double sum = 0.0;
			for (size_t i = 0; i < layout->blocks[b].n; i++) {
				const double one = scores[layout->blocks[b].first + i];
				sum += one;
				heads += i < layout->blocks[b].n_head ? one : 0.0;
			}
			CHECK_NEAR(sum, 0.0, rounding);
		}
		CHECK_NEAR(score_head_sum(layout, scores), heads, rounding);
	}
}

static void the_mean_score_keeps_distances(void **state)
{
	AUTO(layout) struct layout *layout = layout_new(&by_hand);
	double scores[6];
	(void)score_centred(layout, PERMUTE_MEAN, 1.0, scores);
	/* Heads 4 6, base 4 8: mean 5.5. Head 0, base 3: mean 1.5. */
	const double want[] = { -1.5, 0.5, -1.5, 2.5, -1.5, 1.5 };
	for (size_t i = 0; i < 6; i++)
		CHECK_NEAR(scores[i], want[i], 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(aligned_values_are_what_is_above_the_median_of_the_block),
		cmocka_unit_test(tied_runs_share_their_mean_rank),
		cmocka_unit_test(rounding_does_not_break_ties),
		cmocka_unit_test(ranks_agree_with_the_twin_that_counts),
		cmocka_unit_test(clipped_values_stop_at_the_reach),
		cmocka_unit_test(one_outlier_among_equal_values_does_not_drown_in_zeros),
		cmocka_unit_test(equal_values_have_no_scores),
		cmocka_unit_test(centred_scores_sum_to_nothing_in_each_block),
		cmocka_unit_test(the_mean_score_keeps_distances),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
