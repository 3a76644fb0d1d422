/* SPDX-License-Identifier: GPL-2.0-or-later */
/* levels.h against the formula of sums of squares, and against itself where sessions say nothing. */
#include "bisect/levels.h"

#include "base/random.h"
#include "check.h"

#include <math.h>

#define GROUPS 12

static struct levels_data drawn(struct random *random, struct levels_group *groups, uint8_t *masks,
				double values[GROUPS])
{
	struct levels_data data = { .groups = groups, .n_groups = GROUPS, .least = 1e-9 };
	double mean = 0.0;
	for (size_t i = 0; i < GROUPS; i++) {
		masks[i] = i >= 5;
		values[i] = random_normal(random) + (masks[i] ? 3.0 : 0.0);
		mean += values[i] / GROUPS;
	}
	for (size_t i = 0; i < GROUPS; i++) {
		values[i] -= mean;
		groups[i] =
			(struct levels_group) { .session = (uint32_t)i, .n = 1, .sum = values[i] };
		data.squares += values[i] * values[i];
		data.n += 1.0;
	}
	return data;
}

/* The naive twin: log L = -1/2 sum log((k + n_i) / k) - (a + n/2) log(b + S/2). */
static double twin(const double *values, const uint8_t *masks, bool is_none)
{
	double n[2] = { 0 };
	double mean[2] = { 0 };
	double squares = 0.0;
	for (size_t i = 0; i < GROUPS; i++) {
		n[!is_none && masks[i]] += 1.0;
		mean[!is_none && masks[i]] += values[i];
	}
	double log_evidence = 0.0;
	for (size_t side = 0; side < 2; side++) {
		mean[side] /= fmax(n[side], 1.0);
		squares += LEVELS_PRECISION * n[side] * mean[side] * mean[side] /
			   (LEVELS_PRECISION + n[side]);
		log_evidence -= 0.5 * log((LEVELS_PRECISION + n[side]) / LEVELS_PRECISION);
	}
	for (size_t i = 0; i < GROUPS; i++)
		squares += pow(values[i] - mean[!is_none && masks[i]], 2.0);
	return log_evidence - (0.5 + 0.5 * GROUPS) * log(1e-9 + 0.5 * squares);
}

static void it_agrees_with_sums_of_squares(void **state)
{
	struct random random;
	random_seed(&random, 3);
	for (int round = 0; round < 50; round++) {
		struct levels_group groups[GROUPS];
		uint8_t masks[GROUPS];
		double values[GROUPS];
		const struct levels_data data = drawn(&random, groups, masks, values);
		const struct levels change = levels_judge(&data, masks, 0, false);
		CHECK_NEAR(change.log_evidence, twin(values, masks, false), 1e-9);
		CHECK_NEAR(levels_judge(&data, masks, 0, true).log_evidence,
			   twin(values, masks, true), 1e-9);
		CHECK(change.second > change.first && change.error > 0.0);
	}
}

static void what_a_session_shares_is_no_change(void **state)
{
	/* Two sessions far apart; within each, both sides are equal. */
	struct levels_group groups[4] = {
		{ 0, 4, -20.4 }, { 0, 4, -19.6 }, { 1, 4, 20.2 }, { 1, 4, 19.8 }
	};
	const uint8_t masks[4] = { 0, 1, 0, 1 };
	const uint8_t confounded[4] = { 0, 0, 1, 1 };
	struct levels_data data = { .groups = groups,
				    .n_groups = 4,
				    .n = 16,
				    .squares = 402.0,
				    .least = 1e-9,
				    .has_sessions = true };
	const struct levels within = levels_judge(&data, masks, 0, false);
	CHECK(levels_judge(&data, masks, 0, true).log_evidence > within.log_evidence);
	const struct levels across = levels_judge(&data, confounded, 0, false);
	data.has_sessions = false;
	const struct levels blind = levels_judge(&data, confounded, 0, false);
	CHECK(across.error > 2.0 * blind.error);
}

static void a_known_change_takes_its_effect_out(void **state)
{
	/* Masks: 0 nothing, 2 the known change alone, 3 both: levels 0, 5 and 5. */
	struct levels_group groups[3] = { { 0, 5, -16.67 }, { 0, 5, 8.33 }, { 0, 5, 8.34 } };
	const uint8_t masks[3] = { 0, 2, 3 };
	const struct levels_data data = {
		.groups = groups, .n_groups = 3, .n = 15, .squares = 83.4 + 1.0, .least = 1e-9
	};
	const struct levels other = levels_judge(&data, masks, 1, false);
	CHECK_NEAR(other.second - other.first, 0.0, 0.5);
	CHECK(levels_judge(&data, masks, 1, true).log_evidence > other.log_evidence);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_agrees_with_sums_of_squares),
		cmocka_unit_test(what_a_session_shares_is_no_change),
		cmocka_unit_test(a_known_change_takes_its_effect_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
