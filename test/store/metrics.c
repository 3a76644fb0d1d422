/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which metrics are the same, and their values in sets. */
#include "store/metrics.h"

#include "fixture.h"
#include "store/handle.h"

#include <errno.h>

/* Puts the run's metrics and gets them back into a new run. */
static struct run *there_and_back(struct store *store, struct run *run, int64_t *ret_set)
{
	struct run *back = run_new();
	uint8_t *values = NULL;
	size_t length = 0;

	run_sort(run);
	CHECK_INT(metrics_put(&store->database, run, ret_set, &values, &length, NULL), 0);
	CHECK_INT(length, 8 * run->n_metrics);
	CHECK_INT(metrics_get(&store->database, *ret_set, values, length, back, NULL), 0);
	run_sort(back);
	free(values);
	return back;
}

static struct run *one_metric(struct metric metric, struct value value)
{
	struct run *run = run_new();

	run_metric_add(run, &metric, value);
	return run;
}

static void a_metric_that_means_another_thing_is_another_metric(void **state)
{
	char *directory = fixture_directory();
	struct store *store = fixture_store(directory);
	const struct metric metric = {
		.name = "x.y",
		.unit = "s",
		.what = "first",
		.kind = METRIC_SCORE,
		.better = BETTER_LOWER,
		.role = ROLE_SCORE,
	};
	struct metric others[] = { metric, metric, metric, metric, metric };
	int64_t first = 0;

	others[0].unit = "ms";
	others[1].kind = METRIC_GAUGE;
	others[2].better = BETTER_HIGHER;
	others[3].role = ROLE_RESTATED;
	others[4].what = "second"; /* Only the words: the same metric. */
	struct run *run = one_metric(metric, value_known(1));
	struct run *back = there_and_back(store, run, &first);

	run_free(run);
	run_free(back);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		int64_t set = 0;

		run = one_metric(others[i], value_known(2));
		back = there_and_back(store, run, &set);
		CHECK(i == 4 ? set == first : set != first);
		CHECK_TEXT(back->metrics[0].metric.what, "first");
		CHECK_TEXT(back->metrics[0].metric.unit, others[i].unit);
		CHECK_INT(back->metrics[0].metric.kind, others[i].kind);
		CHECK_INT(back->metrics[0].metric.better, others[i].better);
		CHECK_INT(back->metrics[0].metric.role, others[i].role);
		run_free(run);
		run_free(back);
	}
	store_close(store);
	fixture_remove(directory);
}

static void values_keep_their_three_states(void **state)
{
	char *directory = fixture_directory();
	struct store *store = fixture_store(directory);
	const struct value values[] = {
		value_known(0),         value_known(-0.0),
		value_known(5e-324),    value_known(-1.7976931348623157e308),
		value_not_applicable(),
	};

	for (size_t i = 0; i < ARRAY_SIZE(values) + MISSING_COUNT - 1; i++) {
		const struct value value =
			i < ARRAY_SIZE(values)
				? values[i]
				: value_missing((enum missing)(i - ARRAY_SIZE(values) + 1));
		struct run *run = one_metric((struct metric) { .name = "m", .unit = "1" }, value);
		int64_t set = 0;
		struct run *back = there_and_back(store, run, &set);

		fixture_same_metrics(back, run);
		run_free(run);
		run_free(back);
	}
	store_close(store);
	fixture_remove(directory);
}

static void a_run_with_other_metrics_has_another_set(void **state)
{
	char *directory = fixture_directory();
	struct store *store = fixture_store(directory);
	int64_t sets[3] = { 0 };

	for (unsigned i = 0; i < 3; i++) {
		struct run *run = fixture_run(i);

		if (i == 1) /* A metric whose name comes first and whose id comes last. */
			run_metric_add(run, &(struct metric) { .name = "aaa", .unit = "1" },
				       value_known(5));
		struct run *back = there_and_back(store, run, &sets[i]);

		fixture_same_metrics(back, run);
		run_free(back);
		run_free(run);
	}
	CHECK_INT(sets[0], sets[2]);
	CHECK(sets[0] != sets[1]);
	store_close(store);
	fixture_remove(directory);
}

static void a_run_without_metrics_has_an_empty_set(void **state)
{
	char *directory = fixture_directory();
	struct store *store = fixture_store(directory);
	struct run *run = run_new();
	int64_t set = 0;
	struct run *back = there_and_back(store, run, &set);

	CHECK_INT(back->n_metrics, 0);
	run_free(back);
	run_free(run);
	store_close(store);
	fixture_remove(directory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_metric_that_means_another_thing_is_another_metric),
		cmocka_unit_test(values_keep_their_three_states),
		cmocka_unit_test(a_run_with_other_metrics_has_another_set),
		cmocka_unit_test(a_run_without_metrics_has_an_empty_set),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
