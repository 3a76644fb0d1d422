/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ends found by halving against the test itself. */
#include "stats/search.h"

#include "base/random.h"
#include "check.h"
#include "stats/permute.h"

#include <math.h>
#include <stdbool.h>

#define RUNS_MAX 40

struct trial {
	double values[RUNS_MAX];
	bool is_head[RUNS_MAX];
	uint32_t blocks[RUNS_MAX];
	size_t n;
};

/* base head head base, over and over; head is higher by `effect`. */
static void make_trial(struct random *random, struct trial *trial, size_t n, double effect)
{
	trial->n = n;
	for (size_t i = 0; i < n; i++) {
		trial->is_head[i] = i % 4 == 1 || i % 4 == 2;
		trial->blocks[i] = (uint32_t)(i / 4);
		trial->values[i] = random_normal(random) + (trial->is_head[i] ? effect : 0.0);
	}
}

static struct layout *layout_of(const struct trial *trial)
{
	const struct blocked blocked = { .values = trial->values,
					 .is_head = trial->is_head,
					 .blocks = trial->blocks,
					 .n = trial->n };
	return layout_new(&blocked);
}

static double p_of(const struct layout *layout, double shift)
{
	return permute_shifted(layout, shift, PERMUTE_CLIPPED, /* seed= */ 0).p;
}

#define SCAN 0.01 /* Steps of the twin, */
#define HALF 0.06 /* and the last half of a first guess of 30: 30 / 2^9. */

/* The twin goes outwards in small steps: where is a shift rejected first, where is the last one that
 * is not? p is not quite monotone, so that they may differ by a little. */
static void check_end(const struct layout *layout, double estimate, double end)
{
	const double way = end > estimate ? SCAN : -SCAN;
	double first_rejected = 0.0;
	double last_kept = 0.0;
	for (int i = 1; i < 400; i++) {
		const bool rejected = p_of(layout, estimate + i * way) <= 0.05;
		if (rejected && first_rejected <= 0.0)
			first_rejected = i * SCAN;
		if (!rejected)
			last_kept = i * SCAN;
	}
	const double reach = fabs(end - estimate);
	CHECK(first_rejected > 0.0);
	CHECK(reach > first_rejected - SCAN && reach < last_kept + SCAN + HALF);
	CHECK(p_of(layout, end) <= 0.05);
}

/* Wherever the first guess was. */
static void ends_are_where_the_test_begins_to_reject(void **state)
{
	static const double steps[] = { 0.01, 1.0, 30.0 };
	struct random random;
	random_seed(&random, 5);
	for (int round = 0; round < 9; round++) {
		struct trial trial;
		make_trial(&random, &trial, 40, 2.0);
		AUTO(layout) struct layout *layout = layout_of(&trial);
		double interval[2];
		search_interval(layout, 2.0, steps[round % 3], 0.05, /* seed= */ 0, interval);
		check_end(layout, 2.0, interval[0]);
		check_end(layout, 2.0, interval[1]);
	}
}

static void more_confidence_is_wider(void **state)
{
	struct random random;
	random_seed(&random, 6);
	struct trial trial;
	make_trial(&random, &trial, 24, 0.0);
	AUTO(layout) struct layout *layout = layout_of(&trial);
	double at_95[2];
	double at_99[2];
	search_interval(layout, 0.0, 1.0, 0.05, /* seed= */ 0, at_95);
	search_interval(layout, 0.0, 1.0, 0.01, /* seed= */ 0, at_99);
	CHECK(at_99[0] < at_95[0] && at_99[1] > at_95[1]);
}

/* Two blocks of 2 + 2 give 2 of 36 at best. */
static void where_nothing_can_be_rejected_there_are_no_ends(void **state)
{
	struct random random;
	random_seed(&random, 7);
	struct trial trial;
	make_trial(&random, &trial, 8, 0.0);
	AUTO(layout) struct layout *layout = layout_of(&trial);
	double interval[2];
	search_interval(layout, 0.0, 1.0, 0.05, /* seed= */ 0, interval);
	CHECK(isinf(interval[0]) && interval[0] < 0.0);
	CHECK(isinf(interval[1]) && interval[1] > 0.0);
	search_interval(layout, 0.0, 1.0, 0.06, /* seed= */ 0, interval);
	CHECK(isfinite(interval[0]) && isfinite(interval[1]));
}

/* One run 1,000 deviations off: its size does not matter any more. */
static void an_outlier_does_not_widen_the_interval_with_its_size(void **state)
{
	struct random random;
	random_seed(&random, 8);
	struct trial trial;
	make_trial(&random, &trial, 40, 0.0);
	double intervals[2][2];
	for (size_t i = 0; i < 2; i++) {
		trial.values[5] = i == 0 ? 20.0 : 1000.0;
		AUTO(layout) struct layout *layout = layout_of(&trial);
		search_interval(layout, 0.0, 1.0, 0.05, /* seed= */ 0, intervals[i]);
	}
	CHECK_NEAR(intervals[1][0], intervals[0][0], 1e-9);
	CHECK_NEAR(intervals[1][1], intervals[0][1], 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ends_are_where_the_test_begins_to_reject),
		cmocka_unit_test(more_confidence_is_wider),
		cmocka_unit_test(where_nothing_can_be_rejected_there_are_no_ends),
		cmocka_unit_test(an_outlier_does_not_widen_the_interval_with_its_size),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
