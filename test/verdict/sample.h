/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sides of a comparison for tests: a job, runs, metrics and facts in a few words. Everything is
 * owned by the sample.
 */
#pragma once

#include "base/mem.h"
#include "verdict/comparison.h"

#include <math.h>
#include <stdlib.h>

struct sample {
	struct job *job;
	struct run **runs;
	size_t n_runs;
};

static inline struct sample sample_make(const char *subject, size_t n_runs)
{
	struct sample sample = {
		.job = job_new(),
		.runs = mem_array(n_runs, sizeof(struct run *)),
		.n_runs = n_runs,
	};
	sample.job->workload = mem_text("hackbench");
	sample.job->semantics = 1;
	sample.job->subject = mem_text(subject);
	sample.job->place = mem_text("host");
	for (size_t i = 0; i < n_runs; i++) {
		struct run *run = run_new();
		free(run->workload);
		free(run->isolation);
		free(run->reason);
		run->workload = mem_text("hackbench");
		run->semantics = 1;
		run->isolation = mem_text("pid-namespace");
		run->outcome = RUN_COMPLETE;
		run->reason = mem_text("");
		sample.runs[i] = run;
	}
	return sample;
}

static inline void sample_done(struct sample *sample)
{
	for (size_t i = 0; i < sample->n_runs; i++)
		run_free(sample->runs[i]);
	free(sample->runs);
	job_free(sample->job);
}

static inline void sample_argument(struct sample *sample, const char *name, const char *value)
{
	struct job *job = sample->job;
	size_t capacity = job->n_arguments;
	job->arguments =
		mem_grow(job->arguments, &capacity, job->n_arguments + 1, sizeof(*job->arguments));
	job->arguments[job->n_arguments++] = (struct argument) {
		.name = mem_text(name),
		.value = mem_text(value),
		.text = mem_text(value),
	};
}

static inline void sample_setting(struct sample *sample, enum setting_kind kind, const char *key,
				  const char *value)
{
	struct job *job = sample->job;
	size_t capacity = job->n_settings;
	job->settings =
		mem_grow(job->settings, &capacity, job->n_settings + 1, sizeof(*job->settings));
	job->settings[job->n_settings++] = (struct setting) {
		.kind = kind,
		.key = mem_text(key),
		.value = mem_text(value),
	};
}

/* The same fact in every run. */
static inline void sample_fact(struct sample *sample, const char *name, const char *text)
{
	for (size_t i = 0; i < sample->n_runs; i++)
		run_fact_add(sample->runs[i], name, VALUE_KNOWN, MISSING_NOT, text);
}

static inline void sample_fail(struct sample *sample, size_t index, enum run_outcome outcome,
			       const char *reason)
{
	sample->runs[index]->outcome = outcome;
	free(sample->runs[index]->reason);
	sample->runs[index]->reason = mem_text(reason);
}

/* One number a run. */
static inline void sample_metric(struct sample *sample, const struct metric *metric,
				 const double *numbers)
{
	for (size_t i = 0; i < sample->n_runs; i++)
		run_metric_add(sample->runs[i], metric, value_known(numbers[i]));
}

/* Numbers with exactly this mean and sample deviation, evenly spaced. */
static inline void sample_spread(struct sample *sample, const struct metric *metric, double mean,
				 double deviation)
{
	const double n = (double)sample->n_runs;
	for (size_t i = 0; i < sample->n_runs; i++) {
		const double step = (double)i - (n - 1) / 2;
		const double unit = n > 1 ? step / sqrt(n * (n + 1) / 12) : 0.0;
		run_metric_add(sample->runs[i], metric, value_known(mean + deviation * unit));
	}
}

/* The same state in every run. */
static inline void sample_state(struct sample *sample, const struct metric *metric,
				struct value value)
{
	for (size_t i = 0; i < sample->n_runs; i++)
		run_metric_add(sample->runs[i], metric, value);
}

/* The side as the verdict room wants it; sorts the runs. */
static inline struct compared_side sample_side(struct sample *sample)
{
	for (size_t i = 0; i < sample->n_runs; i++)
		run_sort(sample->runs[i]);
	return (struct compared_side) {
		.name = sample->job->subject,
		.job = sample->job,
		.runs = (const struct run *const *)sample->runs,
		.n_runs = sample->n_runs,
	};
}
