/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Between the controller and the probe's workload `command`: the job of an adapter becomes a job of
 * `command`, and the run that comes back becomes a run of the adapter, with the scores that its output
 * holds. A run whose output lacks a score has failed; its output is kept.
 */
#pragma once

#include "intake/adapter.h"
#include "record/job.h"
#include "record/run.h"

#include <stdbool.h>
#include <stddef.h>

struct adapters {               /* Those that this program knows. */
	struct adapter **items; /* Owned; sorted by name. */
	size_t n, capacity;
};

/* NULL when absent. */
const struct adapter *adapters_find(const struct adapters *adapters, const char *name);

/* Takes the adapter; in the place of one of its name, if there is one. */
void adapters_put(struct adapters *adapters, struct adapter *adapter);
void adapters_done(struct adapters *adapters);

/* The job as the probe gets it: a copy, or one of `command`. -EINVAL when the adapter means something
 * else by now than when the job was planned. `adapters` may be NULL. */
int harvest_job(const struct adapters *adapters, const struct job *job, struct job **ret_job,
		struct error *err);

/* Reads the scores of a run of that job, in place. */
int harvest_run(const struct adapters *adapters, const struct job *job, struct run *run,
		struct error *err);

static inline void auto_release_adapters(struct adapters *adapters)
{
	adapters_done(adapters);
}
