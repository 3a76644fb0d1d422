/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs out, scores in: what becomes of runs with and without their scores. */
#include "intake/harvest.h"

#include "adapted.h"
#include "jobbed.h"

#define TOOL                                                                                       \
	HEAD "parameters: {n: {what: x, type: number, default: 1}}\nstart: [tool, '-n{n}']\n"      \
	     "scores: [{name: t.s, regex: 'took ([0-9.]+)', unit: ms, better: lower}]\n"

static const char *const arguments[] = { "n", "4", NULL };

static struct run *run_with(enum run_outcome outcome, const char *log)
{
	const struct metric time = { .name = "command.time_sec",
				     .unit = "s",
				     .what = "time",
				     .better = BETTER_LOWER,
				     .role = ROLE_SCORE };
	struct run *run = run_new();
	free(run->workload);
	free(run->log);
	run->workload = mem_text("command");
	run->semantics = 1;
	run->outcome = outcome;
	run->log = mem_text(log);
	run_metric_add(run, &time, value_known(1.5));
	run_sort(run);
	return run;
}

static void a_job_of_an_adapter_is_carried_as_one_of_command(void **state)
{
	struct adapters adapters AUTO(adapters) = { 0 };
	AUTO(job) struct job *job = jobbed("tool", arguments);
	AUTO(job) struct job *carried = NULL;
	adapters_put(&adapters, adapted(TOOL));
	CHECK_INT(harvest_job(&adapters, job, &carried, NULL), 0);
	CHECK_TEXT(carried->workload, "command");
	CHECK_TEXT(job_argument(carried, "program"), "tool -n4");
	CHECK_TEXT(job->workload, "tool");
}

static void an_adapter_that_means_something_else_by_now_is_refused(void **state)
{
	struct adapters adapters AUTO(adapters) = { 0 };
	AUTO(job) struct job *job = jobbed("tool", arguments);
	AUTO(job) struct job *carried = NULL;
	struct error err = { 0 };
	adapters_put(&adapters, adapted(TOOL));
	job->semantics = 2;
	CHECK_INT(harvest_job(&adapters, job, &carried, &err), -EINVAL);
	CHECK_HOLDS(err.text, "semantics version 3 now");
}

static void a_run_gets_its_name_and_scores_and_the_time_is_no_score(void **state)
{
	struct adapters adapters AUTO(adapters) = { 0 };
	AUTO(job) struct job *job = jobbed("tool", arguments);
	AUTO(run) struct run *run = run_with(RUN_COMPLETE, "took 12.5\n");
	adapters_put(&adapters, adapted(TOOL));
	CHECK_INT(harvest_run(&adapters, job, run, NULL), 0);
	CHECK_INT(run->outcome, RUN_COMPLETE);
	CHECK_TEXT(run->workload, "tool");
	CHECK_INT(run->semantics, 3);
	CHECK_NEAR(run_metric_find(run, "t.s")->value.number, 12.5, 0.0);
	CHECK_INT(run_metric_find(run, "command.time_sec")->metric.role, ROLE_EVIDENCE);
	CHECK_TEXT(run_fact_find(run, "adapter.version_seen")->text, "1.2");
}

static void a_run_without_its_score_has_failed_and_keeps_its_output(void **state)
{
	struct adapters adapters AUTO(adapters) = { 0 };
	AUTO(job) struct job *job = jobbed("tool", arguments);
	AUTO(run) struct run *run = run_with(RUN_COMPLETE, "nothing of the kind\n");
	adapters_put(&adapters, adapted(TOOL));
	CHECK_INT(harvest_run(&adapters, job, run, NULL), 0);
	CHECK_INT(run->outcome, RUN_FAILED);
	CHECK_HOLDS(run->reason, "the output has no 't.s'");
	CHECK_TEXT(run->log, "nothing of the kind\n");
	CHECK(run_metric_find(run, "t.s") == NULL);
}

static void a_program_that_is_not_there_is_unsupported_with_its_package(void **state)
{
	struct adapters adapters AUTO(adapters) = { 0 };
	AUTO(job) struct job *job = jobbed("tool", arguments);
	AUTO(run) struct run *run = run_with(RUN_FAILED, "");
	CHECK_INT(setenv("PATH", "/nowhere", 1), 0);
	adapters_put(&adapters, adapted(TOOL));
	CHECK_INT(harvest_run(&adapters, job, run, NULL), 0);
	CHECK_INT(run->outcome, RUN_UNSUPPORTED);
	CHECK_TEXT(run->reason, "'tool' is not installed; Debian has it in the package tools");
}

static void a_loop_of_ones_own_is_read_by_its_parameter(void **state)
{
	static const char *const words[] = { "program", "x", "score",
					     "regex:took ([0-9.]+),unit=ms,better=lower", NULL };
	AUTO(job) struct job *job = jobbed("command", words);
	AUTO(run) struct run *run = run_with(RUN_COMPLETE, "took 3\n");
	CHECK_INT(harvest_run(NULL, job, run, NULL), 0);
	CHECK_NEAR(run_metric_find(run, "command.score")->value.number, 3.0, 0.0);
	CHECK_INT(run_metric_find(run, "command.score")->metric.better, BETTER_LOWER);
	CHECK_TEXT(run->workload, "command");
}

static void the_time_stays_a_score_where_nothing_else_is_asked_for(void **state)
{
	static const char *const words[] = { "program", "x", "score", "time", NULL };
	AUTO(job) struct job *job = jobbed("command", words);
	AUTO(run) struct run *run = run_with(RUN_COMPLETE, "");
	CHECK_INT(harvest_run(NULL, job, run, NULL), 0);
	CHECK_INT(run->n_metrics, 1);
	CHECK_INT(run_metric_find(run, "command.time_sec")->metric.role, ROLE_SCORE);
	CHECK_INT(run_metric_find(run, "command.time_sec")->metric.better, BETTER_LOWER);
}

static void a_second_adapter_of_a_name_takes_the_place_of_the_first(void **state)
{
	struct adapters adapters AUTO(adapters) = { 0 };
	adapters_put(&adapters, adapted(TOOL));
	struct adapter *second = adapted(TOOL);
	adapters_put(&adapters, second);
	CHECK_INT(adapters.n, 1);
	CHECK(adapters_find(&adapters, "tool") == second);
	CHECK(adapters_find(NULL, "tool") == NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_job_of_an_adapter_is_carried_as_one_of_command),
		cmocka_unit_test(an_adapter_that_means_something_else_by_now_is_refused),
		cmocka_unit_test(a_run_gets_its_name_and_scores_and_the_time_is_no_score),
		cmocka_unit_test(a_run_without_its_score_has_failed_and_keeps_its_output),
		cmocka_unit_test(a_program_that_is_not_there_is_unsupported_with_its_package),
		cmocka_unit_test(a_loop_of_ones_own_is_read_by_its_parameter),
		cmocka_unit_test(the_time_stays_a_score_where_nothing_else_is_asked_for),
		cmocka_unit_test(a_second_adapter_of_a_name_takes_the_place_of_the_first),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
