/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The estimate of the time left. Means, not medians: it is a sum that is asked for. */
#include "campaign/pace.h"

#include "base/mem.h"

#include <assert.h>

struct job_pace {
	uint64_t left; /* Runs. */
	uint64_t n;    /* Runs measured. */
	uint64_t took_ns;
	uint64_t estimate_ns; /* Of one run. */
};

struct pace {
	struct job_pace *jobs;
	size_t n_jobs;
	double measured_ns;  /* Of all jobs together. */
	double estimated_ns; /* What the plan had thought of the same runs. */
};

struct pace *pace_new(const struct plan *plan, const bool *done)
{
	struct pace *pace = mem_zero(sizeof(*pace));

	pace->jobs = mem_array(plan->n_jobs, sizeof(*pace->jobs));
	pace->n_jobs = plan->n_jobs;
	for (size_t i = 0; i < plan->n_jobs; i++)
		pace->jobs[i].estimate_ns = plan_run_ns(plan, i);
	for (size_t i = 0; i < plan->n_runs; i++) {
		assert(plan->runs[i].job < plan->n_jobs);
		pace->jobs[plan->runs[i].job].left += !done[i];
	}
	return pace;
}

void pace_free(struct pace *pace)
{
	if (!pace)
		return;
	free(pace->jobs);
	free(pace);
}

void pace_note_repeated(struct pace *pace, uint32_t job, uint64_t took_ns)
{
	assert(job < pace->n_jobs);
	struct job_pace *one = &pace->jobs[job];

	one->n++;
	one->took_ns += took_ns;
	pace->measured_ns += (double)took_ns;
	pace->estimated_ns += (double)one->estimate_ns;
}

void pace_spare(struct pace *pace, uint32_t job)
{
	assert(job < pace->n_jobs);
	if (pace->jobs[job].left > 0)
		pace->jobs[job].left--;
}

void pace_note(struct pace *pace, uint32_t job, uint64_t took_ns)
{
	pace_note_repeated(pace, job, took_ns);
	pace_spare(pace, job);
}

static double run_ns(const struct pace *pace, const struct job_pace *job)
{
	if (job->n > 0)
		return (double)job->took_ns / (double)job->n;
	if (pace->measured_ns > 0 && pace->estimated_ns > 0)
		return (double)job->estimate_ns * pace->measured_ns / pace->estimated_ns;
	return (double)job->estimate_ns;
}

uint64_t pace_remaining_ns(const struct pace *pace, uint32_t job, uint64_t elapsed_ns)
{
	double sum_ns = 0;

	assert(job < pace->n_jobs);
	for (size_t i = 0; i < pace->n_jobs; i++)
		sum_ns += (double)pace->jobs[i].left * run_ns(pace, &pace->jobs[i]);

	/* A run that takes longer than expected leaves the others' time, not less. */
	const double expected_ns = run_ns(pace, &pace->jobs[job]);
	const double elapsed = (double)elapsed_ns < expected_ns ? (double)elapsed_ns : expected_ns;

	sum_ns -= pace->jobs[job].left > 0 ? elapsed : 0;
	return sum_ns > 0 ? (uint64_t)sum_ns : 0;
}
