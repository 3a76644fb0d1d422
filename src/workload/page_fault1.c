/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The first write to each page of 128 MiB of private anonymous memory, then munmap, and again: page
 * allocation and clearing, page tables, the charge to the control group, and the freeing. One page
 * is one operation.
 *
 * The number lies with transparent huge pages always on: one fault then fills 2 MiB, 512 pages
 * count as operations, and the rate is that of clearing memory. Compare only runs whose THP mode is
 * the same, or ask just that question. Free memory short of 128 MiB a task makes it one of reclaim.
 */
#include "workload/page_pass.h"
#include "workload/workload.h"

#include <sys/mman.h>

#define BATCH_PAGES 128
#define SIZE_BYTES (128UL << 20)

static int64_t batch(struct worker_self *self)
{
	return page_pass_touch(self->state, BATCH_PAGES);
}

static int enter(struct worker_self *self, struct error *err)
{
	return page_pass_enter(self, SIZE_BYTES, MAP_PRIVATE | MAP_ANONYMOUS, err);
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_page_fault1 = {
	.about = {
		.name = "page_fault1",
		.suite = "will-it-scale",
		.what = "first write to each page of 128 MiB of anonymous memory",
		.stands = "anonymous page faults and the freeing of pages",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 2,
		.claims_cpu = true,
	},
	.shape = WORK_LOOP,
	.enter = enter,
	.batch = batch,
	.leave = page_pass_leave,
};
