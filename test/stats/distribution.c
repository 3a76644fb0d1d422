/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * distribution.h against the twin that goes through all relabellings, and against the distribution of
 * Wilcoxon's sum from libRmath.
 */
#include "stats/distribution.h"

#include "base/macros.h"
#include "base/mem.h"
#include "stats/sample.h"

#define MATHLIB_STANDALONE 1
#include <Rmath.h>

DEFINE_AUTO(scores, int32_t *, free);

static int ascending(const void *one, const void *other)
{
	return *(const int32_t *)one - *(const int32_t *)other;
}

/* Gives the values of a sample, which are whole numbers, as scores in the order of the layout. */
static int64_t sort_scores(const struct layout *layout, int32_t *ret_sorted)
{
	int64_t heads = 0;
	for (size_t b = 0; b < layout->n_blocks; b++) {
		const struct layout_block *block = &layout->blocks[b];
		for (size_t i = block->first; i < block->first + block->n; i++) {
			ret_sorted[i] = (int32_t)layout->values[i];
			heads += i < block->first + block->n_head ? ret_sorted[i] : 0;
		}
		qsort(ret_sorted + block->first, block->n, sizeof(*ret_sorted), ascending);
	}
	return heads;
}

static void check_against_twin(const struct sample *sample)
{
	const struct blocked blocked = sample_blocked(sample);
	AUTO(layout) struct layout *layout = layout_new(&blocked);
	AUTO(scores) int32_t *sorted = mem_array(layout->n, sizeof(*sorted));
	const int64_t heads = sort_scores(layout, sorted);
	AUTO(distribution) struct distribution *distribution = distribution_new(layout, sorted);
	CHECK(distribution);
	CHECK_NEAR(distribution_p(distribution, heads), sample_p(sample, sample->values), 1e-12);
}

static void small_designs_agree_with_going_through_all(void **state)
{
	struct random random;
	random_seed(&random, 1935);
	for (int round = 0; round < 300; round++) {
		struct sample sample;
		sample_draw(&sample, &random, 1 + (size_t)random_below(&random, 4),
			    /* coarse= */ true);
		const double step = (double)(1 + random_below(&random, 40));
		for (size_t i = 0; i < sample.n; i++)
			sample.values[i] = step * (double)((int)random_below(&random, 30) - 15);
		check_against_twin(&sample);
	}
}

static void large_blocks_agree_with_going_through_all(void **state)
{
	/* More than 256 choices: the runs are taken one by one, the smaller side of them. */
	static const size_t sizes[][2] = { { 6, 6 }, { 9, 4 }, { 4, 9 }, { 5, 8 } };
	struct random random;
	random_seed(&random, 1936);
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct sample sample = { 0 };
		sample_add_block(&sample, &random, sizes[i][0], sizes[i][1]);
		sample_add_block(&sample, &random, 1, 2);
		for (size_t j = 0; j < sample.n; j++)
			sample.values[j] = floor(50.0 * random_unit(&random));
		check_against_twin(&sample);
	}
}

static void one_block_without_ties_is_wilcoxons_sum(void **state)
{
	static const size_t sizes[][2] = { { 5, 5 }, { 20, 20 }, { 12, 30 }, { 30, 12 } };
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		const size_t n_base = sizes[i][0];
		const size_t n_head = sizes[i][1];
		struct layout_block block = { .n = n_base + n_head, .n_head = n_head };
		const struct layout layout = { .n = block.n, .blocks = &block, .n_blocks = 1 };
		AUTO(scores) int32_t *sorted = mem_array(block.n, sizeof(*sorted));
		for (size_t j = 0; j < block.n; j++)
			sorted[j] = (int32_t)(2 * j + 2);
		AUTO(distribution)
		struct distribution *distribution = distribution_new(&layout, sorted);
		CHECK(distribution);
		const size_t middle = n_base * n_head / 2;
		for (size_t u = 0; u < middle; u += 1 + middle / 7) {
			const int64_t sum = (int64_t)(2 * u + n_head * (n_head + 1));
			const double want =
				2.0 * pwilcox((double)u, (double)n_head, (double)n_base, 1, 0);
			CHECK_NEAR(distribution_p(distribution, sum), want, 1e-9 * want + 1e-300);
		}
		CHECK_NEAR(distribution_smallest_p(distribution),
			   2.0 / choose((double)block.n, (double)n_head), 1e-15);
	}
}

static void equal_scores_say_nothing(void **state)
{
	struct layout_block blocks[] = { { 0, 4, 2 }, { 4, 3, 1 } };
	const struct layout layout = { .n = 7, .blocks = blocks, .n_blocks = 2 };
	const int32_t sorted[] = { 5, 5, 5, 5, 9, 9, 9 };
	AUTO(distribution) struct distribution *distribution = distribution_new(&layout, sorted);
	CHECK_NEAR(distribution_p(distribution, 19), 1.0, 0.0);
	CHECK_NEAR(distribution_smallest_p(distribution), 1.0, 0.0);
}

static void a_lopsided_block_is_farther_out_on_one_side(void **state)
{
	/* One head among 1 1 1 9: the 9 is 6 above the expectation of 3, a 1 is 2 below. */
	struct layout_block block = { .n = 4, .n_head = 1 };
	const struct layout layout = { .n = 4, .blocks = &block, .n_blocks = 1 };
	const int32_t sorted[] = { 1, 1, 1, 9 };
	AUTO(distribution) struct distribution *distribution = distribution_new(&layout, sorted);
	CHECK_NEAR(distribution_p(distribution, 9), 0.25, 1e-15);
	CHECK_NEAR(distribution_p(distribution, 1), 1.0, 1e-15);
	CHECK_NEAR(distribution_smallest_p(distribution), 0.25, 1e-15);
}

static void tiny_shares_keep_their_digits(void **state)
{
	/* 100 blocks of 2 + 2: the farthest of 6^100 relabellings. */
	struct layout_block blocks[100];
	int32_t sorted[400];
	for (size_t b = 0; b < 100; b++) {
		blocks[b] = (struct layout_block) { .first = 4 * b, .n = 4, .n_head = 2 };
		for (size_t i = 0; i < 4; i++)
			sorted[4 * b + i] = (int32_t)(i * i + b % 3);
	}
	const struct layout layout = { .n = 400, .blocks = blocks, .n_blocks = 100 };
	AUTO(distribution) struct distribution *distribution = distribution_new(&layout, sorted);
	const double want = 2.0 * pow(6.0, -100.0);
	CHECK_NEAR(distribution_smallest_p(distribution) / want, 1.0, 1e-10);
}

static void too_much_work_is_refused(void **state)
{
	struct layout_block block = { .n = 600, .n_head = 300 };
	const struct layout layout = { .n = 600, .blocks = &block, .n_blocks = 1 };
	int32_t sorted[600];
	for (size_t i = 0; i < 600; i++)
		sorted[i] = (int32_t)(2 * i + 2);
	AUTO(distribution) struct distribution *distribution = distribution_new(&layout, sorted);
	CHECK(!distribution);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_designs_agree_with_going_through_all),
		cmocka_unit_test(large_blocks_agree_with_going_through_all),
		cmocka_unit_test(one_block_without_ties_is_wilcoxons_sum),
		cmocka_unit_test(equal_scores_say_nothing),
		cmocka_unit_test(a_lopsided_block_is_farther_out_on_one_side),
		cmocka_unit_test(tiny_shares_keep_their_digits),
		cmocka_unit_test(too_much_work_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
