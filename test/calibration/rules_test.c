/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rules of other tools against examples that were worked out by hand. */
#include "base/macros.h"
#include "calibration/rate.h"
#include "calibration/rules_other.h"
#include "calibration/simulate.h"
#include "check.h"

#include <math.h>

#define BOTH(base_, head_)                                                                         \
	{                                                                                          \
		base_, ARRAY_SIZE(base_), head_, ARRAY_SIZE(head_)                                 \
	}

static void lkp_wants_the_smallest_above_the_other_median(void **state)
{
	const double low[] = { 99.5, 99.6, 99.7 };
	const double high[] = { 100, 101, 102 };
	const struct both apart = BOTH(low, high);
	const struct both apart_down = BOTH(high, low);
	CHECK(rules_lkp(&apart, RULES_LKP_RESULT)); /* 101 / 99.6 = 1.014. */
	CHECK(rules_lkp(&apart_down, RULES_LKP_RESULT));
	CHECK(!rules_lkp(&apart, RULES_LKP_REST));

	/* The ranges may overlap up to the medians: 10.5 > 10 and 12 > 11. */
	const double base[] = { 9, 10, 11 };
	const double head[] = { 10.5, 12, 13 };
	const struct both overlap = BOTH(base, head);
	CHECK(rules_lkp(&overlap, RULES_LKP_REST));
	CHECK(!rules_lkp_distance(&overlap, RULES_LKP_REST));
	const double lower[] = { 10, 12, 13 };
	const struct both touching = BOTH(base, lower);
	CHECK(!rules_lkp(&touching, RULES_LKP_REST));
}

static void lkp_wants_three_runs_on_one_side_only(void **state)
{
	const double two[] = { 95, 96 };
	const double two_more[] = { 100, 101 };
	const double three[] = { 95, 96, 97 };
	const double one[] = { 100 };
	const struct both few = BOTH(two, two_more);
	const struct both lopsided = BOTH(three, one);
	CHECK(!rules_lkp(&few, RULES_LKP_RESULT));
	CHECK(rules_lkp(&lopsided, RULES_LKP_RESULT));
	/* 100 - 97 = 3 is not more than 5 times the range of 2. */
	CHECK(!rules_lkp_distance(&lopsided, RULES_LKP_RESULT));
}

/* Of 4 runs the upper of the two middle ones is the median: 3 of 1 2 3 4. */
static void lkp_takes_the_upper_median(void **state)
{
	const double base[] = { 1, 2, 3, 4 };
	const double above[] = { 3.5, 4.5, 5, 6 };
	const double below[] = { 3.0, 4.5, 5, 6 };
	const struct both changed = BOTH(base, above);
	const struct both unchanged = BOTH(base, below);
	CHECK(rules_lkp(&changed, RULES_LKP_RESULT));
	CHECK(!rules_lkp(&unchanged, RULES_LKP_RESULT));
}

static void lkp_distance_wants_half_the_change_as_gap(void **state)
{
	const double base[] = { 10, 11, 12 };
	const double far[] = { 15, 16, 17 };  /* Gap 3, change 5. */
	const double near[] = { 14, 16, 17 }; /* Gap 2, change 5. */
	const struct both changed = BOTH(base, far);
	const struct both unchanged = BOTH(base, near);
	CHECK(rules_lkp_distance(&changed, RULES_LKP_REST));
	CHECK(!rules_lkp_distance(&unchanged, RULES_LKP_REST));
	const double ones[] = { 1, 1, 1 };
	const double twos[] = { 2, 2, 2 };
	const struct both by_one = BOTH(ones, twos);
	CHECK(!rules_lkp_distance(&by_one, RULES_LKP_REST));
	CHECK(rules_lkp(&by_one, RULES_LKP_REST));
}

/* A base of 0 counts as five times less. */
static void lkp_counts_a_rise_from_zero(void **state)
{
	const double zeros[] = { 0, 0, 0 };
	const double head[] = { 3, 4, 5 };
	const struct both both = BOTH(zeros, head);
	CHECK(rules_lkp(&both, RULES_LKP_REST));
}

/* Deviations 1 and 1: the means must differ by more than 3.92, however many runs there are. */
static void mmtests_adds_two_deviations(void **state)
{
	const double base[] = { 9, 10, 11 };
	const double above[] = { 12.93, 13.93, 14.93 };
	const double below[] = { 12.91, 13.91, 14.91 };
	const struct both changed = BOTH(base, above);
	const struct both unchanged = BOTH(base, below);
	CHECK(rules_mmtests(&changed));
	CHECK(!rules_mmtests(&unchanged));
}

static void mann_whitney_counts_orders(void **state)
{
	struct rules *rules = rules_new();
	const double base[] = { 1, 2, 3 };
	const double head[] = { 4, 5, 6 };
	const double mixed[] = { 2.5, 5, 6 };
	const struct both apart = BOTH(base, head);
	const struct both one_over = BOTH(base, mixed);
	/* 20 orders; 1 and 2 of them are as high. */
	CHECK_NEAR(rules_mann_whitney(rules, &apart), 2.0 / 20, 1e-12);
	CHECK_NEAR(rules_mann_whitney(rules, &one_over), 4.0 / 20, 1e-12);
	const double five[] = { 1, 2, 3, 4, 5 };
	const double higher[] = { 6, 7, 8, 9, 10 };
	const struct both fives = BOTH(five, higher);
	CHECK_NEAR(rules_mann_whitney(rules, &fives), 2.0 / 252, 1e-12);
	rules_free(rules);
}

/* 1 1 2 | 2 3 3: mean ranks 1.5 1.5 3.5 | 3.5 5.5 5.5, head's sum 14.5. Of the 20 choices of three,
 * both 5.5 with either 3.5 reach it: 2 of 20. */
static void mann_whitney_is_exact_with_ties(void **state)
{
	struct rules *rules = rules_new();
	const double base[] = { 1, 1, 2 };
	const double head[] = { 2, 3, 3 };
	const struct both tied = BOTH(base, head);
	CHECK_NEAR(rules_mann_whitney(rules, &tied), 4.0 / 20, 1e-12);
	const double same[] = { 7, 7, 7 };
	const struct both equal = BOTH(same, same);
	CHECK_NEAR(rules_mann_whitney(rules, &equal), 1.0, 1e-12);
	rules_free(rules);
}

/* Base 0 .. 50, head 0.5 higher: head's U is 51 * 52 / 2 = 1326, expected 1300.5, deviation
 * sqrt(51 * 51 * 103 / 12) = 149.4, so z = 25 / 149.4 and p = 0.867. */
static void mann_whitney_is_normal_beyond_fifty(void **state)
{
	struct rules *rules = rules_new();
	double base[51];
	double head[51];
	for (size_t i = 0; i < 51; i++) {
		base[i] = (double)i;
		head[i] = (double)i + 0.5;
	}
	const struct both many = BOTH(base, head);
	CHECK_NEAR(rules_mann_whitney(rules, &many), 0.8671, 2e-4);
	rules_free(rules);
}

/* Variances 1 and 4 of 3 runs: t = 3 / sqrt(5 / 3) = 2.324, degrees (5/3)^2 / ((1/9 + 16/9) / 2)
 * = 2.941; twice the integral of Student's density beyond t, by the midpoint rule, is 0.10448. */
static void welch_has_unequal_variances(void **state)
{
	const double base[] = { 9, 10, 11 };
	const double head[] = { 11, 13, 15 };
	const struct both both = BOTH(base, head);
	CHECK_NEAR(rules_welch(&both), 0.10448, 1e-5);
	const double ones[] = { 1, 1 };
	const double twos[] = { 2, 2 };
	const struct both constant = BOTH(ones, twos);
	const struct both equal = BOTH(ones, ones);
	CHECK_NEAR(rules_welch(&constant), 0.0, 0.0);
	CHECK_NEAR(rules_welch(&equal), 1.0, 0.0);
}

static void a_rate_has_its_exact_interval(void **state)
{
	/* None of 10: the upper end solves (1 - x)^10 = 0.005. */
	const struct rate none = rate_of(0, 10);
	CHECK_NEAR(none.low, 0.0, 0.0);
	CHECK_NEAR(none.high, 1.0 - pow(0.005, 0.1), 1e-9);
	const struct rate hundredth = rate_of(400, 40000);
	CHECK(rate_keeps(&hundredth, 0.01));
	const struct rate proven_above = rate_of(500, 40000);
	CHECK(!rate_keeps(&proven_above, 0.01));
	const struct rate loose = rate_of(130, 10000); /* 1.03 - 1.62 %. */
	CHECK(!rate_keeps(&loose, 0.01));
	CHECK(rate_reaches(&hundredth, 0.011));
	CHECK(!rate_reaches(&hundredth, 0.012));
}

/* Each block holds as many of both sides, and the disturbance is the machine's: at the same place
 * both sides would suffer the same. */
static void experiments_are_what_they_say(void **state)
{
	struct random random;
	random_seed(&random, 1);
	struct simulated simulated;
	const struct experiment_case experiment = {
		.n = 7, .order = ORDER_BLOCKS, .disturbance = DISTURBANCE_DRIFT, .effect = 0.5
	};
	for (int round = 0; round < 50; round++) {
		simulate(&random, &experiment, &simulated);
		CHECK_INT(simulated.n, 14);
		size_t heads[4] = { 0 };
		for (size_t i = 0; i < simulated.n; i++) {
			CHECK_INT(simulated.blocks[i], i / 4);
			heads[i / 4] += simulated.is_head[i];
			const double level = simulated.is_head[i] ? 1.5 : 1.0;
			CHECK_NEAR(simulated.values[i], level * (1.0 + 0.03 * (double)i / 13.0),
				   1e-12);
		}
		for (size_t block = 0; block < 3; block++)
			CHECK_INT(heads[block], 2);
		CHECK_INT(heads[3], 1);
	}
}

/* Mean and deviation of the made-up noise over many runs. */
static void noise_has_the_size_asked_for(void **state)
{
	struct random random;
	random_seed(&random, 2);
	static const struct {
		enum shape shape;
		double mean, deviation; /* For 10 %. */
	} shapes[] = {
		{ SHAPE_GAUSSIAN, 1.0, 0.1 },     { SHAPE_LOGNORMAL, 1.0, 0.1 },
		{ SHAPE_BIMODAL, 1.0, 0.316 },    /* sqrt(1 + 9) / 10. */
		{ SHAPE_OUTLIERS, 1.04, 0.2010 }, /* .05 * 8; sqrt(1 + 64 * .0475). */
		{ SHAPE_QUANTISED, 1.0, 0.1010 }, /* sqrt(1 + .25 / 12). */
		{ SHAPE_TIES, 1.0, 0.1155 },      /* sqrt(1 + 4 / 12). */
	};
	for (size_t i = 0; i < ARRAY_SIZE(shapes); i++) {
		const struct experiment_case experiment = { .shape = shapes[i].shape,
							    .n = 40,
							    .deviation = 0.1 };
		double sum = 0.0;
		double squares = 0.0;
		for (int round = 0; round < 500; round++) {
			struct simulated simulated;
			simulate(&random, &experiment, &simulated);
			for (size_t j = 0; j < simulated.n; j++) {
				sum += simulated.values[j];
				squares += simulated.values[j] * simulated.values[j];
			}
		}
		const double mean = sum / 40000.0;
		CHECK_NEAR(mean, shapes[i].mean, 0.01);
		CHECK_NEAR(sqrt(squares / 40000.0 - mean * mean), shapes[i].deviation, 0.004);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lkp_wants_the_smallest_above_the_other_median),
		cmocka_unit_test(lkp_wants_three_runs_on_one_side_only),
		cmocka_unit_test(lkp_takes_the_upper_median),
		cmocka_unit_test(lkp_distance_wants_half_the_change_as_gap),
		cmocka_unit_test(lkp_counts_a_rise_from_zero),
		cmocka_unit_test(mmtests_adds_two_deviations),
		cmocka_unit_test(mann_whitney_counts_orders),
		cmocka_unit_test(mann_whitney_is_exact_with_ties),
		cmocka_unit_test(mann_whitney_is_normal_beyond_fifty),
		cmocka_unit_test(welch_has_unequal_variances),
		cmocka_unit_test(a_rate_has_its_exact_interval),
		cmocka_unit_test(experiments_are_what_they_say),
		cmocka_unit_test(noise_has_the_size_asked_for),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
