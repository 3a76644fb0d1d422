/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shift.h by hand, against the test that it inverts, and the coverage that it promises on a machine
 * that drifts.
 */
#include "stats/shift.h"

#include "base/macros.h"
#include "stats/layout.h"
#include "stats/sample.h"

static void the_estimate_is_the_median_of_all_differences_in_blocks(void **state)
{
	/* Differences: 3-1 3-2, and 10-4 10-9: 1 2 1 6; the median 1.5. */
	const double values[] = { 1, 2, 3, 10, 4, 9 };
	const bool is_head[] = { false, false, true, true, false, false };
	const uint32_t blocks[] = { 0, 0, 0, 1, 1, 1 };
	const struct blocked blocked = { values, is_head, blocks, 6 };
	for (enum permute_score score = PERMUTE_CLIPPED; score <= PERMUTE_MEAN; score++) {
		const struct shift shift = shift_estimate(&blocked, score, 0.95, 1);
		CHECK(shift.known);
		CHECK_NEAR(shift.estimate, 1.5, 1e-15);
	}
}

static void wilcoxons_interval_of_five_against_five(void **state)
{
	/* One block: U <= 2 is rejected at 0.05 (2 * 4 / 252), U <= 3 is not (2 * 7 / 252): the third
	 * smallest and largest of the 25 differences. */
	const double values[] = { 1.1, 2.3, 3.2, 4.9, 6.0, 5.1, 5.8, 7.7, 9.4, 12.1 };
	const bool is_head[] = { false, false, false, false, false, true, true, true, true, true };
	const struct blocked blocked = { values, is_head, NULL, 10 };
	double differences[25];
	size_t n = 0;
	for (size_t i = 0; i < 5; i++)
		for (size_t j = 5; j < 10; j++) {
			const double difference = values[j] - values[i];
			size_t at = n++;
			for (; at > 0 && differences[at - 1] > difference; at--)
				differences[at] = differences[at - 1];
			differences[at] = difference;
		}
	const struct shift shift = shift_estimate(&blocked, PERMUTE_ALIGNED_RANK, 0.95, 1);
	CHECK_NEAR(shift.low, differences[2], 1e-12);
	CHECK_NEAR(shift.high, differences[22], 1e-12);
}

static void the_interval_of_the_mean_by_hand(void **state)
{
	/* Base 0 1, head 10 12 in one block: 6 relabellings. At 60 % two of them may be out: the
	 * observed labels and those turned round. Then 10 0 | 1 12 and its like come next:
	 * (12 - 1) and (10 - 0) on the one side, with both ends of 2 (A = +-0.5, moved 1):
	 * C = 10.5, ends C - A = 9 9.5 ... 11.5 12. */
	const double values[] = { 0, 1, 10, 12 };
	const bool is_head[] = { false, false, true, true };
	const struct blocked blocked = { values, is_head, NULL, 4 };
	const struct shift none = shift_estimate(&blocked, PERMUTE_MEAN, 0.67, 1);
	CHECK(isinf(none.low) && none.low < 0.0);
	CHECK(isinf(none.high) && none.high > 0.0);
	const struct shift shift = shift_estimate(&blocked, PERMUTE_MEAN, 0.6, 1);
	CHECK_NEAR(shift.estimate, 10.5, 1e-15);
	CHECK_NEAR(shift.low, 9.0, 1e-9);
	CHECK_NEAR(shift.high, 12.0, 1e-9);
}

/* p of the mean falls on either side of the difference of means: its interval is the test's. */
static void the_interval_of_the_mean_is_what_its_test_does_not_reject(void **state)
{
	struct random random;
	random_seed(&random, 1964);
	for (int round = 0; round < 60; round++) {
		struct sample sample;
		if (round % 10 == 0)
			sample_simulate(&sample, &random, 9, 1.0, 0.0); /* Drawn. */
		else
			sample_draw(&sample, &random, 5, /* coarse= */ round % 2);
		const struct blocked blocked = sample_blocked(&sample);
		AUTO(layout) struct layout *layout = layout_new(&blocked);
		const struct shift shift = shift_estimate(&blocked, PERMUTE_MEAN, 0.9, 7);
		for (int i = -12; i <= 12; i++) {
			const double at = shift.estimate + 0.31 * i;
			const double near = fmin(fabs(at - shift.low), fabs(at - shift.high));
			if (near < 1e-6)
				continue;
			const double p = permute_shifted(layout, at, PERMUTE_MEAN, 7).p;
			if (at < shift.low || at > shift.high)
				CHECK(p <= 0.1 + 1e-9);
			else if (fabs(at - shift.estimate) > 1.0)
				CHECK(p > 0.1 - 1e-9);
		}
	}
}

static void ends_are_where_the_tests_begin_to_reject(void **state)
{
	struct random random;
	random_seed(&random, 1965);
	for (int round = 0; round < 10; round++) {
		struct sample sample;
		sample_simulate(&sample, &random, 10, 1.0, 0.0);
		const struct blocked blocked = sample_blocked(&sample);
		AUTO(layout) struct layout *layout = layout_new(&blocked);
		for (enum permute_score score = PERMUTE_CLIPPED; score <= PERMUTE_MEAN; score++) {
			const struct shift shift = shift_estimate(&blocked, score, 0.95, 1);
			const double width = shift.high - shift.low;
			CHECK(permute_shifted(layout, shift.low - 0.05 * width, score, 1).p <=
			      0.05);
			CHECK(permute_shifted(layout, shift.high + 0.05 * width, score, 1).p <=
			      0.05);
			CHECK(permute_shifted(layout, shift.low + 0.05 * width, score, 1).p > 0.05);
			CHECK(permute_shifted(layout, shift.high - 0.05 * width, score, 1).p >
			      0.05);
		}
	}
}

static void few_runs_reject_no_shift(void **state)
{
	const double values[] = { 1, 2, 5, 6, 1, 3, 5, 8 };
	const bool is_head[] = { false, false, true, true, false, false, true, true };
	const uint32_t blocks[] = { 0, 0, 0, 0, 1, 1, 1, 1 };
	const struct blocked blocked = { values, is_head, blocks, 8 };
	for (enum permute_score score = PERMUTE_CLIPPED; score <= PERMUTE_MEAN; score++) {
		/* 2 of 36 at best. */
		const struct shift shift = shift_estimate(&blocked, score, 0.95, 1);
		CHECK(isfinite(shift.estimate));
		CHECK(isinf(shift.low) && shift.low < 0.0);
		CHECK(isinf(shift.high) && shift.high > 0.0);
	}
}

static void constant_sides_have_one_shift(void **state)
{
	struct random random;
	random_seed(&random, 12);
	struct sample sample = { 0 };
	for (size_t b = 0; b < 6; b++)
		sample_add_block(&sample, &random, 2, 2);
	for (size_t i = 0; i < sample.n; i++)
		sample.values[i] = sample.is_head[i] ? 0.3 : 0.1;
	const struct blocked blocked = sample_blocked(&sample);
	for (enum permute_score score = PERMUTE_CLIPPED; score <= PERMUTE_MEAN; score++) {
		const struct shift shift = shift_estimate(&blocked, score, 0.99, 1);
		CHECK_NEAR(shift.estimate, 0.2, 1e-12);
		CHECK_NEAR(shift.low, 0.2, 1e-12);
		CHECK_NEAR(shift.high, 0.2, 1e-12);
	}
}

static void blocks_of_different_levels_do_not_hide_that_sides_are_constant(void **state)
{
	struct random random;
	random_seed(&random, 17);
	struct sample sample = { 0 };
	for (size_t b = 0; b < 6; b++)
		sample_add_block(&sample, &random, 2, 2);
	for (size_t i = 0; i < sample.n; i++)
		sample.values[i] = 1e3 + 0.1 * sample.blocks[i] + (sample.is_head[i] ? 0.2 : 0.0);
	const struct blocked blocked = sample_blocked(&sample);
	for (enum permute_score score = PERMUTE_CLIPPED; score <= PERMUTE_MEAN; score++) {
		const struct shift shift = shift_estimate(&blocked, score, 0.99, 1);
		CHECK_NEAR(shift.low, 0.2, 1e-9);
		CHECK_NEAR(shift.high, 0.2, 1e-9);
	}
}

static void without_two_sides_nothing_is_known(void **state)
{
	const double values[] = { 1, 2, 3 };
	const bool is_head[] = { true, true, true };
	const struct blocked blocked = { values, is_head, NULL, 3 };
	for (enum permute_score score = PERMUTE_CLIPPED; score <= PERMUTE_MEAN; score++) {
		const struct shift shift = shift_estimate(&blocked, score, 0.95, 1);
		CHECK(!shift.known);
		CHECK(isnan(shift.estimate) && isnan(shift.low) && isnan(shift.high));
	}
}

static void scale_and_level_go_through(void **state)
{
	struct random random;
	random_seed(&random, 13);
	struct sample sample;
	sample_simulate(&sample, &random, 8, 1.0, 0.0);
	struct sample scaled = sample;
	for (size_t i = 0; i < sample.n; i++)
		scaled.values[i] = -4.0 * sample.values[i] + 50.0 * sample.blocks[i];
	const struct blocked one = sample_blocked(&sample);
	const struct blocked other = sample_blocked(&scaled);
	for (enum permute_score score = PERMUTE_CLIPPED; score <= PERMUTE_MEAN; score++) {
		const struct shift plain = shift_estimate(&one, score, 0.95, 1);
		const struct shift turned = shift_estimate(&other, score, 0.95, 1);
		const double width = plain.high - plain.low;
		/* Searched ends are precise to a share of their first step. */
		const double near = score == PERMUTE_CLIPPED ? 0.02 * width : 1e-9;
		CHECK_NEAR(turned.estimate, -4.0 * plain.estimate, 1e-9);
		CHECK_NEAR(turned.low, -4.0 * plain.high, 4.0 * near);
		CHECK_NEAR(turned.high, -4.0 * plain.low, 4.0 * near);
	}
}

static void several_confidences_at_once_give_the_same(void **state)
{
	struct random random;
	random_seed(&random, 14);
	struct sample sample;
	sample_simulate(&sample, &random, 7, 1.0, 0.0);
	const struct blocked blocked = sample_blocked(&sample);
	const double confidences[] = { 0.99, 0.5, 0.95 };
	for (enum permute_score score = PERMUTE_CLIPPED; score <= PERMUTE_MEAN; score++) {
		struct shift shifts[3];
		shift_estimate_each(&blocked, score, 1, confidences, 3, shifts);
		for (size_t i = 0; i < 3; i++) {
			const struct shift one = shift_estimate(&blocked, score, confidences[i], 1);
			CHECK_NEAR(shifts[i].low, one.low, 0.0);
			CHECK_NEAR(shifts[i].high, one.high, 0.0);
		}
		CHECK(shifts[0].low < shifts[2].low && shifts[2].low < shifts[1].low);
		CHECK(shifts[0].high > shifts[2].high && shifts[2].high > shifts[1].high);
	}
}

static void zero_is_in_the_interval_when_the_test_did_not_reject(void **state)
{
	struct random random;
	random_seed(&random, 15);
	for (int round = 0; round < 120; round++) {
		struct sample sample;
		sample_draw(&sample, &random, 5, /* coarse= */ round % 2);
		const struct blocked blocked = sample_blocked(&sample);
		for (enum permute_score score = PERMUTE_CLIPPED; score <= PERMUTE_MEAN; score++) {
			const double p = permute_test(&blocked, score, 1).p;
			const struct shift shift = shift_estimate(&blocked, score, 0.9, 1);
			CHECK(shift.low <= shift.estimate && shift.estimate <= shift.high);
			if (p > 0.1 + 1e-9)
				CHECK(shift.low <= 1e-12 && shift.high >= -1e-12);
		}
	}
}

static void the_interval_covers_as_often_as_it_says(void **state)
{
	enum { REPETITIONS = 400 };
	struct random random;
	random_seed(&random, 16);
	size_t misses[3] = { 0 };
	for (size_t i = 0; i < REPETITIONS; i++) {
		struct sample sample;
		sample_simulate(&sample, &random, 5, 3.0, 4.0);
		const struct blocked blocked = sample_blocked(&sample);
		for (enum permute_score score = PERMUTE_CLIPPED; score <= PERMUTE_MEAN; score++) {
			const struct shift shift = shift_estimate(&blocked, score, 0.9, 1);
			misses[score] += shift.low > 3.0 || shift.high < 3.0;
		}
	}
	for (size_t i = 0; i < ARRAY_SIZE(misses); i++) {
		CHECK(sample_chance_of_at_least(misses[i], REPETITIONS, 0.1) > 0.0005);
		/* And not by being too wide. */
		CHECK(sample_chance_of_at_least(misses[i] + 1, REPETITIONS, 0.07) < 0.9995);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_estimate_is_the_median_of_all_differences_in_blocks),
		cmocka_unit_test(wilcoxons_interval_of_five_against_five),
		cmocka_unit_test(the_interval_of_the_mean_by_hand),
		cmocka_unit_test(the_interval_of_the_mean_is_what_its_test_does_not_reject),
		cmocka_unit_test(ends_are_where_the_tests_begin_to_reject),
		cmocka_unit_test(few_runs_reject_no_shift),
		cmocka_unit_test(constant_sides_have_one_shift),
		cmocka_unit_test(blocks_of_different_levels_do_not_hide_that_sides_are_constant),
		cmocka_unit_test(without_two_sides_nothing_is_known),
		cmocka_unit_test(scale_and_level_go_through),
		cmocka_unit_test(several_confidences_at_once_give_the_same),
		cmocka_unit_test(zero_is_in_the_interval_when_the_test_did_not_reject),
		cmocka_unit_test(the_interval_covers_as_often_as_it_says),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
