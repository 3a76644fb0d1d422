/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * poll without waiting (timeout 0) for 128 files of one's own that are all ready: 128 look-ups of
 * descriptors, with a count of references each where threads share the table of files.
 *
 * The number lies when the sides' temporary directories are on different kinds of filesystem. With
 * many threads the limit of open files is reached; the run then says so.
 */
#include "base/mem.h"
#include "workload/open_files.h"
#include "workload/workload.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#define BATCH 16
#define N_FILES 128

struct polled {
	int fds[N_FILES];
};

static int prepare(struct work *work, struct error *err)
{
	const uint64_t held = (uint64_t)N_FILES * (work_has_threads(work) ? work_workers(work) : 1);
	uint64_t need;
	uint64_t limit;
	const int failed = open_files_allow(held, &need, &limit);
	if (failed == -EMFILE)
		return error_set(err, EMFILE,
				 "poll2 with %u threads of %d files needs %" PRIu64
				 " open files in one process and "
				 "the limit is %" PRIu64
				 "; use mode=process, fewer threads, or raise the limit "
				 "(ulimit -Hn)",
				 work_workers(work), N_FILES, need, limit);
	return failed ? error_errno(err, -failed, "cannot read the limit of open files") : 0;
}

static void leave(struct worker_self *self)
{
	struct polled *polled = self->state;
	for (int i = 0; i < N_FILES; i++)
		if (polled->fds[i] >= 0)
			(void)close(
				polled->fds[i]); /* It has no name any more; closing removes it. */
	free(polled);
	self->state = NULL;
}

static int enter(struct worker_self *self, struct error *err)
{
	struct polled *polled = mem_zero(sizeof(*polled));
	for (int i = 0; i < N_FILES; i++)
		polled->fds[i] = -1;
	self->state = polled;
	for (int i = 0; i < N_FILES; i++) {
		polled->fds[i] = work_file(self->work, /* size= */ 0, err);
		if (polled->fds[i] < 0) {
			const int failed = polled->fds[i];
			leave(self);
			return failed;
		}
	}
	return 0;
}

static int64_t batch(struct worker_self *self)
{
	const struct polled *polled = self->state;
	for (int i = 0; i < BATCH; i++) {
		struct pollfd asked[N_FILES] = { 0 };
		for (int file = 0; file < N_FILES; file++) {
			asked[file].fd = polled->fds[file];
			asked[file].events = POLLOUT;
		}
		if (poll(asked, N_FILES, /* timeout= */ 0) < 0)
			return -errno;
	}
	return BATCH;
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_poll2 = {
	.about = {
		.name = "poll2",
		.suite = "will-it-scale",
		.what = "poll of 128 files that are ready",
		.stands = "poll(2): looking up 128 files",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 1,
		.claims_cpu = true,
	},
	.shape = WORK_LOOP,
	.prepare = prepare,
	.enter = enter,
	.batch = batch,
	.leave = leave,
};
