/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each page of 1 MiB of private anonymous memory is written, given back by madvise(MADV_DONTNEED),
 * and read again, which must give zero. One page is one operation. The mapping is made anew after
 * its 256 pages. With threads each madvise must reach every CPU that runs one of them (an
 * interrupt or a broadcast); with processes only the own CPU is flushed.
 *
 * The number lies where a hypervisor delays the interrupts between CPUs or flushes in their place,
 * and with transparent huge pages where they apply.
 */
#include "workload/page_pass.h"
#include "workload/workload.h"

#include <errno.h>

#include <sys/mman.h>

#define BATCH_PAGES 64
#define SIZE_BYTES (1UL << 20)

/* A page is written, given back, and read again: it must hold nothing. */
static int flush_page(char *page, size_t bytes)
{
	volatile char *const byte = page;
	*byte = 1;
	if (madvise(page, bytes, MADV_DONTNEED) < 0)
		return -errno;
	return *byte == 0 ? 0 : -EIO;
}

static int64_t batch(struct worker_self *self)
{
	struct page_pass *pass = self->state;
	for (int i = 0; i < BATCH_PAGES; i++) {
		int failed = flush_page(pass->block + pass->next, pass->page_bytes);
		pass->next += pass->page_bytes;
		if (!failed && pass->next >= SIZE_BYTES)
			failed = page_pass_renew(pass);
		if (failed)
			return failed;
	}
	return BATCH_PAGES;
}

static int enter(struct worker_self *self, struct error *err)
{
	return page_pass_enter(self, SIZE_BYTES, MAP_PRIVATE | MAP_ANONYMOUS, err);
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_tlb_flush2 = {
	.about = {
		.name = "tlb_flush2",
		.suite = "will-it-scale",
		.what = "anonymous pages written, given back and read again",
		.stands = "TLB flush of single pages, anonymous faults",
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
