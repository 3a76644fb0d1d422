/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See heap_end.h. */
#include "workload/heap_end.h"

#include "base/mem.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <unistd.h>

#define BLOCK_BYTES 65536UL
#define KEPT_BYTES (1UL << 20)
#define KEPT_BYTES_PER_WORKER 4096UL
#define TABLE_BYTES (1UL << 21) /* What one page table covers where a page has 4096 bytes. */

/* Whether the end lies in the middle of what one page table covers. */
static bool is_settled(void)
{
	const void *const end = sbrk(0);
	const uintptr_t offset = (uintptr_t)end % TABLE_BYTES;
	return offset >= TABLE_BYTES / 4 && offset < TABLE_BYTES / 4 * 3;
}

/* With threads the harness's own malloc uses the same heap: a block that it takes while a worker
 * has the end one page up would be cut off. So leave free heap below the end and forbid to give it
 * back: enough for the threads' own records and for whatever runs beside the workers.
 *
 * Where the end lies decides the cost: a page that goes is looked for in its page table, and where
 * no neighbour has brought a table into being the kernel has nothing to look for (a ratio of 1.6 was
 * seen). Programs have their heap's end beside pages that they use, so bring it there whatever the
 * size of this program: into the middle of a table, with a used page below. */
int heap_end_prepare(struct work *work, struct error *err)
{
	/* A malloc that does not know this (a sanitizer's) does not use the heap's end either. */
	(void)mallopt(M_TRIM_THRESHOLD, INT32_MAX);
	const size_t least =
		(KEPT_BYTES + KEPT_BYTES_PER_WORKER * work_workers(work)) / BLOCK_BYTES + 1;
	const size_t most = least + 2 * TABLE_BYTES / BLOCK_BYTES;
	char **blocks = mem_array(most, sizeof(*blocks));
	size_t count = 0;
	while (count < least || (count < most && !is_settled())) {
		blocks[count] = mem_zero(BLOCK_BYTES);
		blocks[count++][BLOCK_BYTES - 1] = 1;
	}
	while (count > 0)
		free(blocks[--count]);
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
