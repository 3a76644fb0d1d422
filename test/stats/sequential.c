/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sequential.h: one look is the permutation test; several against a twin that goes through all
 * schedules of a small design; the promise of one rate over all looks on a machine that drifts.
 */
#include "stats/sequential.h"

#include "base/macros.h"
#include "base/mem.h"
#include "stats/layout.h"
#include "stats/sample.h"
#include "stats/score.h"

static void one_look_is_the_permutation_test(void **state)
{
	struct random random;
	random_seed(&random, 1983);
	for (int round = 0; round < 10; round++) {
		struct sample sample;
		sample_simulate(&sample, &random, 5, 0.7, 0.0);
		const struct blocked blocked = sample_blocked(&sample);
		const struct sequential_plan plan = {
			.alpha = 0.05, .n_max = 10, .n_first = 10, .seed = (uint64_t)round
		};
		for (enum permute_score score = PERMUTE_CLIPPED; score <= PERMUTE_MEAN; score++) {
			const double p = permute_test(&blocked, score, 1).p;
			const struct sequential sequential =
				sequential_judge(&blocked, score, &plan);
			CHECK(sequential.known);
			CHECK_INT(sequential.n_looks, 1);
			CHECK_INT(sequential.look_runs, 10);
			CHECK_NEAR(sequential.spent, 0.05, 1e-15);
			/* 10,000 draws. */
			CHECK_NEAR(sequential.p, p, 5.0 * sqrt(p * (1.0 - p) / 10000.0) + 2e-4);
			CHECK_INT(sequential.rejected, sequential.p <= 0.05);
		}
	}
}

/* All schedules of blocks of 2 + 2: 6 choices a block, the two heads of each. */
#define TWIN_BLOCKS 4
#define TWIN_SCHEDULES 1296
static const size_t twin_heads[6][2] = {
	{ 0, 1 }, { 0, 2 }, { 0, 3 }, { 1, 2 }, { 1, 3 }, { 2, 3 }
};

static double twin_distance(const double *scores, size_t n_blocks, size_t schedule)
{
	double sum = 0.0;
	for (size_t b = 0; b < n_blocks; b++) {
		const size_t *heads = twin_heads[schedule % 6];
		sum += scores[4 * b + heads[0]] + scores[4 * b + heads[1]];
		schedule /= 6;
	}
	return fabs(sum);
}

struct twin {
	bool is_rejected[TWIN_SCHEDULES];
	size_t n_rejected;
};

/* One look over all schedules, of which [0] is the observed one. Gives its p. */
static double twin_look(struct twin *twin, const double *scores, size_t n_blocks, double spent)
{
	const double may_reject = spent * TWIN_SCHEDULES + 1e-9;
	const size_t allowed = (size_t)may_reject;
	const size_t before = twin->n_rejected;
	size_t farther[TWIN_SCHEDULES] = { 0 };
	for (size_t i = 0; i < TWIN_SCHEDULES; i++)
		for (size_t j = 0; j < TWIN_SCHEDULES; j++)
			farther[i] += !twin->is_rejected[j] &&
				      twin_distance(scores, n_blocks, j) >=
					      twin_distance(scores, n_blocks, i) - 1e-9;
	for (size_t i = 0; i < TWIN_SCHEDULES; i++)
		if (!twin->is_rejected[i] && before + farther[i] <= allowed) {
			twin->is_rejected[i] = true;
			twin->n_rejected++;
		}
	return (double)(before + farther[0]) / TWIN_SCHEDULES;
}

static void looks_agree_with_going_through_all_schedules(void **state)
{
	struct random random;
	random_seed(&random, 1984);
	size_t n_rejected = 0;
	for (int round = 0; round < 12; round++) {
		struct sample sample;
		sample_simulate(&sample, &random, TWIN_BLOCKS, round % 3 ? 1.5 : 0.0, 0.0);
		const struct blocked blocked = sample_blocked(&sample);
		const struct sequential_plan plan = {
			.alpha = 0.2, .n_max = 8, .n_first = 4, .seed = 3, .n_schedules = 100000
		};
		AUTO(layout) struct layout *layout = layout_new(&blocked);
		struct twin twin = { 0 };
		double p = 1.0;
		size_t looks = 0;
		for (size_t b = 2; b <= TWIN_BLOCKS && !twin.is_rejected[0]; b++) {
			const struct layout so_far = layout_prefix(layout, b);
			double scores[4 * TWIN_BLOCKS];
			(void)score_centred(&so_far, PERMUTE_ALIGNED_RANK, 0.0, scores);
			p = twin_look(&twin, scores, b, 0.2 * (double)b / TWIN_BLOCKS);
			looks++;
		}
		const struct sequential sequential =
			sequential_judge(&blocked, PERMUTE_ALIGNED_RANK, &plan);
		/* Near a boundary the drawn schedules may say otherwise. */
		if (fabs(p - 0.2) < 0.01 || fabs(p - 0.15) < 0.01 || fabs(p - 0.1) < 0.01)
			continue;
		CHECK_INT(sequential.rejected, twin.is_rejected[0]);
		CHECK_INT(sequential.n_looks, looks);
		CHECK_NEAR(sequential.p, p, 0.012);
		n_rejected += sequential.rejected;
	}
	CHECK(n_rejected > 1 && n_rejected < 10);
}

static void the_first_look_waits_for_both_sides(void **state)
{
	struct random random;
	random_seed(&random, 2);
	struct sample sample;
	sample_simulate(&sample, &random, 6, 50.0, 0.0);
	struct blocked blocked = sample_blocked(&sample);
	const struct sequential_plan plan = { .alpha = 0.01, .n_max = 20, .seed = 1 };
	blocked.n = 12;
	const struct sequential early = sequential_judge(&blocked, PERMUTE_CLIPPED, &plan);
	CHECK(!early.known && !early.rejected);
	CHECK(isnan(early.p));
	CHECK_INT(early.n_looks, 0);
	blocked.n = 16;
	const struct sequential first = sequential_judge(&blocked, PERMUTE_CLIPPED, &plan);
	CHECK(first.known && first.rejected);
	CHECK_INT(first.look_runs, 8);
	CHECK_NEAR(first.spent, 0.004, 1e-15);
	CHECK(first.p <= 0.004);
}

static void later_blocks_do_not_change_what_a_look_said(void **state)
{
	struct random random;
	random_seed(&random, 3);
	for (int round = 0; round < 10; round++) {
		struct sample sample;
		sample_simulate(&sample, &random, 10, 1.2, 0.0);
		struct blocked blocked = sample_blocked(&sample);
		const struct sequential_plan plan = { .alpha = 0.01, .n_max = 20, .seed = 4 };
		const struct sequential whole =
			sequential_judge(&blocked, PERMUTE_ALIGNED_RANK, &plan);
		for (size_t b = 4; b <= 10; b++) {
			blocked.n = 4 * b;
			const struct sequential part =
				sequential_judge(&blocked, PERMUTE_ALIGNED_RANK, &plan);
			const bool is_decided = whole.rejected && 2 * b >= whole.look_runs;
			CHECK_INT(part.rejected, is_decided);
			CHECK_INT(part.look_runs, is_decided ? whole.look_runs : 2 * b);
			if (is_decided)
				CHECK_NEAR(part.p, whole.p, 0.0);
		}
	}
}

static void p_is_at_most_alpha_exactly_when_rejected(void **state)
{
	struct random random;
	random_seed(&random, 5);
	size_t rejected = 0;
	size_t above = 0;
	for (int round = 0; round < 60; round++) {
		struct sample sample;
		sample_simulate(&sample, &random, 10, 0.9, 0.0);
		struct blocked blocked = sample_blocked(&sample);
		const struct sequential_plan plan = {
			.alpha = 0.05, .n_max = 20, .seed = 6, .n_schedules = 1000
		};
		for (size_t b = 4; b <= 10; b++) {
			blocked.n = 4 * b;
			const struct sequential one =
				sequential_judge(&blocked, PERMUTE_MEAN, &plan);
			CHECK_INT(one.rejected, one.p <= plan.alpha);
			CHECK(one.p > 0.0 && one.p <= 1.0);
			if (one.rejected)
				CHECK(one.p <= one.spent + 1e-12);
			rejected += one.rejected;
			above += !one.rejected;
		}
	}
	CHECK(rejected > 20 && above > 20);
}

static void the_seed_says_which_schedules(void **state)
{
	struct random random;
	random_seed(&random, 7);
	struct sample sample;
	sample_simulate(&sample, &random, 10, 0.5, 0.0);
	const struct blocked blocked = sample_blocked(&sample);
	struct sequential_plan plan = { .alpha = 0.01, .n_max = 20, .seed = 8 };
	const double one = sequential_judge(&blocked, PERMUTE_ALIGNED_RANK, &plan).p;
	CHECK_NEAR(sequential_judge(&blocked, PERMUTE_ALIGNED_RANK, &plan).p, one, 0.0);
	plan.seed = 9;
	const double other = sequential_judge(&blocked, PERMUTE_ALIGNED_RANK, &plan).p;
	CHECK(fabs(other - one) > 0.0);
	CHECK_NEAR(other, one, 0.03);
}

static void shared_schedules_give_the_same_answer(void **state)
{
	/* 2 + 2, a block too large for a list, one of few choices, one more. */
	static const size_t sizes[][2] = { { 2, 2 }, { 8, 9 }, { 1, 2 }, { 3, 3 }, { 2, 2 } };
	const struct sequential_plan plan = {
		.alpha = 0.05, .n_max = 16, .n_first = 2, .seed = 10, .n_schedules = 2000
	};
	AUTO(sequential_schedules)
	struct sequential_schedules *schedules =
		sequential_schedules_new(&plan, sizes, ARRAY_SIZE(sizes));
	struct random random;
	random_seed(&random, 11);
	for (size_t n_blocks = 1; n_blocks <= ARRAY_SIZE(sizes); n_blocks++) {
		struct sample sample = { 0 };
		for (size_t b = 0; b < n_blocks; b++)
			sample_add_block(&sample, &random, sizes[b][0], sizes[b][1]);
		for (size_t i = 0; i < sample.n; i++)
			sample.values[i] = random_normal(&random) + (sample.is_head[i] ? 0.4 : 0.0);
		const struct blocked blocked = sample_blocked(&sample);
		for (enum permute_score score = PERMUTE_CLIPPED; score <= PERMUTE_MEAN; score++) {
			const struct sequential alone = sequential_judge(&blocked, score, &plan);
			const struct sequential shared =
				sequential_judge_with(schedules, &blocked, score, &plan);
			CHECK_NEAR(shared.p, alone.p, 0.0);
			CHECK_INT(shared.n_looks, alone.n_looks);
			CHECK_INT(shared.rejected, alone.rejected);
		}
	}
}

static void blocks_of_one_side_do_not_count(void **state)
{
	struct random random;
	random_seed(&random, 12);
	struct sample sample = { 0 };
	sample_add_block(&sample, &random, 2, 2);
	sample_add_block(&sample, &random, 4, 0);
	sample_add_block(&sample, &random, 0, 4);
	sample_add_block(&sample, &random, 2, 2);
	for (size_t i = 0; i < sample.n; i++)
		sample.values[i] = (double)i;
	const struct blocked blocked = sample_blocked(&sample);
	const struct sequential_plan plan = {
		.alpha = 0.01, .n_max = 20, .n_first = 2, .seed = 1, .n_schedules = 100
	};
	const struct sequential sequential = sequential_judge(&blocked, PERMUTE_CLIPPED, &plan);
	CHECK_INT(sequential.n_looks, 2);
	CHECK_INT(sequential.look_runs, 4);
	CHECK_NEAR(sequential.spent, 0.002, 1e-15);
}

static void looks_end_when_alpha_is_spent(void **state)
{
	struct random random;
	random_seed(&random, 13);
	struct sample sample;
	sample_simulate(&sample, &random, 10, 0.0, 0.0);
	const struct blocked blocked = sample_blocked(&sample);
	const struct sequential_plan plan = {
		.alpha = 0.01, .n_max = 11, .seed = 1, .n_schedules = 1000
	};
	const struct sequential sequential = sequential_judge(&blocked, PERMUTE_CLIPPED, &plan);
	CHECK_INT(sequential.look_runs, 12);
	CHECK_INT(sequential.n_looks, 3);
	CHECK_NEAR(sequential.spent, 0.01, 0.0);
}

static void equal_values_are_never_rejected(void **state)
{
	struct random random;
	random_seed(&random, 14);
	struct sample sample;
	sample_simulate(&sample, &random, 10, 0.0, 0.0);
	for (size_t i = 0; i < sample.n; i++)
		sample.values[i] = 0.1 * sample.blocks[i];
	const struct blocked blocked = sample_blocked(&sample);
	const struct sequential_plan plan = {
		.alpha = 0.5, .n_max = 20, .seed = 1, .n_schedules = 1000
	};
	for (enum permute_score score = PERMUTE_CLIPPED; score <= PERMUTE_MEAN; score++) {
		const struct sequential sequential = sequential_judge(&blocked, score, &plan);
		CHECK(sequential.known && !sequential.rejected);
		CHECK_NEAR(sequential.p, 1.0, 0.0);
	}
}

static void one_rate_holds_over_all_looks_on_a_machine_that_drifts(void **state)
{
	enum { REPETITIONS = 1000 };
	struct random random;
	random_seed(&random, 15);
	size_t hits = 0;
	size_t at_looks = 0;
	for (size_t i = 0; i < REPETITIONS; i++) {
		struct sample sample;
		sample_simulate(&sample, &random, 10, 0.0, 5.0);
		const struct blocked blocked = sample_blocked(&sample);
		const struct sequential_plan plan = {
			.alpha = 0.05, .n_max = 20, .seed = i, .n_schedules = 999
		};
		const struct sequential sequential =
			sequential_judge(&blocked, PERMUTE_CLIPPED, &plan);
		hits += sequential.rejected;
		at_looks += sequential.rejected && sequential.look_runs < 20;
	}
	CHECK(sample_chance_of_at_least(hits, REPETITIONS, 0.05) > 0.0005);
	CHECK(sample_chance_of_at_least(hits + 1, REPETITIONS, 0.035) < 0.9995);
	CHECK(at_looks > hits / 2);
}

/* All distances are 0, and none may be taken for the farthest: the next look would have more rejected
 * than it may. */
static void looks_at_nothing_but_zeros_reject_nothing(void **state)
{
	double values[30] = { 0 };
	bool is_head[30];
	uint32_t blocks[30];
	for (size_t i = 0; i < 30; i++) {
		is_head[i] = i % 2;
		blocks[i] = (uint32_t)i / 10;
		if (i >= 10 && is_head[i])
			values[i] = 1.0;
	}
	const struct blocked blocked = { values, is_head, blocks, 30 };
	const struct sequential_plan plan = { .alpha = 0.01, .n_max = 15, .n_first = 5, .seed = 4 };
	const struct sequential sequential = sequential_judge(&blocked, PERMUTE_MEAN, &plan);
	CHECK(sequential.known && sequential.rejected);
	memset(values, 0, sizeof(values));
	CHECK(!sequential_judge(&blocked, PERMUTE_MEAN, &plan).rejected);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_look_is_the_permutation_test),
		cmocka_unit_test(looks_agree_with_going_through_all_schedules),
		cmocka_unit_test(the_first_look_waits_for_both_sides),
		cmocka_unit_test(looks_at_nothing_but_zeros_reject_nothing),
		cmocka_unit_test(later_blocks_do_not_change_what_a_look_said),
		cmocka_unit_test(p_is_at_most_alpha_exactly_when_rejected),
		cmocka_unit_test(the_seed_says_which_schedules),
		cmocka_unit_test(shared_schedules_give_the_same_answer),
		cmocka_unit_test(blocks_of_one_side_do_not_count),
		cmocka_unit_test(looks_end_when_alpha_is_spent),
		cmocka_unit_test(equal_values_are_never_rejected),
		cmocka_unit_test(one_rate_holds_over_all_looks_on_a_machine_that_drifts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
