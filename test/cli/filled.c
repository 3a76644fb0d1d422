/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A filled store. See filled.h. */
#include "filled.h"

void filled_open(struct filled *filled)
{
	filled->directory = fixture_directory();
	filled->store = fixture_store(filled->directory);
}

void filled_done(struct filled *filled)
{
	store_close(filled->store);
	fixture_remove(filled->directory);
}

struct job *filled_job(const char *subject, const char *groups)
{
	struct job *job = job_new();

	job->workload = mem_text("hackbench");
	job->semantics = 1;
	job->subject = mem_text(subject);
	job->place = mem_text("host");
	job->arguments = mem_array(1, sizeof(*job->arguments));
	job->n_arguments = 1;
	job->arguments[0] = (struct argument) { .name = mem_text("groups"),
						.value = mem_text(groups),
						.text = mem_text(groups) };
	return job;
}

struct run *filled_run(double seconds)
{
	static const struct metric score = { .name = "hackbench.time_sec",
					     .unit = "s",
					     .what = "time of all",
					     .kind = METRIC_SCORE,
					     .better = BETTER_LOWER,
					     .role = ROLE_SCORE };
	static const struct metric counter = { .name = "proc-vmstat.pgfault",
					       .unit = "1",
					       .what = "",
					       .kind = METRIC_COUNTER,
					       .role = ROLE_EVIDENCE };
	struct run *run = run_new();

	free(run->workload);
	free(run->isolation);
	free(run->log);
	run->workload = mem_text("hackbench");
	run->isolation = mem_text("pid-namespace");
	run->log = mem_text("said something\n");
	run->semantics = 1;
	run->outcome = RUN_COMPLETE;
	run->started_wall_ns = 1600000000 * FIXTURE_SECOND;
	for (unsigned i = 0; i < PHASE_COUNT; i++)
		run->phase_ns[i] = (i + 1) * FIXTURE_SECOND;
	run_metric_add(run, &score, value_known(seconds));
	run_metric_add(run, &counter, value_known(1000));
	run_fact_add(run, "kernel.release", VALUE_KNOWN, MISSING_NOT, "6.1.0-test");
	run_fact_add(run, "cpu.microcode", VALUE_MISSING, MISSING_DENIED, /* text= */ NULL);
	run_sort(run);
	return run;
}

static int64_t put(struct filled *filled, int64_t campaign, uint64_t sequence, struct job *job,
		   struct run *run)
{
	struct error err = { 0 };
	int64_t id = 0;

	if (store_run_put(filled->store, campaign, sequence, /* block= */ 0, job, run, &id, &err))
		fail_msg("cannot put a run: %s", err.text);
	job_free(job);
	run_free(run);
	return id;
}

int64_t filled_put(struct filled *filled, int64_t campaign, uint64_t sequence, const char *subject,
		   const char *groups, double seconds)
{
	return put(filled, campaign, sequence, filled_job(subject, groups), filled_run(seconds));
}

int64_t filled_put_failed(struct filled *filled, int64_t campaign, uint64_t sequence,
			  const char *subject, const char *groups)
{
	struct run *run = filled_run(1);

	run->outcome = RUN_FAILED;
	free(run->reason);
	run->reason = mem_text("hung");
	return put(filled, campaign, sequence, filled_job(subject, groups), run);
}

int64_t filled_campaign(struct filled *filled, const char *name, const char *const *subjects,
			const double *seconds, size_t n)
{
	const int64_t campaign = fixture_campaign(filled->store, name, n);
	uint64_t sequence = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t s = 0; subjects[s]; s++)
			(void)filled_put(filled, campaign, sequence++, subjects[s], "4",
					 seconds[s] + 0.001 * (double)(i % 3));
	return campaign;
}
