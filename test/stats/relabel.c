/* SPDX-License-Identifier: GPL-2.0-or-later */
/* relabel.h: counts that are known, lists by hand, and draws against what all relabellings give. */
#include "stats/relabel.h"

#include "base/macros.h"
#include "stats/permute.h"
#include "stats/sample.h"

static void choices_are_counted_exactly(void **state)
{
	CHECK_NEAR(relabel_choose(4, 2), 6, 0.0);
	CHECK_NEAR(relabel_choose(10, 5), 252, 0.0);
	CHECK_NEAR(relabel_choose(40, 20), 137846528820.0, 0.0);
	CHECK_NEAR(relabel_choose(5, 0), 1, 0.0);
	CHECK_NEAR(relabel_choose(7, 6), 7, 0.0);
}

static void the_choices_come_in_order_each_once(void **state)
{
	uint32_t chosen[] = { 0, 1, 2 };
	size_t n = 1;
	uint32_t before = 12; /* 0 1 2 as digits. */
	while (relabel_next(chosen, 3, 6)) {
		const uint32_t digits = 100 * chosen[0] + 10 * chosen[1] + chosen[2];
		CHECK(digits > before);
		CHECK(chosen[0] < chosen[1] && chosen[1] < chosen[2] && chosen[2] < 6);
		before = digits;
		n++;
	}
	CHECK_INT(n, 20);
	CHECK_INT(before, 345);
}

static void a_list_begins_with_the_observed_labels(void **state)
{
	const struct layout_block block = { .first = 1, .n = 4, .n_head = 2 };
	const double scores[] = { 100, 1, 2, 4, 8 };
	double sums[6];
	uint32_t kept[6];
	relabel_list(&block, scores, sums, kept);
	const double want[] = { 3, 5, 9, 6, 10, 12 };
	const uint32_t want_kept[] = { 2, 1, 1, 1, 1, 0 };
	for (size_t i = 0; i < 6; i++) {
		CHECK_NEAR(sums[i], want[i], 0.0);
		CHECK_INT(kept[i], want_kept[i]);
	}
}

static void few_relabellings_are_all_gone_through(void **state)
{
	struct layout_block blocks[] = { { 0, 2, 1 }, { 2, 3, 2 } };
	const struct layout layout = { .n = 5, .blocks = blocks, .n_blocks = 2 };
	const double scores[] = { 1, -1, 10, 20, -30 };
	CHECK_NEAR(relabel_count(&layout), 6, 0.0);
	AUTO(relabelled) struct relabelled *all = relabel_new(&layout, scores, 1);
	CHECK(all->exhaustive);
	CHECK_INT(all->n, 6);
	const double want[] = { 31, 29, -19, -21, -9, -11 };
	const uint32_t kept[] = { 3, 2, 2, 1, 2, 1 };
	for (size_t i = 0; i < 6; i++) {
		CHECK_NEAR(all->sums[i], want[i], 0.0);
		CHECK_INT(all->kept[i], kept[i]);
	}
}

/* Mean and variance of drawn sums against those of sampling without replacement. */
static void check_draws(size_t n, size_t n_head, uint64_t seed)
{
	struct random random;
	random_seed(&random, seed);
	double scores[60];
	double mean = 0.0;
	for (size_t i = 0; i < n; i++)
		mean += (scores[i] = random_normal(&random)) / (double)n;
	double squares = 0.0;
	for (size_t i = 0; i < n; i++) {
		scores[i] -= mean;
		squares += scores[i] * scores[i];
	}
	const struct layout_block block = { .n = n, .n_head = n_head };

	enum { DRAWS = 20000 };
	static double sums[DRAWS];
	static uint32_t kept[DRAWS];
	memset(sums, 0, sizeof(sums));
	memset(kept, 0, sizeof(kept));
	relabel_add_drawn(&block, scores, &random, DRAWS, sums, kept);
	double sum = 0.0;
	double sum_squares = 0.0;
	double sum_kept = 0.0;
	for (size_t i = 0; i < DRAWS; i++) {
		sum += sums[i];
		sum_squares += sums[i] * sums[i];
		sum_kept += kept[i];
	}
	const double share = (double)n_head / (double)n;
	const double variance = squares / (double)(n - 1) * (double)n_head * (1.0 - share);
	CHECK_NEAR(sum / DRAWS, 0.0, 5.0 * sqrt(variance / DRAWS));
	CHECK_NEAR(sum_squares / DRAWS / variance, 1.0, 5.0 * sqrt(2.0 / DRAWS));
	CHECK_NEAR(sum_kept / DRAWS, (double)n_head * share, 0.1);
}

static void draws_are_fair_from_lists_and_shuffles(void **state)
{
	check_draws(8, 4, 1);   /* 70 choices: a list. */
	check_draws(40, 20, 2); /* A shuffle. */
	check_draws(40, 8, 3);
	check_draws(40, 33, 4); /* A shuffle of the base. */
}

static void sums_and_kept_runs_are_of_the_same_draw(void **state)
{
	/* With 1 for each of the head's runs and 0 for the base, centred, the sum says how many of
	 * the head's runs are kept. */
	static const size_t heads[] = { 4, 9, 20, 33 };
	struct random random;
	random_seed(&random, 18);
	for (size_t i = 0; i < ARRAY_SIZE(heads); i++) {
		const struct layout_block block = { .n = 40, .n_head = heads[i] };
		const double share = (double)heads[i] / 40.0;
		double scores[40];
		for (size_t j = 0; j < 40; j++)
			scores[j] = (j < heads[i] ? 1.0 : 0.0) - share;
		double sums[100] = { 0 };
		uint32_t kept[100] = { 0 };
		relabel_add_drawn(&block, scores, &random, 100, sums, kept);
		for (size_t m = 0; m < 100; m++)
			CHECK_NEAR(sums[m], kept[m] - share * (double)heads[i], 1e-9);
	}
}

static void many_relabellings_are_drawn_and_the_seed_says_which(void **state)
{
	struct layout_block blocks[8];
	double scores[32];
	for (size_t b = 0; b < 8; b++)
		blocks[b] = (struct layout_block) { .first = 4 * b, .n = 4, .n_head = 2 };
	for (size_t i = 0; i < 32; i++)
		scores[i] = (double)(i % 4) - 1.5;
	const struct layout layout = { .n = 32, .blocks = blocks, .n_blocks = 8 };
	AUTO(relabelled) struct relabelled *one = relabel_new(&layout, scores, 5);
	AUTO(relabelled) struct relabelled *again = relabel_new(&layout, scores, 5);
	AUTO(relabelled) struct relabelled *other = relabel_new(&layout, scores, 6);
	CHECK(!one->exhaustive);
	CHECK_INT(one->n, PERMUTE_DRAWS);
	CHECK(memcmp(one->sums, again->sums, one->n * sizeof(*one->sums)) == 0);
	CHECK(memcmp(one->sums, other->sums, one->n * sizeof(*one->sums)) != 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(choices_are_counted_exactly),
		cmocka_unit_test(the_choices_come_in_order_each_once),
		cmocka_unit_test(a_list_begins_with_the_observed_labels),
		cmocka_unit_test(few_relabellings_are_all_gone_through),
		cmocka_unit_test(draws_are_fair_from_lists_and_shuffles),
		cmocka_unit_test(sums_and_kept_runs_are_of_the_same_draw),
		cmocka_unit_test(many_relabellings_are_drawn_and_the_seed_says_which),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
