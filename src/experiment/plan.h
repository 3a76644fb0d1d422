/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A plan: the jobs of an experiment, the order of their runs, and when they are enough. Runs of the
 * subjects at one point are interleaved in random blocks drawn from the seed: a block holds 2 runs
 * of each subject (1 of each in a last block when the number is odd) in random order; blocks of the
 * different points take turns. A fixed 5 runs of two subjects are one block of 5 + 5: three small
 * blocks could never show a difference at 1 %. The same seed gives the same order for ever.
 *
 * Until it is decided a plan holds the most runs; those behind a decision are not carried out.
 *
 * On request a twin of the base, in nothing different from it, stands behind the subjects in some of
 * the blocks: what is found between the two is a false alarm. The twin is never judged as a head.
 */
#pragma once

#include "base/auto.h"
#include "base/error.h"
#include "experiment/experiment.h"
#include "experiment/machine.h"
#include "record/job.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Behind the name of the base, which no other subject's name can hold. */
#define PLAN_TWIN_SUFFIX " (A/A)"

/* Runs of blocks from this number on have warmed a session up: kept, never judged. They have a
 * place in the order behind the planned runs. */
#define PLAN_WARM_UP_BLOCK 0x80000000U

struct planned {
	uint32_t job;   /* Index into jobs. */
	uint32_t block; /* Unique over the plan. */
};

struct plan {
	struct job *
		*jobs; /* point-major: job of point p and subject s is jobs[p * n_subjects + s]. */
	size_t n_jobs;
	size_t n_subjects; /* With the twin. */
	size_t n_judged;   /* Without it: the first ones of n_subjects. */
	size_t n_points;
	struct planned *runs; /* In the order in which they are carried out. */
	size_t n_runs;
	uint64_t seed;
	uint64_t *measured_ns; /* What a run of each job took in the past; 0 where it is not known.
				* Not part of the text. NULL: nothing is known. */
	struct stopping stopping;
	struct better *better; /* As in struct experiment. */
	size_t n_better;
	bool warm_up;   /* Each session begins with a warm-up block. */
	char *question; /* May be NULL. */
	char *name;     /* May be NULL. */
};

int plan_make(const struct experiment *experiment, const struct catalogue *catalogue,
	      const struct machine *machine, struct plan **ret_plan, struct error *err);
void plan_free(struct plan *plan);

/* Is it the name of a twin? */
bool plan_is_twin(const char *subject);

/* JSON text for the store; reading it back gives an equal plan. New string. -EBADMSG for a damaged
 * text. Plans of older versions are read as what they were: a fixed number of runs. */
char *plan_to_json(const struct plan *plan);
int plan_from_json(const char *json, struct plan **ret_plan, struct error *err);

/* Estimated nanoseconds of one run of a job, from its parameters (warm-up + duration + overhead; a
 * fixed guess for fixed work), to be replaced by measured times as they come. */
uint64_t plan_estimate_ns(const struct job *job);

/* The same of a job of the plan, as it was measured where that is known. */
uint64_t plan_run_ns(const struct plan *plan, size_t job);

DEFINE_AUTO(plan, struct plan *, plan_free);
