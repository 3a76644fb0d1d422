/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The heap's end one page up, then one page down again: growing and cutting one mapping under
 * mmap_lock for writing. The page is never touched. Each brk(2) is one operation.
 *
 * With threads all tasks move the one end of their common heap over the same page, so most calls
 * find it where they want it; the number is then one of lock contention. It lies when the C
 * library moves the same end for its own use at the same time; prepare sees to that.
 */
#include "base/mem.h"
#include "workload/workload.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <unistd.h>

#define BATCH_PAIRS 64
#define KEPT_BLOCK_BYTES 65536UL
#define KEPT_BYTES (1UL << 20)
#define KEPT_BYTES_PER_WORKER 4096UL

/* With threads the harness's own malloc uses the same heap: a block that it takes while a worker
 * has the end one page up would be cut off. So leave free heap below the end and forbid to give it
 * back: enough for the threads' own records and for whatever runs beside the workers. */
static int prepare(struct work *work, struct error *err)
{
	if (!work_has_threads(work))
		return 0;
	/* A malloc that does not know this (a sanitizer's) does not use the heap's end either. */
	(void)mallopt(M_TRIM_THRESHOLD, INT32_MAX);
	const size_t bytes = KEPT_BYTES + KEPT_BYTES_PER_WORKER * work_workers(work);
	const size_t count = bytes / KEPT_BLOCK_BYTES + 1;
	void **blocks = mem_array(count, sizeof(*blocks));
	for (size_t i = 0; i < count; i++)
		blocks[i] = mem_zero(KEPT_BLOCK_BYTES);
	for (size_t i = count; i > 0; i--)
		free(blocks[i - 1]);
	free(blocks);
	work_share(work, sbrk(0));
	return 0;
}

static int enter(struct worker_self *self, struct error *err)
{
	self->state = sbrk(0);
	if (work_has_threads(self->work) && self->state != work_shared(self->work))
		return error_set(err, EOPNOTSUPP,
				 "the C library grew its heap while the workers were made");
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

const struct workload workload_brk1 = {
	.about = {
		.name = "brk1",
		.suite = "will-it-scale",
		.what = "heap end one page up and down",
		.stands = "growing and cutting a mapping, mmap_lock for writing",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 1,
		.claims_cpu = true,
	},
	.shape = WORK_LOOP,
	.prepare = prepare,
	.enter = enter,
	.batch = batch,
};
