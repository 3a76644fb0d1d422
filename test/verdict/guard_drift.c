/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Drift and memory of the machine: a warning where the sides were mixed, else no verdict. */
#include "verdict/sides_made.h"

#define RUNS 12

/* A rise of `percent` a run in the order of the start times, over noise of 0.2 %. */
static void add_drift(struct sides_made *made, double percent)
{
	for (size_t side = 0; side < 2; side++) {
		struct sample *sample = side ? &made->head : &made->base;
		for (size_t i = 0; i < sample->n_runs; i++) {
			const double at = (double)(sample->runs[i]->started_wall_ns / 1000000000);
			const double noise = 0.2 * random_normal(&made->random);
			run_metric_add(
				sample->runs[i], &made_rate,
				value_known(1000.0 * (1.0 + (percent * at + noise) / 100.0)));
		}
	}
}

static void a_steady_machine_is_well(void **state)
{
	for (int parted = 0; parted < 2; parted++) {
		struct sides_made made;
		made_begin(&made, RUNS);
		if (parted)
			made_part(&made);
		add_drift(&made, 0);
		made_ask(&made, "drift");
		CHECK_INT(made_notes(&made), 0);
		made_end(&made);
	}
}

static void a_drift_over_mixed_sides_is_a_warning(void **state)
{
	struct sides_made made;
	made_begin(&made, RUNS);
	add_drift(&made, 0.2);
	made_ask(&made, "drift");
	made_check(&made, false, "drifted by +");
	CHECK_TEXT(made.comparison->notes[0].metric, made_rate.name);
	made_end(&made);
}

static void a_drift_below_the_margin_is_none(void **state)
{
	struct sides_made made;
	made_begin(&made, RUNS);
	add_drift(&made, 0.035);
	made.options.margin_percent = 3;
	made_ask(&made, "drift");
	for (size_t i = 0; i < made_notes(&made); i++)
		CHECK(!strstr(made.comparison->notes[i].text, "drifted"));
	made_end(&made);
}

static void a_drift_over_parted_sides_withholds(void **state)
{
	struct sides_made made;
	made_begin(&made, RUNS);
	made_part(&made);
	add_drift(&made, 0.2);
	made_ask(&made, "drift");
	CHECK(made_notes(&made) >= 1);
	CHECK(made.comparison->notes[0].withholds);
	CHECK_HOLDS(made.comparison->notes[0].text, "within base, and the sides were not");
	made_end(&made);
}

/* The runs come in swarms of six that are alike. */
static void likeness_of_neighbours_is_told(void **state)
{
	for (int parted = 0; parted < 2; parted++) {
		static const double levels[] = { 100, 103, 98, 104, 99, 102, 97, 101 };
		struct sides_made made;
		made_begin(&made, 24);
		if (parted)
			made_part(&made);
		for (size_t side = 0; side < 2; side++) {
			struct sample *sample = side ? &made.head : &made.base;
			for (size_t i = 0; i < sample->n_runs; i++) {
				const size_t at = sample->runs[i]->started_wall_ns / 1000000000 - 1;
				run_metric_add(sample->runs[i], &made_rate,
					       value_known(levels[at / 6] +
							   0.1 * random_normal(&made.random)));
			}
		}
		made_ask(&made, "drift");
		CHECK(made_notes(&made) >= 1);
		CHECK_HOLDS(made.comparison->notes[0].text, "resemble each other");
		CHECK_INT(made.comparison->notes[0].withholds, parted);
		made_end(&made);
	}
}

static void eight_runs_are_needed(void **state)
{
	struct sides_made made;
	made_begin(&made, 3);
	add_drift(&made, 5);
	made_ask(&made, "drift");
	CHECK_INT(made_notes(&made), 0);
	made_end(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_steady_machine_is_well),
		cmocka_unit_test(a_drift_over_mixed_sides_is_a_warning),
		cmocka_unit_test(a_drift_below_the_margin_is_none),
		cmocka_unit_test(a_drift_over_parted_sides_withholds),
		cmocka_unit_test(likeness_of_neighbours_is_told),
		cmocka_unit_test(eight_runs_are_needed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
