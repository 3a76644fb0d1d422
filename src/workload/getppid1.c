/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * getppid(2) again and again: the entry into the kernel and the way back, with next to nothing in
 * between (one pointer is followed under RCU).
 *
 * The number lies when something sits on the entry path: a tracer, seccomp, audit rules, context
 * tracking (nohz_full), or mitigations that differ between the sides; it then tells about those.
 */
#include "workload/workload.h"

#include <unistd.h>

#define BATCH 256

static int64_t batch(struct worker_self *self)
{
	for (int i = 0; i < BATCH; i++)
		(void)getppid(); /* Cannot fail. */
	return BATCH;
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_getppid1 = {
	.about = {
		.name = "getppid1",
		.suite = "will-it-scale",
		.what = "getppid",
		.stands = "cost of entering and leaving the kernel",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 1,
		.claims_cpu = true,
	},
	.shape = WORK_LOOP,
	.batch = batch,
};
