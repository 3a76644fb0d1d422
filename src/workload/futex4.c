/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * futex(FUTEX_WAIT_PRIVATE) on a word of one's own that does not hold the value waited for: as
 * futex2, with a key made from the address alone. Nobody ever sleeps.
 *
 * The number lies when tasks share a bucket, and differs in kind where threads of one process have
 * a hash of their own.
 */
#include "workload/workload.h"

#include <errno.h>
#include <linux/futex.h>
#include <unistd.h>

#include <sys/syscall.h>

#define BATCH 256
#define NOT_THE_WORD 1

static int64_t batch(struct worker_self *self)
{
	errno = 0;
	for (int i = 0; i < BATCH; i++) {
		uint32_t word = 0;
		if (syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, NOT_THE_WORD, NULL, NULL, 0) >=
			    0 ||
		    errno != EAGAIN)
			return errno ? -errno : -EPROTO;
	}
	return BATCH;
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_futex4 = {
	.about = {
		.name = "futex4",
		.suite = "will-it-scale",
		.what = "FUTEX_WAIT_PRIVATE for a value that the word does not hold",
		.stands = "futex hash with private keys and the read of the word",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 1,
		.claims_cpu = true,
	},
	.shape = WORK_LOOP,
	.batch = batch,
};
