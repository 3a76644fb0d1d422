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
#include "workload/page_pass.h"
#include "workload/workload.h"

#include <sys/mman.h>

#define BATCH_PAGES 128
#define SIZE_BYTES (128UL << 20)

static int64_t batch(struct worker_self *self)
{
	return page_pass_touch(self->state, BATCH_PAGES);
}

/* The first pass runs here: it fills the page cache, and a window that held it would show another
 * rate than every later one. */
static int enter(struct worker_self *self, struct error *err)
{
	int64_t done = page_pass_enter(self, SIZE_BYTES, MAP_PRIVATE, err);
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

const struct workload workload_page_fault2 = {
	.about = {
		.name = "page_fault2",
		.suite = "will-it-scale",
		.what = "first write to each page of a private mapping of a file of 128 MiB",
		.stands = "copy-on-write faults on the page cache",
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
