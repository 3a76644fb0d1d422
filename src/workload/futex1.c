/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * futex(FUTEX_WAKE) on a word of one's own that nobody waits for: the hash of the key and the look
 * into its bucket. FUTEX_WAKE without the private flag finds the page behind the address each time
 * (get_user_pages_fast), so this is the dearer kind of key.
 *
 * The number lies when words of different tasks fall into one hash bucket (the table is sized by
 * the CPUs and its seed differs from boot to boot), and where the private hash of newer kernels
 * hides what a shared key costs.
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
		if (syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0) < 0)
			return -errno;
	}
	return BATCH;
}

static const struct parameter parameters[] = { WORKLOAD_LOOP_PARAMETERS, { 0 } };
static const struct metric metrics[] = { WORKLOAD_RATE_METRICS, { 0 } };

const struct workload workload_futex1 = {
	.about = {
		.name = "futex1",
		.suite = "will-it-scale",
		.what = "FUTEX_WAKE of a word that nobody waits for",
		.stands = "futex hash and its bucket locks",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 1,
		.claims_cpu = true,
	},
	.shape = WORK_LOOP,
	.batch = batch,
};
