/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each page of a shared mapping of 128 MiB of a file of one's own is written, given back by
 * madvise(MADV_DONTNEED), and read again, which must give what was written: the page stays in the
 * page cache, only its translation goes. One page is one operation. With threads each madvise must
 * reach every CPU that runs one of them (an interrupt or a broadcast); with processes only the own
 * CPU is flushed.
 *
 * The number lies where a hypervisor delays the interrupts between CPUs or flushes in their place,
 * and with transparent huge pages where they apply.
 */
#include "workload/page_pass.h"
#include "workload/workload.h"

#include <sys/mman.h>

#define BATCH_PAGES 64
#define SIZE_BYTES (128UL << 20)

static int64_t batch(struct worker_self *self)
{
	return page_pass_flush(self->state, BATCH_PAGES, /* expected= */ 1);
}

static int enter(struct worker_self *self, struct error *err)
{
	return page_pass_enter(self, SIZE_BYTES, MAP_SHARED, err);
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_tlb_flush3 = {
	.about = {
		.name = "tlb_flush3",
		.suite = "will-it-scale",
		.what = "shared file pages written, given back and read again",
		.stands = "TLB flush of single pages, shared file faults",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 1,
		.claims_cpu = true,
	},
	.shape = WORK_LOOP,
	.enter = enter,
	.batch = batch,
	.leave = page_pass_leave,
};
