/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A plan: the jobs of an experiment and the order of their runs. Runs of the subjects at one point
 * are interleaved in random blocks drawn from the seed: a block holds 2 runs of each subject (1 of
 * each in a last block when the number is odd) in random order; blocks of the different points take
 * turns. The same seed gives the same order for ever.
 */
#pragma once

#include "base/auto.h"
#include "base/error.h"
#include "experiment/experiment.h"
#include "experiment/machine.h"
#include "record/job.h"

#include <stddef.h>
#include <stdint.h>

struct planned {
	uint32_t job;   /* Index into jobs. */
	uint32_t block; /* Unique over the plan. */
};

struct plan {
	struct job *
		*jobs; /* point-major: job of point p and subject s is jobs[p * n_subjects + s]. */
	size_t n_jobs;
	size_t n_subjects;
	size_t n_points;
	struct planned *runs; /* In the order in which they are carried out. */
	size_t n_runs;
	uint64_t seed;
	char *question; /* May be NULL. */
	char *name;     /* May be NULL. */
};

int plan_make(const struct experiment *experiment, const struct catalogue *catalogue,
	      const struct machine *machine, struct plan **ret_plan, struct error *err);
void plan_free(struct plan *plan);

/* JSON text for the store; reading it back gives an equal plan. New string. -EBADMSG for a damaged
 * text. */
char *plan_to_json(const struct plan *plan);
int plan_from_json(const char *json, struct plan **ret_plan, struct error *err);

/* Estimated nanoseconds of one run of a job, from its parameters (warm-up + duration + overhead; a
 * fixed guess for fixed work), to be replaced by measured times as they come. */
uint64_t plan_estimate_ns(const struct job *job);

DEFINE_AUTO(plan, struct plan *, plan_free);
