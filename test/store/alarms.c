/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measured false-alarm rates: the last one counts. */
#include "fixture.h"
#include "store/noise.h"

static const struct alarm_rate measured = {
	.alpha = 0.01,
	.n_comparisons = 200,
	.n_alarms = 3,
	.low = 0.003,
	.high = 0.043,
	.seed = (1ULL << 53) - 1,
	.measured_wall_ns = 1700000000 * FIXTURE_SECOND,
};

static void a_rate_is_known_by_machine_and_workload(void **state)
{
	char *directory = fixture_directory();
	struct store *store = fixture_store(directory);
	struct alarm_rate rate = { 0 };
	bool known = true;

	CHECK_INT(store_alarms_get(store, "m", "hackbench", &rate, &known, NULL), 0);
	CHECK(!known);
	CHECK_INT(store_alarms_put(store, "m", "hackbench", &measured, NULL), 0);
	CHECK_INT(store_alarms_get(store, "m", "hackbench", &rate, &known, NULL), 0);
	CHECK(known);
	CHECK(rate.alpha == measured.alpha && rate.low == measured.low &&
	      rate.high == measured.high);
	CHECK_INT(rate.n_comparisons, 200);
	CHECK_INT(rate.n_alarms, 3);
	CHECK_INT(rate.seed, measured.seed);
	CHECK_INT(rate.measured_wall_ns, measured.measured_wall_ns);
	CHECK_INT(store_alarms_get(store, "other", "hackbench", &rate, &known, NULL), 0);
	CHECK(!known);
	CHECK_INT(store_alarms_get(store, "m", "futex1", &rate, &known, NULL), 0);
	CHECK(!known);
	store_close(store);
	fixture_remove(directory);
}

static void a_newer_rate_takes_the_place_of_the_older(void **state)
{
	char *directory = fixture_directory();
	struct store *store = fixture_store(directory);
	struct alarm_rate rate = measured;
	bool known = false;

	CHECK_INT(store_alarms_put(store, "m", "hackbench", &measured, NULL), 0);
	rate.n_comparisons = 300;
	CHECK_INT(store_alarms_put(store, "m", "hackbench", &rate, NULL), 0);
	CHECK_INT(store_alarms_get(store, "m", "hackbench", &rate, &known, NULL), 0);
	CHECK_INT(rate.n_comparisons, 300);
	store_close(store);
	fixture_remove(directory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_rate_is_known_by_machine_and_workload),
		cmocka_unit_test(a_newer_rate_takes_the_place_of_the_older),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
