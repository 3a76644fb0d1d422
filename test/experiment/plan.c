/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plans: the jobs of a matrix, what makes a point, and the order of the runs. */
#include "experiment/plan.h"

#include "base/clock.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "check.h"
#include "experiment/fake_catalogue.h"

#include <errno.h>
#include <stdlib.h>

static const struct machine two_cpus = {
	.cpus = 2, .cores = 1, .sockets = 1, .nodes = 1, .memory_mib = 4096
};

static int try_plan(const char *yaml, const struct machine *machine, struct plan **ret_plan,
		    struct error *err)
{
	AUTO(experiment) struct experiment *experiment = NULL;
	if (experiment_parse(yaml, strlen(yaml), "x.yaml", &fake_catalogue, &experiment, err) < 0)
		fail_msg("%s", err->text);
	return plan_make(experiment, &fake_catalogue, machine, ret_plan, err);
}

static struct plan *plan_of(const char *yaml)
{
	struct plan *plan = NULL;
	struct error err = { 0 };
	if (try_plan(yaml, &two_cpus, &plan, &err) < 0)
		fail_msg("%s", err.text);
	return plan;
}

static const char *text_of(const struct job *job, const char *name)
{
	for (size_t i = 0; i < job->n_arguments; i++)
		if (text_equal(job->arguments[i].name, name))
			return job->arguments[i].text;
	return NULL;
}

static void the_last_dimension_is_the_fastest(void **state)
{
	AUTO(plan)
	struct plan *plan = plan_of("workloads:\n"
				    "  - hackbench: {g: [1, 2], ipc: [pipe, socket]}\n"
				    "  - getppid1\n"
				    "subjects: {base: , head: }\n");
	static const char *const want[][2] = {
		{ "1", "pipe" }, { "1", "socket" }, { "2", "pipe" }, { "2", "socket" }
	};
	CHECK_INT(plan->n_points, 5);
	CHECK_INT(plan->n_subjects, 2);
	CHECK_INT(plan->n_jobs, 10);
	for (size_t point = 0; point < 4; point++)
		for (size_t subject = 0; subject < 2; subject++) {
			const struct job *job = plan->jobs[point * 2 + subject];
			CHECK_TEXT(job_argument(job, "groups"), want[point][0]);
			CHECK_TEXT(job_argument(job, "ipc"), want[point][1]);
			CHECK_TEXT(job->subject, subject ? "head" : "base");
		}
	CHECK_TEXT(plan->jobs[8]->workload, "getppid1");
	CHECK_INT(plan->jobs[8]->semantics, 2);
	CHECK_INT(plan->jobs[8]->n_arguments, 0);
}

static void arguments_are_whole_sorted_and_evaluated(void **state)
{
	AUTO(plan)
	struct plan *plan = plan_of("workload: {page_fault1: {t: 2*cpus+1}}\n"
				    "subjects: {base: }\n"
				    "interval: 200ms\n");
	const struct job *job = plan->jobs[0];
	static const char *const names[] = { "duration", "mode", "nr_task", "warmup" };
	static const char *const values[] = { "5", "process", "5", "1" };
	CHECK_INT(job->n_arguments, ARRAY_SIZE(names));
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		CHECK_TEXT(job->arguments[i].name, names[i]);
		CHECK_TEXT(job->arguments[i].value, values[i]);
	}
	CHECK_TEXT(text_of(job, "nr_task"), "2*cpus+1");
	CHECK_TEXT(text_of(job, "warmup"), "1");
	CHECK_INT(job->interval_ns, 200 * NS_PER_MS);
	CHECK_TEXT(job->place, "host");
}

static void a_preset_may_be_an_expression(void **state)
{
	AUTO(plan) struct plan *plan = plan_of("workload: hackbench\nsubjects: {base: }\n");
	CHECK_TEXT(job_argument(plan->jobs[0], "loops"), "100");
	CHECK_TEXT(text_of(plan->jobs[0], "loops"), "cpus*50");
}

static void points_that_are_equal_here_are_measured_once(void **state)
{
	AUTO(plan)
	struct plan *plan = plan_of("workload:\n"
				    "  page_fault1: {t: [1, 50%, cpus, 2, 100%, 3]}\n"
				    "subjects: {base: , head: }\n");
	CHECK_INT(plan->n_points, 3);
	CHECK_INT(plan->n_jobs, 6);
	CHECK_TEXT(text_of(plan->jobs[0], "nr_task"), "1");
	CHECK_TEXT(text_of(plan->jobs[2], "nr_task"), "cpus");
	CHECK_TEXT(text_of(plan->jobs[4], "nr_task"), "3");
}

static void a_workload_that_stands_twice_gives_no_point_twice(void **state)
{
	AUTO(plan)
	struct plan *plan = plan_of("workloads:\n"
				    "  - hackbench: {g: [1, 2]}\n"
				    "  - hackbench: {g: [2, 3]}\n"
				    "subjects: {base: }\n");
	CHECK_INT(plan->n_points, 3);
}

static void subjects_that_differ_by_a_parameter_share_the_point(void **state)
{
	AUTO(plan)
	struct plan *plan = plan_of("workload: {hackbench: {ipc: socket, g: [1, 2]}}\n"
				    "subjects:\n"
				    "  base:\n"
				    "  head: {param: {ipc: pipe}}\n");
	CHECK_INT(plan->n_points, 2);
	CHECK_TEXT(job_argument(plan->jobs[0], "ipc"), "socket");
	CHECK_TEXT(job_argument(plan->jobs[1], "ipc"), "pipe");
	AUTO(text) char *base = job_point(plan->jobs[0]);
	AUTO(text) char *head = job_point(plan->jobs[1]);
	AUTO(text) char *next = job_point(plan->jobs[2]);
	CHECK_TEXT(base, head);
	CHECK_TEXT(base, "hackbench/groups=1/loops=cpus*50/mode=process");
	CHECK(strcmp(base, next) != 0);
}

static void settings_and_monitors_go_into_every_job(void **state)
{
	AUTO(plan)
	struct plan *plan = plan_of("workload: hackbench\n"
				    "subjects:\n"
				    "  base:\n"
				    "  head: {env: {A: b}, prefix: nice}\n");
	CHECK_INT(plan->jobs[0]->n_settings, 0);
	CHECK_INT(plan->jobs[1]->n_settings, 2);
	CHECK_TEXT(plan->jobs[1]->settings[0].key, "A");
	CHECK_TEXT(plan->jobs[1]->settings[1].value, "nice");
	CHECK_INT(plan->jobs[0]->n_monitors, 3);
	CHECK_TEXT(plan->jobs[0]->monitors[1], "proc-vmstat");
	AUTO(plan)
	struct plan *none = plan_of("workload: hackbench\nsubjects: {base: }\n"
				    "monitors: none\n");
	CHECK_INT(none->jobs[0]->n_monitors, 0);
	AUTO(plan)
	struct plan *some = plan_of("workload: hackbench\nsubjects: {base: }\n"
				    "monitors: [vmstat]\n");
	CHECK_INT(some->jobs[0]->n_monitors, 1);
	CHECK_TEXT(some->jobs[0]->monitors[0], "vmstat");
}

static void what_does_not_fit_this_machine_is_refused_with_its_reason(void **state)
{
	static const struct {
		const char *yaml;
		const char *sentence;
	} rows[] = {
		{ "workload: {hackbench: {g: 8/(cpus-2)}}\nsubjects: {base: }\n",
		  "workload 'hackbench': groups=8/(cpus-2), character 2: division by zero" },
		{ "workload: {hackbench: {g: cpus-2}}\nsubjects: {base: }\n",
		  "workload 'hackbench': groups=cpus-2 is 0 on this machine, it must be 1 to "
		  "1000" },
		{ "workload: {hackbench: {g: [1, cpus*501]}}\nsubjects: {base: }\n",
		  "workload 'hackbench': groups=cpus*501 is 1002 on this machine, it must be 1 to "
		  "1000" },
		{ "workload: hackbench\nsubjects: {base: , head: {param: {g: cpus-4}}}\n",
		  "workload 'hackbench': subject 'head': groups=cpus-4, character 1: the result is "
		  "negative" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct plan *plan = NULL;
		struct error err = { 0 };
		CHECK_INT(try_plan(rows[i].yaml, &two_cpus, &plan, &err), -EINVAL);
		CHECK_TEXT(err.text, rows[i].sentence);
		CHECK(!plan);
	}
}

/* Counts of each subject in each block, and the round in which the blocks of the points stand. */
static void check_blocks(const struct plan *plan, unsigned runs)
{
	const size_t per_job = plan->n_runs / plan->n_jobs;
	CHECK_INT(per_job, runs);
	AUTO(text) char *block = mem_array(plan->n_jobs, sizeof(unsigned));
	unsigned *done = (unsigned *)(void *)block;
	size_t at = 0;
	for (uint32_t number = 0; at < plan->n_runs; number++) {
		const size_t point = number % plan->n_points;
		const unsigned round = (unsigned)(number / plan->n_points);
		const unsigned left = runs - round * 2;
		const unsigned of_each = runs == 5 && plan->n_judged == 2 ? 5 : left >= 2 ? 2 : 1;
		for (size_t i = 0; i < of_each * plan->n_subjects; i++, at++) {
			CHECK_INT(plan->runs[at].block, number);
			CHECK_INT(plan->runs[at].job / plan->n_subjects, point);
			done[plan->runs[at].job]++;
		}
		for (size_t subject = 0; subject < plan->n_subjects; subject++)
			CHECK_INT(done[point * plan->n_subjects + subject], round * 2 + of_each);
	}
}

static void blocks_hold_two_of_each_and_points_take_turns(void **state)
{
	for (unsigned runs = 1; runs <= 7; runs++) {
		for (unsigned subjects = 1; subjects <= 3; subjects++) {
			static const char *const lists[] = { "", "{a: }", "{a: , b: }",
							     "{a: , b: , c: }" };
			AUTO(text)
			char *yaml = mem_format("workload: {hackbench: {g: [1, 2, 3]}}\n"
						"runs: %u\nsubjects: %s\n",
						runs, lists[subjects]);
			AUTO(plan) struct plan *plan = plan_of(yaml);
			CHECK_INT(plan->n_subjects, subjects);
			CHECK_INT(plan->n_runs, (size_t)3 * subjects * runs);
			check_blocks(plan, runs);
		}
	}
}

static char *order_of(const struct plan *plan)
{
	struct text text = { 0 };
	for (size_t i = 0; i < plan->n_runs; i++) {
		if (i > 0 && plan->runs[i].block != plan->runs[i - 1].block)
			text_add(&text, " ");
		text_add(&text, "%u", plan->runs[i].job);
	}
	return text_take(&text);
}

/* Recorded once: a plan of this seed must be the same in every version. */
static void a_seed_gives_the_same_order_for_ever(void **state)
{
	static const char yaml[] = "workload: {hackbench: {g: [1, 2]}}\n"
				   "subjects: {base: , head: }\nruns: 7\nseed: 42\n";
	AUTO(plan) struct plan *plan = plan_of(yaml);
	AUTO(text) char *order = order_of(plan);
	CHECK_INT(plan->seed, 42);
	CHECK_TEXT(order, "1001 3232 0101 2332 0101 2323 01 32");
	AUTO(plan) struct plan *again = plan_of(yaml);
	AUTO(text) char *order_again = order_of(again);
	CHECK_TEXT(order_again, order);
}

static void a_plan_holds_when_it_is_enough(void **state)
{
	AUTO(plan)
	struct plan *plan = plan_of("workload: hackbench\nsubjects: {base: , head: }\n"
				    "max-runs: 11\nmax-time: 90s\neffect: 2%\nalpha: 0.05\n"
				    "warm-up-block: yes\nbetter: {time: lower}\n");
	CHECK_INT(plan->n_better, 1);
	CHECK_TEXT(plan->better[0].metric, "time");
	CHECK(!plan->better[0].higher);
	CHECK(plan->stopping.until_decided);
	CHECK_INT(plan->stopping.runs_max, 11);
	CHECK_INT(plan->stopping.time_max_ns, 90 * NS_PER_SEC);
	CHECK_NEAR(plan->stopping.effect_percent, 2, 0);
	CHECK_NEAR(plan->stopping.alpha, 0.05, 0);
	CHECK(plan->warm_up);
	CHECK_INT(plan->n_runs, 22);
	AUTO(plan) struct plan *lone = plan_of("workload: hackbench\nsubjects: {base: }\n");
	CHECK(!lone->stopping.until_decided);
	CHECK_INT(lone->n_runs, 10);
}

static void a_twin_is_the_base_under_its_own_name(void **state)
{
	AUTO(plan)
	struct plan *plan = plan_of("workload: {hackbench: {g: [1, 2]}}\n"
				    "subjects: {base: {env: {A: b}}, head: }\naa: 5%\n");
	CHECK_INT(plan->n_subjects, 3);
	CHECK_INT(plan->n_judged, 2);
	CHECK_INT(plan->n_jobs, 6);
	for (size_t point = 0; point < 2; point++) {
		const struct job *base = plan->jobs[3 * point];
		const struct job *twin = plan->jobs[3 * point + 2];
		CHECK_TEXT(twin->subject, "base (A/A)");
		CHECK(plan_is_twin(twin->subject) && !plan_is_twin(base->subject));
		CHECK_TEXT(twin->settings[0].key, "A");
		CHECK_TEXT(twin->point, base->point);
	}
}

static void a_seed_is_drawn_when_none_is_given(void **state)
{
	static const char yaml[] = "workload: hackbench\nsubjects: {base: , head: }\n";
	AUTO(plan) struct plan *one = plan_of(yaml);
	AUTO(plan) struct plan *other = plan_of(yaml);
	CHECK(one->seed > 0 && one->seed <= EXPERIMENT_SEED_MAX);
	CHECK(one->seed != other->seed);
}

/* Over many seeds each of the six orders of a block of two subjects must come about equally often:
 * 600 draws, 100 expected, standard deviation 9. */
static void every_order_of_a_block_is_equally_likely(void **state)
{
	unsigned counts[6] = { 0 };
	static const char *const orders[] = { "0011", "0101", "0110", "1001", "1010", "1100" };
	for (unsigned seed = 1; seed <= 600; seed++) {
		AUTO(text)
		char *yaml = mem_format("workload: getppid1\nsubjects: {a: , b: }\nruns: 2\n"
					"seed: %u\n",
					seed);
		AUTO(plan) struct plan *plan = plan_of(yaml);
		AUTO(text) char *order = order_of(plan);
		for (size_t i = 0; i < ARRAY_SIZE(orders); i++)
			counts[i] += text_equal(order, orders[i]);
	}
	unsigned sum = 0;
	for (size_t i = 0; i < ARRAY_SIZE(orders); i++) {
		sum += counts[i];
		CHECK(counts[i] > 55 && counts[i] < 145);
	}
	CHECK_INT(sum, 600);
}

static void times_are_estimated_from_the_parameters(void **state)
{
	AUTO(plan)
	struct plan *plan = plan_of("workloads:\n"
				    "  - page_fault1: {duration: 2.5, warmup: 1}\n"
				    "  - hackbench\n"
				    "subjects: {base: }\n");
	CHECK_INT(plan_estimate_ns(plan->jobs[0]), 4 * NS_PER_SEC);
	CHECK_INT(plan->jobs[0]->time_limit_ns, 70 * NS_PER_SEC);
	CHECK(plan_estimate_ns(plan->jobs[1]) > 0);
	CHECK(plan->jobs[1]->time_limit_ns >= 10 * plan_estimate_ns(plan->jobs[1]));
	AUTO(plan)
	struct plan *limited = plan_of("workload: hackbench\nsubjects: {base: }\n"
				       "time-limit: 90s\n");
	CHECK_INT(limited->jobs[0]->time_limit_ns, 90 * NS_PER_SEC);
}

static void the_largest_plan_is_made(void **state)
{
	struct text yaml AUTO(text_buffer) = { 0 };
	text_add(&yaml, "workload:\n  hackbench:\n    loops: [1");
	for (unsigned i = 2; i <= 10000; i++)
		text_add(&yaml, ", %u", i);
	text_add(&yaml, "]\nsubjects: {base: , head: }\nruns: 5\nseed: 1\n");
	AUTO(plan) struct plan *plan = plan_of(text_string(&yaml));
	CHECK_INT(plan->n_points, 10000);
	CHECK_INT(plan->n_runs, 100000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_last_dimension_is_the_fastest),
		cmocka_unit_test(arguments_are_whole_sorted_and_evaluated),
		cmocka_unit_test(a_preset_may_be_an_expression),
		cmocka_unit_test(points_that_are_equal_here_are_measured_once),
		cmocka_unit_test(a_workload_that_stands_twice_gives_no_point_twice),
		cmocka_unit_test(subjects_that_differ_by_a_parameter_share_the_point),
		cmocka_unit_test(settings_and_monitors_go_into_every_job),
		cmocka_unit_test(what_does_not_fit_this_machine_is_refused_with_its_reason),
		cmocka_unit_test(blocks_hold_two_of_each_and_points_take_turns),
		cmocka_unit_test(a_seed_gives_the_same_order_for_ever),
		cmocka_unit_test(a_plan_holds_when_it_is_enough),
		cmocka_unit_test(a_twin_is_the_base_under_its_own_name),
		cmocka_unit_test(a_seed_is_drawn_when_none_is_given),
		cmocka_unit_test(every_order_of_a_block_is_equally_likely),
		cmocka_unit_test(times_are_estimated_from_the_parameters),
		cmocka_unit_test(the_largest_plan_is_made),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
