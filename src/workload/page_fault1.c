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
#include "base/auto.h"
#include "base/mem.h"
#include "workload/workload.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/mman.h>

#define BATCH_PAGES 128
#define SIZE_BYTES (128UL << 20)

/* Where a worker is in its pass over the mapping. */
struct pass {
	char *block; /* NULL when it could not be mapped. */
	size_t page_bytes;
	size_t next; /* Offset of the next page to touch. */
};

static int map(struct pass *pass)
{
	void *block =
		mmap(NULL, SIZE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (block == MAP_FAILED)
		return -errno;
	pass->block = block;
	pass->next = 0;
	return 0;
}

static int unmap(struct pass *pass)
{
	char *block = KEEP(pass->block);
	return block && munmap(block, SIZE_BYTES) < 0 ? -errno : 0;
}

/* The next pages of the pass; behind the last one the mapping is made anew. Pages or -errno. */
static int64_t batch(struct worker_self *self)
{
	struct pass *pass = self->state;
	const size_t step = pass->page_bytes;
	const size_t start = pass->next;
	const size_t left = (SIZE_BYTES - start) / step;
	const size_t pages = left < BATCH_PAGES ? left : BATCH_PAGES;
	volatile char *const block = pass->block;
	for (size_t at = start; at < start + pages * step; at += step)
		block[at] = 0;
	pass->next = start + pages * step;
	if (pages == left) {
		int failed = unmap(pass);
		if (!failed)
			failed = map(pass);
		if (failed)
			return failed;
	}
	return (int64_t)pages;
}

static void leave(struct worker_self *self)
{
	(void)unmap(self->state); /* Only this test's own mapping. */
	free(self->state);
	self->state = NULL;
}

static int enter(struct worker_self *self, struct error *err)
{
	struct pass *pass = mem_zero(sizeof(*pass));
	pass->page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	self->state = pass;
	const int failed = map(pass);
	if (failed) {
		leave(self);
		return error_errno(err, -failed, "cannot map 128 MiB");
	}
	return 0;
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
		.semantics = 1,
		.claims_cpu = true,
	},
	.shape = WORK_LOOP,
	.enter = enter,
	.batch = batch,
	.leave = leave,
};
