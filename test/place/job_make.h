/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs for tests, in one line.
 */
#pragma once

#include "base/mem.h"
#include "record/job.h"

#include <stdlib.h>

static inline struct job *job_make(const char *workload)
{
	struct job *job = job_new();
	free(job->workload);
	free(job->subject);
	free(job->place);
	job->workload = mem_text(workload);
	job->subject = mem_text("head");
	job->place = mem_text("host");
	job->interval_ns = 1000000000;
	job->time_limit_ns = 60000000000;
	return job;
}

static inline void job_set(struct job *job, enum setting_kind kind, const char *key,
			   const char *value)
{
	job->settings = realloc(job->settings, (job->n_settings + 1) * sizeof(*job->settings));
	job->settings[job->n_settings++] =
		(struct setting) { .kind = kind, .key = mem_text(key), .value = mem_text(value) };
}

static inline void job_argue(struct job *job, const char *name, const char *value)
{
	job->arguments = realloc(job->arguments, (job->n_arguments + 1) * sizeof(*job->arguments));
	job->arguments[job->n_arguments++] = (struct argument) { .name = mem_text(name),
								 .value = mem_text(value),
								 .text = mem_text(value) };
}
