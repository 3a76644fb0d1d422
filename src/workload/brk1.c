/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The heap's end one page up, then one page down again: growing and cutting one mapping under
 * mmap_lock for writing. The page is never touched. Each brk(2) is one operation.
 *
 * With threads all tasks move the one end of their common heap over the same page, so most calls
 * find it where they want it; the number is then one of lock contention. It lies when the C
 * library moves the same end for its own use at the same time; heap_end_prepare sees to that.
 */
#include "workload/heap_end.h"
#include "workload/workload.h"

#include <errno.h>
#include <unistd.h>

#define BATCH_PAIRS 64

static int64_t batch(struct worker_self *self)
{
	char *const low = self->state;
	char *const high = low + sysconf(_SC_PAGESIZE);
	for (int i = 0; i < BATCH_PAIRS; i++)
		if (brk(high) < 0 || brk(low) < 0)
			return -errno;
	return 2L * BATCH_PAIRS;
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_brk1 = {
	.about = {
		.name = "brk1",
		.suite = "will-it-scale",
		.what = "heap end one page up and down",
		.stands = "growing and cutting a mapping, mmap_lock for writing",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 2,
		.claims_cpu = true,
	},
	.shape = WORK_LOOP,
	.prepare = heap_end_prepare,
	.enter = heap_end_enter,
	.batch = batch,
};
