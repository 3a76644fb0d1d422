/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sched_yield(2) again and again: the runqueue lock and the choice of the next task. With one task
 * a CPU the choice falls on the caller each time, so nothing is switched.
 *
 * The number lies when other tasks share the CPU: then the yield switches, and the rate is that of
 * the others' time slices. Run it on an idle machine and with no more tasks than CPUs, unless just
 * that is the question.
 */
#include "workload/workload.h"

#include <errno.h>
#include <sched.h>

#define BATCH 128

static int64_t batch(struct worker_self *self)
{
	for (int i = 0; i < BATCH; i++)
		if (sched_yield() < 0)
			return -errno;
	return BATCH;
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_sched_yield = {
	.about = {
		.name = "sched_yield",
		.suite = "will-it-scale",
		.what = "sched_yield",
		.stands = "runqueue lock and choice of the next task",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 1,
		.claims_cpu = true,
	},
	.shape = WORK_LOOP,
	.batch = batch,
};
