/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The first write to each page of a shared mapping of 128 MiB of a file of one's own, then munmap,
 * and again: a fault that maps the page of the page cache for writing and tells the filesystem
 * (page_mkwrite), and the dirty bits gathered at munmap. One page is one operation.
 *
 * The number lies when the pages are written back inside the window (dirty pages of a disk are due
 * after 30 seconds) and differs between filesystems: tmpfs has neither page_mkwrite nor writeback.
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

/* The first pass runs here: in it the filesystem makes the file's pages and blocks, and a window
 * that held it would show another rate than every later one. */
static int enter(struct worker_self *self, struct error *err)
{
	int64_t done = page_pass_enter(self, SIZE_BYTES, MAP_SHARED, err);
	if (done < 0)
		return (int)done;
	done = page_pass_touch(self->state, SIZE_MAX);
	if (done < 0) {
		page_pass_leave(self);
		return error_errno(err, (int)-done, "cannot map 128 MiB of a file");
	}
	return 0;
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_page_fault3 = {
	.about = {
		.name = "page_fault3",
		.suite = "will-it-scale",
		.what = "first write to each page of a shared mapping of a file of 128 MiB",
		.stands = "shared file faults and page_mkwrite",
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
