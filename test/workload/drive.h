/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The harness's protocol in small, for the tests of workloads: every hook in its order and in its
 * task, a barrier, a given number of batches. No clock decides anything here.
 */
#pragma once

#include "workload/work.h"

#define DRIVE_METRICS_MAX 8

struct drive {
	/* Inputs. */
	unsigned batches; /* Of each worker. */
	/* Runs in each worker between enter and the barrier; may be NULL. */
	void (*entered)(struct worker_self *self, void *user);
	void *user;
	bool kill_workers; /* After the barrier workers (processes) are killed instead of batching. */

	/* Outputs. */
	struct error err; /* Of the first worker or hook that failed. */
	struct tally tally;
	struct value values[DRIVE_METRICS_MAX];
};

/* One run: 0, or the negative errno of the first failure. */
int drive(struct work *work, struct drive *drive);

/* work_new with "name=value" arguments, NULL at the end; the test fails when it is refused. */
struct work *drive_work(const char *workload, ...);

/* Memory that forked workers share with the test; never released, the test ends soon. */
void *drive_shared(size_t size);
