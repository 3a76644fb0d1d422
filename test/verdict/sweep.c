/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which points make a sweep, and what is divided by what. */
#include "verdict/sweep.h"

#include "base/mem.h"
#include "check.h"
#include "verdict/sample.h"

#define POINTS_MAX 4

struct made {
	struct sample samples[POINTS_MAX];
	struct sweep_point points[POINTS_MAX];
	size_t n;
};

/* Adds a point whose runs have these rates. */
static void add(struct made *made, const char *mode, const char *nr_task, const double *rates,
		size_t n_rates)
{
	struct sample *sample = &made->samples[made->n];
	*sample = sample_make("base", 1);
	sample_argument(sample, "mode", mode);
	if (nr_task)
		sample_argument(sample, "nr_task", nr_task);
	made->points[made->n++] =
		(struct sweep_point) { .job = sample->job, .rate = summary_make(rates, n_rates) };
}

static void done(struct made *made)
{
	for (size_t i = 0; i < made->n; i++)
		sample_done(&made->samples[i]);
}

static const double one_task[] = { 100, 102, 98, 100 };
static const double four_tasks[] = { 300, 306, 294, 300 };

static void it_is_the_rate_over_the_tasks_and_the_rate_of_one_task(void **state)
{
	struct made made = { 0 };
	add(&made, "process", "1", one_task, 4);
	add(&made, "process", "4", four_tasks, 4);
	const struct scaling base = sweep_scaling(made.points, made.n, 0);
	const struct scaling four = sweep_scaling(made.points, made.n, 1);
	CHECK_INT(base.state, SCALING_KNOWN);
	CHECK_NEAR(base.value, 1.0, 0.0);
	CHECK(isnan(base.low));
	CHECK_INT(four.state, SCALING_KNOWN);
	CHECK_INT(four.tasks, 4);
	CHECK_NEAR(four.value, 0.75, 1e-12);
	CHECK(four.low > 0.7 && four.low < 0.75 && four.high > 0.75 && four.high < 0.8);
	done(&made);
}

static void points_that_differ_in_more_are_another_sweep(void **state)
{
	struct made made = { 0 };
	add(&made, "process", "1", one_task, 4);
	add(&made, "thread", "4", four_tasks, 4);
	CHECK_INT(sweep_scaling(made.points, made.n, 0).state, SCALING_NO_SWEEP);
	CHECK_INT(sweep_scaling(made.points, made.n, 1).state, SCALING_NO_SWEEP);
	done(&made);
}

static void each_mode_has_its_own_base(void **state)
{
	static const double faster[] = { 150, 150.5, 149.5 };
	struct made made = { 0 };
	add(&made, "process", "1", one_task, 4);
	add(&made, "thread", "1", faster, 3);
	add(&made, "process", "4", four_tasks, 4);
	add(&made, "thread", "4", four_tasks, 4);
	CHECK_NEAR(sweep_scaling(made.points, made.n, 2).value, 0.75, 1e-12);
	CHECK_NEAR(sweep_scaling(made.points, made.n, 3).value, 0.5, 1e-12);
	CHECK_NEAR(sweep_scaling(made.points, made.n, 1).value, 1.0, 0.0);
	done(&made);
}

static void without_one_task_it_is_missing(void **state)
{
	struct made made = { 0 };
	add(&made, "process", "2", one_task, 4);
	add(&made, "process", "4", four_tasks, 4);
	const struct scaling scaling = sweep_scaling(made.points, made.n, 1);
	CHECK_INT(scaling.state, SCALING_NO_BASE);
	CHECK(isnan(scaling.value));
	CHECK_HOLDS(sweep_reason(scaling.state), "nr_task=1");
	done(&made);
}

static void a_base_of_which_no_run_is_complete_is_none(void **state)
{
	struct made made = { 0 };
	add(&made, "process", "1", NULL, 0);
	add(&made, "process", "4", four_tasks, 4);
	CHECK_INT(sweep_scaling(made.points, made.n, 0).state, SCALING_NO_RATE);
	CHECK_INT(sweep_scaling(made.points, made.n, 1).state, SCALING_NO_BASE);
	done(&made);
}

static void one_run_a_point_has_no_interval(void **state)
{
	struct made made = { 0 };
	add(&made, "process", "1", one_task, 1);
	add(&made, "process", "4", four_tasks, 1);
	const struct scaling scaling = sweep_scaling(made.points, made.n, 1);
	CHECK_NEAR(scaling.value, 0.75, 1e-12);
	CHECK(isnan(scaling.low) && isnan(scaling.high));
	done(&made);
}

static void a_workload_without_tasks_has_no_sweep(void **state)
{
	struct made made = { 0 };
	add(&made, "process", NULL, one_task, 4);
	add(&made, "process", NULL, four_tasks, 4);
	CHECK_INT(sweep_scaling(made.points, made.n, 1).state, SCALING_NO_SWEEP);
	CHECK_INT(sweep_scaling(made.points, made.n, 1).tasks, 0);
	done(&made);
}

static void only_the_rate_of_all_tasks_is_the_rate(void **state)
{
	CHECK(sweep_is_rate("will-it-scale.workload"));
	CHECK(sweep_is_rate("ebizzy.throughput"));
	CHECK(!sweep_is_rate("will-it-scale.per_process_ops"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_the_rate_over_the_tasks_and_the_rate_of_one_task),
		cmocka_unit_test(points_that_differ_in_more_are_another_sweep),
		cmocka_unit_test(each_mode_has_its_own_base),
		cmocka_unit_test(without_one_task_it_is_missing),
		cmocka_unit_test(a_base_of_which_no_run_is_complete_is_none),
		cmocka_unit_test(one_run_a_point_has_no_interval),
		cmocka_unit_test(a_workload_without_tasks_has_no_sweep),
		cmocka_unit_test(only_the_rate_of_all_tasks_is_the_rate),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
