/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The quick way in which the calibration judges is the product's own answer. */
#include "base/macros.h"
#include "calibration/ours.h"
#include "check.h"

#include <math.h>

#define ALPHA 0.01
#define MARGIN 0.01
#define ROUNDS 40

struct setup {
	size_t n;
	enum order order;
	bool history;
};

static bool is_found(enum verdict verdict)
{
	return verdict == VERDICT_BETTER || verdict == VERDICT_WORSE || verdict == VERDICT_CHANGED;
}

/* Effects around the point where a verdict turns. */
static double draw_effect(struct random *random)
{
	return 0.04 * random_unit(random) - 0.01;
}

static void compare_once(struct random *random, const struct setup *setup)
{
	const uint64_t shape = random_below(random, SHAPE_COUNT);
	const uint64_t disturbance = random_below(random, DISTURBANCE_COUNT);
	const struct experiment_case experiment = {
		.shape = (enum shape)shape,
		.disturbance = (enum disturbance)disturbance,
		.order = setup->order,
		.n = setup->n,
		.deviation = 0.01,
		.effect = draw_effect(random),
	};
	struct simulated simulated;
	simulate(random, &experiment, &simulated);
	const struct noise history = ours_history(random, &experiment);
	const struct noise *known = setup->history ? &history : NULL;
	const struct ours ours = ours_judge(&simulated, known, ALPHA);
	const struct ours_answer answer =
		ours_compare(&simulated, setup->n, known, /* sequential_max= */ 0);
	const bool found = ours.p <= ALPHA;
	CHECK_INT(answer.provisional, ours.provisional);
	CHECK_NEAR(answer.p, ours.p, 1e-12);
	CHECK_NEAR(answer.change, 100.0 * ours.change, 1e-9);
	const bool is_change = found && fabs(ours.change) >= MARGIN;
	if (answer.verdict != VERDICT_SAME)
		CHECK(is_found(answer.verdict) == is_change);
}

static void the_quick_p_is_the_p_of_the_comparison(void **state)
{
	static const struct setup setups[] = {
		{ 5, ORDER_ONE_BLOCK, false }, { 6, ORDER_BLOCKS, false },
		{ 9, ORDER_BLOCKS, false },    { 10, ORDER_BLOCKS, false },
		{ 20, ORDER_BLOCKS, false },   { 3, ORDER_BLOCKS, true },
		{ 4, ORDER_BLOCKS, true },     { 4, ORDER_BLOCKS, false },
	};
	struct random random;
	random_seed(&random, 21);
	for (size_t i = 0; i < ARRAY_SIZE(setups); i++)
		for (int round = 0; round < ROUNDS; round++)
			compare_once(&random, &setups[i]);
}

/* The calibration leaves these out of the rates as never decided. */
static void few_runs_without_history_are_never_decided(void **state)
{
	struct random random;
	random_seed(&random, 22);
	const struct experiment_case experiment = { .n = 3, .deviation = 0.001, .effect = 0.5 };
	for (int round = 0; round < ROUNDS; round++) {
		struct simulated simulated;
		simulate(&random, &experiment, &simulated);
		const struct ours_answer answer = ours_compare(&simulated, 3, NULL, 0);
		CHECK_INT(answer.verdict, VERDICT_UNDECIDED);
		CHECK(ours_judge(&simulated, NULL, ALPHA).p > ALPHA);
	}
}

/* Small deviations, so that many are the same and some are not. */
static void the_quick_same_is_the_verdict_same(void **state)
{
	struct random random;
	random_seed(&random, 23);
	size_t n_same = 0;
	for (int round = 0; round < ROUNDS; round++) {
		const struct experiment_case experiment = {
			.n = 10,
			.deviation = 0.006,
			.effect = 0.004 * random_normal(&random),
		};
		struct simulated simulated;
		simulate(&random, &experiment, &simulated);
		const bool is_same = ours_is_same(&simulated, 10, MARGIN);
		const struct ours_answer answer = ours_compare(&simulated, 10, NULL, 0);
		CHECK_INT(answer.verdict == VERDICT_SAME, is_same);
		n_same += is_same;
	}
	CHECK(n_same > ROUNDS / 10 && n_same < ROUNDS);
}

static void the_quick_looks_are_the_looks_of_the_comparison(void **state)
{
	struct random random;
	random_seed(&random, 24);
	const struct sequential_plan plan = { .alpha = ALPHA, .n_max = 20 };
	AUTO(sequential_schedules) struct sequential_schedules *schedules = ours_schedules(&plan);
	size_t n_found = 0;
	for (int round = 0; round < ROUNDS; round++) {
		const struct experiment_case experiment = {
			.n = 20,
			.deviation = 0.01,
			.effect = draw_effect(&random),
		};
		struct simulated simulated;
		simulate(&random, &experiment, &simulated);
		const size_t found_at = ours_looks(schedules, &plan, &simulated);
		for (size_t n = SEQUENTIAL_FIRST_LOOK; n <= 20; n += 4) {
			const struct ours_answer answer =
				ours_compare(&simulated, n, NULL, plan.n_max);
			const bool found = found_at > 0 && found_at <= n;
			CHECK_INT(answer.p <= ALPHA, found);
			if (found)
				CHECK_INT(answer.look_runs, found_at);
		}
		n_found += found_at > 0;
	}
	CHECK(n_found > ROUNDS / 10 && n_found < ROUNDS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_quick_p_is_the_p_of_the_comparison),
		cmocka_unit_test(few_runs_without_history_are_never_decided),
		cmocka_unit_test(the_quick_same_is_the_verdict_same),
		cmocka_unit_test(the_quick_looks_are_the_looks_of_the_comparison),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
