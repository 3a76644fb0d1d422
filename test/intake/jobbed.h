/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A job of the workload with arguments NAME, VALUE, ..., ended by NULL. */
#pragma once

#include "base/mem.h"
#include "record/job.h"

#include <stdlib.h>

static inline struct job *jobbed(const char *workload, const char *const *arguments)
{
	struct job *job = job_new();
	free(job->workload);
	job->workload = mem_text(workload);
	job->semantics = 3;
	job->arguments = mem_array(8, sizeof(*job->arguments));
	for (; arguments[0]; arguments += 2)
		job->arguments[job->n_arguments++] =
			(struct argument) { .name = mem_text(arguments[0]),
					    .value = mem_text(arguments[1]),
					    .text = mem_text(arguments[1]) };
	return job;
}
