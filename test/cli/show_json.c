/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A run as JSON keeps the three states apart. */
#include "cli/show_json.h"

#include "filled.h"

/* The metric of this name in the document. */
static const json_t *find_metric(const json_t *document, const char *name)
{
	const json_t *metrics = json_object_get(document, "metrics");

	for (size_t i = 0; i < json_array_size(metrics); i++) {
		const json_t *metric = json_array_get(metrics, i);

		if (strcmp(json_string_value(json_object_get(metric, "name")), name) == 0)
			return metric;
	}
	fail_msg("no metric %s", name);
	return NULL;
}

static const char *text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static json_t *document_of(struct run *run, struct job *job)
{
	const struct run_row row = { .id = 12,
				     .campaign_name = (char[]) { "monday" },
				     .subject = (char[]) { "head" },
				     .point = (char[]) { "hackbench/groups=4" },
				     .block = 3,
				     .job = job };
	json_t *document = show_json(&row, run);

	CHECK(document != NULL);
	return document;
}

static void a_run_says_where_it_belongs_and_how_it_ended(void **state)
{
	AUTO(run) struct run *run = fixture_run(5);
	AUTO(job) struct job *job = fixture_job("head");
	json_t *document = document_of(run, job);

	CHECK_INT(json_integer_value(json_object_get(document, "run")), 12);
	CHECK_TEXT(text_of(document, "campaign"), "monday");
	CHECK_TEXT(text_of(document, "subject"), "head");
	CHECK_TEXT(text_of(document, "outcome"), "complete");
	CHECK_TEXT(text_of(document, "isolation"), "pid-namespace");
	CHECK_HOLDS(text_of(document, "log"), "Time: 5");
	const json_t *groups = json_object_get(
		json_object_get(json_object_get(document, "job"), "parameters"), "groups");

	CHECK_TEXT(text_of(groups, "value"), "4");
	CHECK_TEXT(text_of(groups, "text"), "2*cpus");
	json_decref(document);
}

static void a_value_is_known_missing_with_its_reason_or_not_applicable(void **state)
{
	AUTO(run) struct run *run = fixture_run(5);
	AUTO(job) struct job *job = fixture_job("head");
	json_t *document = document_of(run, job);
	const json_t *known =
		json_object_get(find_metric(document, "proc-vmstat.counter_0"), "value");
	const json_t *missing =
		json_object_get(find_metric(document, "proc-vmstat.counter_7"), "value");
	const json_t *senseless =
		json_object_get(find_metric(document, "proc-vmstat.counter_9"), "value");

	CHECK_TEXT(text_of(known, "state"), "known");
	CHECK(json_is_real(json_object_get(known, "number")));
	CHECK_TEXT(text_of(missing, "state"), "missing");
	CHECK_TEXT(text_of(missing, "why"), missing_text(MISSING_SWITCHED_OFF));
	CHECK(json_object_get(missing, "number") == NULL);
	CHECK_TEXT(text_of(senseless, "state"), "not applicable");
	CHECK(json_object_get(senseless, "number") == NULL);
	json_decref(document);
}

static void the_environment_keeps_the_states_too(void **state)
{
	AUTO(run) struct run *run = fixture_run(5);
	AUTO(job) struct job *job = fixture_job("head");
	json_t *document = document_of(run, job);
	const json_t *facts = json_object_get(document, "environment");

	CHECK_TEXT(text_of(facts, "kernel.release"), "6.1.0");
	CHECK_TEXT(text_of(json_object_get(facts, "cpu.microcode"), "missing"),
		   missing_text(MISSING_DENIED));
	CHECK(json_object_get(facts, "cpu.turbo") != NULL);
	CHECK(json_object_get(json_object_get(facts, "cpu.turbo"), "missing") == NULL);
	CHECK(json_object_get(facts, "env.ODD") != NULL); /* Its text is no UTF-8. */
	json_decref(document);
}

static void workers_and_costs_are_listed(void **state)
{
	AUTO(run) struct run *run = fixture_run(5);
	AUTO(job) struct job *job = fixture_job("head");
	json_t *document = document_of(run, job);
	const json_t *costs = json_object_get(document, "costs");

	CHECK_INT(json_array_size(json_object_get(document, "workers")), 2);
	CHECK_INT(json_array_size(costs), 2);
	CHECK_TEXT(text_of(json_array_get(costs, 0), "monitor"), "proc-vmstat");
	CHECK_TEXT(text_of(json_array_get(costs, 1), "absent_reason"),
		   "/proc/pressure is not there");
	json_decref(document);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_says_where_it_belongs_and_how_it_ended),
		cmocka_unit_test(a_value_is_known_missing_with_its_reason_or_not_applicable),
		cmocka_unit_test(the_environment_keeps_the_states_too),
		cmocka_unit_test(workers_and_costs_are_listed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
