/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The heap's end one page up, then one page down again, from an end that stands one page inside a
 * heap of one's own making: as brk1, but the mapping stays when the end goes down, so that it is
 * cut and never removed. Each brk(2) is one operation. The page is never touched.
 *
 * With threads all tasks move the one end of their common heap over each other's pages; the number
 * is then one of lock contention. It lies when the C library moves the same end for its own use at
 * the same time; prepare sees to that.
 */
#include "workload/heap_end.h"
#include "workload/workload.h"

#include <errno.h>
#include <unistd.h>

#define BATCH_PAIRS 64

/* One page higher than brk1's, with threads one more for each. The first call of the loop grows the heap
 * up to there. */
static int enter(struct worker_self *self, struct error *err)
{
	const int failed = heap_end_enter(self, err);
	if (failed)
		return failed;
	const size_t pages = work_has_threads(self->work) ? self->index + 1 : 1;
	self->state = (char *)self->state + pages * (size_t)sysconf(_SC_PAGESIZE);
	return 0;
}

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

const struct workload workload_brk2 = {
	.about = {
		.name = "brk2",
		.suite = "will-it-scale",
		.what = "heap end one page up and down above a page of one's own",
		.stands = "growing and cutting a mapping, mmap_lock for writing",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 2,
		.claims_cpu = true,
	},
	.shape = WORK_LOOP,
	.prepare = heap_end_prepare,
	.enter = enter,
	.batch = batch,
};
