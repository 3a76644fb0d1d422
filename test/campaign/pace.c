/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The time left: from the plan's estimate at first, from what was measured later. */
#include "campaign/pace.h"

#include "store/fixture.h"

#define N_RUNS 4

/* Two jobs of the same estimate, two runs each. Borrows `runs`. */
static struct plan two_jobs(struct job **jobs, struct planned *runs)
{
	for (uint32_t i = 0; i < 2; i++)
		jobs[i] = fixture_job(i ? "head" : "base");
	for (uint32_t i = 0; i < N_RUNS; i++)
		runs[i] = (struct planned) { .job = i % 2 };
	return (struct plan) {
		.jobs = jobs,
		.n_jobs = 2,
		.n_subjects = 2,
		.n_points = 1,
		.runs = runs,
		.n_runs = N_RUNS,
	};
}

static double remaining_ns(const struct pace *pace, uint32_t job, uint64_t elapsed_ns)
{
	const uint64_t left_ns = pace_remaining_ns(pace, job, elapsed_ns);

	return (double)left_ns;
}

static void the_plan_is_believed_until_something_is_measured(void **state)
{
	struct job *jobs[2];
	struct planned runs[N_RUNS];
	const struct plan plan = two_jobs(jobs, runs);
	const bool done[N_RUNS] = { true };
	const uint64_t one_ns = plan_estimate_ns(jobs[0]);
	struct pace *pace = pace_new(&plan, done);

	CHECK(one_ns > 0);
	CHECK_NEAR(remaining_ns(pace, 1, 0), 3.0 * (double)one_ns, 2);
	CHECK_NEAR(remaining_ns(pace, 1, one_ns / 2), 2.5 * (double)one_ns, 2);
	/* A run that takes too long does not eat the others' time. */
	CHECK_NEAR(remaining_ns(pace, 1, 9 * one_ns), 2.0 * (double)one_ns, 2);
	pace_free(pace);
	job_free(jobs[0]);
	job_free(jobs[1]);
}

static void a_run_that_is_not_needed_takes_no_time(void **state)
{
	struct job *jobs[2];
	struct planned runs[N_RUNS];
	const struct plan plan = two_jobs(jobs, runs);
	const bool done[N_RUNS] = { false };
	struct pace *pace = pace_new(&plan, done);

	pace_note(pace, 0, 1000);
	pace_note(pace, 1, 1000);
	CHECK_NEAR(remaining_ns(pace, 0, 0), 2000, 2);
	pace_spare(pace, 1);
	CHECK_NEAR(remaining_ns(pace, 0, 0), 1000, 2);
	pace_spare(pace, 1); /* Nothing is left of it. */
	CHECK_NEAR(remaining_ns(pace, 0, 0), 1000, 2);
	pace_free(pace);
	job_free(jobs[0]);
	job_free(jobs[1]);
}

static void what_was_measured_replaces_the_estimate(void **state)
{
	struct job *jobs[2];
	struct planned runs[N_RUNS];
	const struct plan plan = two_jobs(jobs, runs);
	const bool done[N_RUNS] = { false };
	struct pace *pace = pace_new(&plan, done);

	pace_note(pace, 0, 1000);
	/* The other job has no run yet: it is thought to be off by the same factor. */
	CHECK_NEAR(remaining_ns(pace, 0, 0), 3000, 2);
	pace_note(pace, 1, 5000);
	CHECK_NEAR(remaining_ns(pace, 0, 0), 6000, 2);
	pace_note(pace, 0, 3000);
	CHECK_NEAR(remaining_ns(pace, 1, 0), 5000, 2);
	pace_note(pace, 1, 5000);
	CHECK_INT(pace_remaining_ns(pace, 1, 0), 0);
	pace_free(pace);
	job_free(jobs[0]);
	job_free(jobs[1]);
}

static void a_repeated_run_stays_on_the_list(void **state)
{
	struct job *jobs[2];
	struct planned runs[N_RUNS];
	const struct plan plan = two_jobs(jobs, runs);
	const bool done[N_RUNS] = { true, true, true, false };
	struct pace *pace = pace_new(&plan, done);

	pace_note_repeated(pace, 1, 4000);
	CHECK_NEAR(remaining_ns(pace, 1, 0), 4000, 2);
	pace_note(pace, 1, 2000);
	CHECK_INT(pace_remaining_ns(pace, 1, 0), 0);
	pace_free(pace);
	job_free(jobs[0]);
	job_free(jobs[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_plan_is_believed_until_something_is_measured),
		cmocka_unit_test(a_run_that_is_not_needed_takes_no_time),
		cmocka_unit_test(what_was_measured_replaces_the_estimate),
		cmocka_unit_test(a_repeated_run_stays_on_the_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
