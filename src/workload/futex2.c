/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * futex(FUTEX_WAIT) on a word of one's own that does not hold the value waited for: the key is
 * made, the bucket is locked, the word is read, and the call goes back with EAGAIN. Nobody ever
 * sleeps. Without the private flag the page behind the address is found each time.
 *
 * The number lies when words of different tasks fall into one hash bucket; the table is sized by
 * the CPUs and its seed differs from boot to boot.
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
		if (syscall(SYS_futex, &word, FUTEX_WAIT, NOT_THE_WORD, NULL, NULL, 0) >= 0 ||
		    errno != EAGAIN)
			return errno ? -errno : -EPROTO;
	}
	return BATCH;
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_futex2 = {
	.about = {
		.name = "futex2",
		.suite = "will-it-scale",
		.what = "FUTEX_WAIT for a value that the word does not hold",
		.stands = "futex hash, bucket lock and the read of the word",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 1,
		.claims_cpu = true,
	},
	.shape = WORK_LOOP,
	.batch = batch,
};
