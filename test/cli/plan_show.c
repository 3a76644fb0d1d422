/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A plan for people and for programs. */
#include "cli/plan_show.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"
#include "capture.h"
#include "check.h"
#include "cli/rows.h"
#include "experiment/experiment.h"

#include <jansson.h>
#include <stdlib.h>

static const struct machine machine = {
	.cpus = 8, .cores = 4, .sockets = 1, .nodes = 1, .memory_mib = 4096
};

/* Two points of hackbench, two subjects, three runs. */
static struct plan *make_plan_of(const char *groups)
{
	const struct catalogue *catalogue = rows_catalogue();
	AUTO(experiment) struct experiment *experiment = experiment_new();
	struct plan *plan = NULL;
	struct error err = { 0 };
	int failed = experiment_add_workload(experiment, "hackbench", catalogue, &err);

	if (!failed)
		failed = experiment_add_parameter(experiment, groups, catalogue, &err);
	if (!failed)
		failed = experiment_add_subject(experiment, "base", &err);
	if (!failed)
		failed = experiment_add_subject(experiment, "head:vm.numa_stat=0,param.ipc=pipe",
						&err);
	experiment->runs = 3;
	experiment->seed = 7;
	experiment->until = UNTIL_RUNS;
	experiment->question = mem_text("is it faster?");
	if (!failed)
		failed = experiment_check(experiment, catalogue, &err);
	if (!failed)
		failed = plan_make(experiment, catalogue, &machine, &plan, &err);
	if (failed)
		fail_msg("no plan: %s", err.text);
	return plan;
}

static struct plan *make_plan(void)
{
	return make_plan_of("groups=1,2*cpus");
}

static void show(void *user)
{
	CHECK_INT(plan_show(user, /* json= */ false), 0);
}

static void show_as_json(void *user)
{
	CHECK_INT(plan_show(user, /* json= */ true), 0);
}

static void people_see_points_subjects_order_and_time(void **state)
{
	AUTO(plan) struct plan *plan = make_plan();
	char *out = capture(stdout, show, plan);

	CHECK_HOLDS(out, "question: is it faster?\n");
	CHECK_HOLDS(out, "hackbench fds=20 groups=1 ");
	CHECK_HOLDS(out, "groups=16 (2*cpus)"); /* The value, and what was written. */
	CHECK_HOLDS(out, "  base: as the machine is\n");
	CHECK_HOLDS(out, "  head: sysctl.vm.numa_stat=0 param.ipc=pipe\n");
	CHECK_HOLDS(out, "order (seed 7):\n");
	CHECK_HOLDS(out, "block 0 (hackbench): ");
	CHECK_HOLDS(out, "\n12 runs, about ");
	free(out);
}

/* The lines of the order name as many runs as the plan has, half of them of each subject. */
static void the_order_names_every_run(void **state)
{
	AUTO(plan) struct plan *plan = make_plan();
	char *out = capture(stdout, show, plan);
	size_t base = 0;
	size_t head = 0;
	char *rest = NULL;

	for (char *word = strtok_r(strstr(out, "order"), " \n", &rest); word;
	     word = strtok_r(NULL, " \n", &rest)) {
		base += strcmp(word, "base") == 0;
		head += strcmp(word, "head") == 0;
	}
	CHECK_INT(base, 6);
	CHECK_INT(head, 6);
	free(out);
}

static void programs_get_the_same_plan(void **state)
{
	AUTO(plan) struct plan *plan = make_plan();
	char *out = capture(stdout, show_as_json, plan);
	json_t *document = json_loads(out, 0, NULL);
	const json_t *jobs = json_object_get(document, "jobs");
	const json_t *head = json_array_get(jobs, 1);
	const json_t *runs = json_object_get(document, "runs");

	CHECK(document != NULL);
	CHECK_INT(json_integer_value(json_object_get(document, "seed")), 7);
	CHECK(json_number_value(json_object_get(document, "estimate_s")) > 0);
	CHECK_INT(json_array_size(jobs), 4);
	CHECK_INT(json_array_size(runs), 12);
	CHECK_TEXT(json_string_value(json_object_get(head, "subject")), "head");
	CHECK_INT(json_array_size(json_object_get(head, "settings")), 2);
	CHECK_TEXT(
		json_string_value(json_object_get(json_object_get(head, "parameters"), "groups")),
		"1");
	for (size_t i = 0; i < plan->n_runs; i++) {
		const json_t *run = json_array_get(runs, i);

		CHECK_INT(json_integer_value(json_object_get(run, "job")), plan->runs[i].job);
		CHECK_INT(json_integer_value(json_object_get(run, "block")), plan->runs[i].block);
	}
	json_decref(document);
	free(out);
}

static void people_see_when_it_is_enough(void **state)
{
	AUTO(plan) struct plan *plan = make_plan();

	char *fixed = capture(stdout, show, plan);

	CHECK_HOLDS(fixed, "until: 3 runs of each subject at each point\n");
	plan->stopping = (struct stopping) { .until_decided = true,
					     .runs_max = 20,
					     .time_max_ns = 90 * NS_PER_SEC };
	plan->warm_up = true;
	char *decided = capture(stdout, show, plan);

	CHECK_HOLDS(decided, "until: decided, asked after each block from 8 runs of each subject "
			     "on, at most 20\n");
	CHECK_HOLDS(decided, "no block begins after 1 min 30 s\n");
	CHECK_HOLDS(decided, "warms up: kept, never judged\n");
	CHECK_HOLDS(decided, "\nat most 12 runs, at most ");
	char *json = capture(stdout, show_as_json, plan);
	json_t *document = json_loads(json, 0, NULL);
	const json_t *stopping = json_object_get(document, "stopping");

	CHECK(json_is_true(json_object_get(stopping, "until_decided")));
	CHECK_INT(json_integer_value(json_object_get(stopping, "runs_max")), 20);
	CHECK(json_is_null(json_object_get(stopping, "alpha")));
	json_decref(document);
	free(fixed);
	free(decided);
	free(json);
}

static size_t count(const char *text, const char *what)
{
	size_t n = 0;

	for (const char *at = text; (at = strstr(at, what)); at++)
		n++;
	return n;
}

static void a_long_plan_says_first_how_long_and_prints_20_blocks(void **state)
{
	AUTO(plan)
	struct plan *plan =
		make_plan_of("groups=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23");
	char *out = capture(stdout, show, plan);
	const size_t n_blocks = plan->runs[plan->n_runs - 1].block + 1;
	char *more = mem_format("  ... and %zu more blocks\n138 runs, about ", n_blocks - 20);

	CHECK(n_blocks > 20);
	CHECK(text_starts_with(out, "138 runs, about "));
	CHECK_INT(count(out, "  block "), 20);
	CHECK_HOLDS(out, more);
	free(more);
	free(out);
}

static void a_short_plan_is_printed_whole(void **state)
{
	AUTO(plan) struct plan *plan = make_plan();
	char *out = capture(stdout, show, plan);

	CHECK_INT(count(out, "  block "), plan->runs[plan->n_runs - 1].block + 1);
	CHECK_INT(count(out, "12 runs, about "), 1);
	CHECK(strstr(out, "more block") == NULL);
	free(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(people_see_points_subjects_order_and_time),
		cmocka_unit_test(the_order_names_every_run),
		cmocka_unit_test(a_long_plan_says_first_how_long_and_prints_20_blocks),
		cmocka_unit_test(a_short_plan_is_printed_whole),
		cmocka_unit_test(people_see_when_it_is_enough),
		cmocka_unit_test(programs_get_the_same_plan),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
