/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The first write to each page of a private mapping of 128 MiB of a file of one's own, then munmap,
 * and again: a copy-on-write fault that finds the file's page and copies it into a new one. One
 * page is one operation.
 *
 * The number lies when the file falls out of the page cache between two passes (256 MiB a task must
 * be free) and when the sides' temporary directories are on different filesystems: one page cache
 * holds large folios where the other has none, and the look-up differs.
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
	int fd;
	char *block; /* NULL when it could not be mapped. */
	size_t page_bytes;
	size_t next; /* Offset of the next page to touch. */
};

static int map(struct pass *pass)
{
	void *block = mmap(NULL, SIZE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE, pass->fd, 0);
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
	struct pass *pass = self->state;
	(void)unmap(pass);     /* Only this test's own mapping. */
	(void)close(pass->fd); /* It has no name any more; closing removes it. */
	free(pass);
	self->state = NULL;
}

/* The first pass runs here: it fills the page cache, and a window that held it would show another
 * rate than every later one. */
static int enter(struct worker_self *self, struct error *err)
{
	const int fd = work_file(self->work, SIZE_BYTES, err);
	if (fd < 0)
		return fd;
	struct pass *pass = mem_zero(sizeof(*pass));
	pass->fd = fd;
	pass->page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	self->state = pass;
	int64_t done = map(pass);
	for (size_t pages = 0; done >= 0 && pages * pass->page_bytes < SIZE_BYTES;
	     pages += (size_t)done)
		done = batch(self);
	if (done < 0) {
		leave(self);
		return error_errno(err, (int)-done, "cannot map 128 MiB of a file");
	}
	return 0;
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_page_fault2 = {
	.about = {
		.name = "page_fault2",
		.suite = "will-it-scale",
		.what = "first write to each page of a private mapping of a file of 128 MiB",
		.stands = "copy-on-write faults on the page cache",
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
