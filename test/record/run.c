/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/run.h"

#include "base/mem.h"
#include "check.h"

static void add(struct run *run, const char *name, double number)
{
	const struct metric metric = { .name = name, .unit = "1", .what = "" };
	run_metric_add(run, &metric, value_known(number));
}

static void a_new_run_is_empty_and_has_no_null_text(void **state)
{
	AUTO(run) struct run *run = run_new();
	CHECK_TEXT(run->workload, "");
	CHECK_TEXT(run->probe_version, "");
	CHECK_TEXT(run->isolation, "");
	CHECK_TEXT(run->reason, "");
	CHECK_TEXT(run->log, "");
	CHECK(run_metric_find(run, "a") == NULL);
	CHECK(run_fact_find(run, "a") == NULL);
	run_sort(run);
	CHECK_INT(run->n_metrics, 0);
	run_free(NULL);
}

static void metrics_are_found_after_sorting(void **state)
{
	AUTO(run) struct run *run = run_new();
	const char *const names[] = { "c.x", "a.x", "c.a", "b.x", "" };
	for (size_t i = 0; *names[i]; i++)
		add(run, names[i], (double)i);
	run_sort(run);
	for (size_t i = 1; i < run->n_metrics; i++)
		CHECK(strcmp(run->metrics[i - 1].metric.name, run->metrics[i].metric.name) < 0);
	for (size_t i = 0; *names[i]; i++)
		CHECK_NEAR(run_metric_find(run, names[i])->value.number, (double)i, 0);
	CHECK(run_metric_find(run, "b") == NULL);
}

static void of_names_that_stand_twice_the_first_stays(void **state)
{
	AUTO(run) struct run *run = run_new();
	for (int i = 0; i < 100; i++) {
		add(run, "same", i);
		add(run, i % 2 ? "odd" : "even", i);
		run_fact_add(run, "fact", VALUE_KNOWN, MISSING_NOT, i ? "later" : "first");
	}
	run_sort(run);
	CHECK_INT(run->n_metrics, 3);
	CHECK_INT(run->n_facts, 1);
	CHECK_NEAR(run_metric_find(run, "same")->value.number, 0, 0);
	CHECK_NEAR(run_metric_find(run, "odd")->value.number, 1, 0);
	CHECK_TEXT(run_fact_find(run, "fact")->text, "first");
	/* Sorting again, and adding after it, work. */
	add(run, "new", 7);
	run_sort(run);
	CHECK_INT(run->n_metrics, 4);
	CHECK_NEAR(run_metric_find(run, "new")->value.number, 7, 0);
}

static void strings_are_copied(void **state)
{
	AUTO(run) struct run *run = run_new();
	char name[] = "mutable";
	char unit[] = "KiB";
	const struct metric metric = { .name = name, .unit = unit, .what = NULL };
	run_metric_add(run, &metric, value_missing(MISSING_OFFLINE));
	name[0] = '!';
	unit[0] = '!';
	run_sort(run);
	CHECK_TEXT(run_metric_find(run, "mutable")->metric.unit, "KiB");
	CHECK_TEXT(run_metric_find(run, "mutable")->metric.what, "");
}

static void a_fact_has_a_text_only_when_it_is_known(void **state)
{
	AUTO(run) struct run *run = run_new();
	run_fact_add(run, "governor", VALUE_MISSING, MISSING_ABSENT, "performance");
	run_fact_add(run, "cmdline", VALUE_KNOWN, MISSING_ABSENT, "");
	run_fact_add(run, "nodes.1", VALUE_NOT_APPLICABLE, MISSING_ABSENT, NULL);
	run_sort(run);
	CHECK(run_fact_find(run, "governor")->text == NULL);
	CHECK_INT(run_fact_find(run, "governor")->why, MISSING_ABSENT);
	CHECK_TEXT(run_fact_find(run, "cmdline")->text, "");
	CHECK_INT(run_fact_find(run, "cmdline")->why, MISSING_NOT);
	CHECK_INT(run_fact_find(run, "nodes.1")->state, VALUE_NOT_APPLICABLE);
}

static void arrays_made_by_others_can_be_added_to(void **state)
{
	AUTO(run) struct run *run = run_new();
	run->metrics = mem_array(1, sizeof(*run->metrics));
	run->metrics[0].metric = (struct metric) { .name = mem_text("old"),
						   .unit = mem_text("1"),
						   .what = mem_text("") };
	run->n_metrics = 1;
	for (int i = 0; i < 20; i++)
		add(run, "new", i);
	run_sort(run);
	CHECK_INT(run->n_metrics, 2);
}

static void the_window_is_what_lies_between_measure_and_stop(void **state)
{
	AUTO(run) struct run *run = run_new();
	run->outcome = RUN_COMPLETE;
	run->phase_ns[PHASE_MEASURE] = 5000000000ULL;
	run->phase_ns[PHASE_STOP] = 7500000000ULL;
	CHECK_NEAR(run_window_seconds(run).number, 2.5, 1e-12);
	CHECK(value_is_known(run_window_seconds(run)));
}

static void a_window_without_an_end_is_missing_for_the_run_s_reason(void **state)
{
	AUTO(run) struct run *run = run_new();
	run->phase_ns[PHASE_MEASURE] = 5;
	run->outcome = RUN_TORN;
	CHECK_INT(run_window_seconds(run).why, MISSING_TORN);
	run->outcome = RUN_FAILED;
	CHECK_INT(run_window_seconds(run).why, MISSING_FAILED);
	run->outcome = RUN_INTERRUPTED;
	CHECK_INT(run_window_seconds(run).why, MISSING_FAILED);
	run->phase_ns[PHASE_STOP] = 5;
	CHECK_INT(run_window_seconds(run).why, MISSING_MALFORMED);
	run->phase_ns[PHASE_STOP] = 4;
	CHECK_INT(run_window_seconds(run).why, MISSING_MALFORMED);
}

static void outcomes_and_phases_have_words(void **state)
{
	const char *const outcomes[] = { "complete", "failed", "unsupported", "torn",
					 "interrupted" };
	const char *const phases[] = { "prepare", "warm-up", "measure", "stop", "teardown" };
	for (int i = 0; i < RUN_OUTCOME_COUNT; i++)
		CHECK_TEXT(run_outcome_text((enum run_outcome)i), outcomes[i]);
	for (int i = 0; i < PHASE_COUNT; i++)
		CHECK_TEXT(phase_text((enum phase)i), phases[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_new_run_is_empty_and_has_no_null_text),
		cmocka_unit_test(metrics_are_found_after_sorting),
		cmocka_unit_test(of_names_that_stand_twice_the_first_stays),
		cmocka_unit_test(strings_are_copied),
		cmocka_unit_test(a_fact_has_a_text_only_when_it_is_known),
		cmocka_unit_test(arrays_made_by_others_can_be_added_to),
		cmocka_unit_test(the_window_is_what_lies_between_measure_and_stop),
		cmocka_unit_test(a_window_without_an_end_is_missing_for_the_run_s_reason),
		cmocka_unit_test(outcomes_and_phases_have_words),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
