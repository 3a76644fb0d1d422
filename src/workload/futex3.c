/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * futex(FUTEX_WAKE_PRIVATE) on a word of one's own that nobody waits for. The private flag makes
 * the key from the address alone, so this is the cheap kind; against futex1 it shows what finding
 * the page costs.
 *
 * The number lies as that of futex1 does: by tasks that share a bucket, and by the hash that newer
 * kernels give each process of threads.
 */
#include "workload/workload.h"

#include <errno.h>
#include <linux/futex.h>
#include <unistd.h>

#include <sys/syscall.h>

#define BATCH 256

static int64_t batch(struct worker_self *self)
{
	for (int i = 0; i < BATCH; i++) {
		uint32_t word = 0;
		if (syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0) < 0)
			return -errno;
	}
	return BATCH;
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_futex3 = {
	.about = {
		.name = "futex3",
		.suite = "will-it-scale",
		.what = "FUTEX_WAKE_PRIVATE of a word that nobody waits for",
		.stands = "futex hash with private keys",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 1,
		.claims_cpu = true,
	},
	.shape = WORK_LOOP,
	.batch = batch,
};
