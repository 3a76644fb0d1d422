/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See heap_end.h. */
#include "workload/heap_end.h"

#include "base/mem.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <unistd.h>

#define KEPT_BLOCK_BYTES 65536UL
#define KEPT_BYTES (1UL << 20)
#define KEPT_BYTES_PER_WORKER 4096UL

/* With threads the harness's own malloc uses the same heap: a block that it takes while a worker
 * has the end one page up would be cut off. So leave free heap below the end and forbid to give it
 * back: enough for the threads' own records and for whatever runs beside the workers. */
int heap_end_prepare(struct work *work, struct error *err)
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

int heap_end_enter(struct worker_self *self, struct error *err)
{
	self->state = sbrk(0);
	if (work_has_threads(self->work) && self->state != work_shared(self->work))
		return error_set(err, EOPNOTSUPP,
				 "the C library grew its heap while the workers were made");
	return 0;
}
