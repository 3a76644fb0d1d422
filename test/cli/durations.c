/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What earlier runs took goes into the estimate of a plan. */
#include "cli/durations.h"

#include "filled.h"
#include "store/noise.h"

static struct run *make_run(uint64_t seconds)
{
	struct run *run = filled_run(1);

	run_fact_add(run, "cpu.model_name", VALUE_KNOWN, MISSING_NOT, "Imaginary 9000");
	for (unsigned i = 1; i < PHASE_COUNT; i++)
		run->phase_ns[i] = run->phase_ns[0] + i * seconds * FIXTURE_SECOND;
	run_sort(run);
	return run;
}

static void put(struct filled *filled, int64_t campaign, uint64_t sequence, struct run *run)
{
	struct job *job = filled_job("base", "4");
	int64_t id = 0;

	CHECK_INT(store_run_put(filled->store, campaign, sequence, 0, job, run, &id, NULL), 0);
	job_free(job);
	run_free(run);
}

static struct plan *make_plan(void)
{
	struct plan *plan = mem_zero(sizeof(*plan));

	plan->jobs = mem_array(2, sizeof(*plan->jobs));
	plan->jobs[plan->n_jobs++] = filled_job("base", "4");
	plan->jobs[plan->n_jobs++] = filled_job("base", "8"); /* Never measured. */
	return plan;
}

static void a_job_that_was_measured_takes_what_it_took(void **state)
{
	struct filled filled;
	struct plan *plan = make_plan();
	struct run *run = make_run(3);
	char *machine = store_machine_type(run);

	filled_open(&filled);
	CHECK_INT(plan_run_ns(plan, 0), plan_estimate_ns(plan->jobs[0]));
	put(&filled, fixture_campaign(filled.store, "x", 1), 0, run);
	durations_fill(filled.store, machine, plan);
	CHECK_INT(plan_run_ns(plan, 0), 4 * 3 * FIXTURE_SECOND);
	CHECK_INT(plan_run_ns(plan, 1), plan_estimate_ns(plan->jobs[1]));
	durations_fill(filled.store, NULL, plan);
	CHECK_INT(plan_run_ns(plan, 0), plan_estimate_ns(plan->jobs[0]));
	plan_free(plan);
	free(machine);
	filled_done(&filled);
}

static void what_goes_beside_a_run_counts_and_a_pause_does_not(void **state)
{
	struct filled filled;
	struct plan *plan = make_plan();
	struct run *probe = make_run(1);
	char *machine = store_machine_type(probe);

	filled_open(&filled);
	const int64_t campaign = fixture_campaign(filled.store, "x", 3);
	/* Four seconds of phases each; the next one begins 2 s after the end, then an hour. */
	static const uint64_t starts[] = { 0, 6, 3600 };

	for (uint64_t i = 0; i < 3; i++) {
		struct run *run = make_run(1);

		run->started_wall_ns += starts[i] * FIXTURE_SECOND;
		put(&filled, campaign, i, run);
	}
	durations_fill(filled.store, machine, plan);
	CHECK_INT(plan_run_ns(plan, 0), (6 + 4 + 4) * FIXTURE_SECOND / 3);
	plan_free(plan);
	free(machine);
	run_free(probe);
	filled_done(&filled);
}

static void a_recorded_tree_is_another_machine(void **state)
{
	struct filled filled;
	struct plan *plan = make_plan();

	filled_open(&filled);
	put(&filled, fixture_campaign(filled.store, "x", 1), 0, make_run(3));
	durations_here(filled.store, filled.directory, plan); /* It names no processor. */
	CHECK_INT(plan_run_ns(plan, 0), plan_estimate_ns(plan->jobs[0]));
	plan_free(plan);
	filled_done(&filled);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_job_that_was_measured_takes_what_it_took),
		cmocka_unit_test(what_goes_beside_a_run_counts_and_a_pause_does_not),
		cmocka_unit_test(a_recorded_tree_is_another_machine),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
