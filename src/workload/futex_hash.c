/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf bench futex hash: each thread goes round its own futexes and waits on each for a value that it
 * has not got, so that the kernel makes the key, hashes it, locks the bucket, looks at the word and
 * refuses (EAGAIN). No two threads share a futex; what they share is the table, and its buckets by
 * accident. One operation is one refused wait.
 *
 * The number lies where futexes of two threads fall into one bucket: the table's size follows from
 * the CPUs of the boot (from the threads of the process since 6.16, where private futexes have a hash
 * of their own) and its order from the addresses, which differ from launch to launch. Take many
 * runs, or many futexes. A system call's own cost (mitigations) is a large share of a private wait.
 */
#include "base/mem.h"
#include "base/text.h"
#include "workload/workload.h"

#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/syscall.h>

#define BATCH 256
#define NO_SUCH_VALUE 1234 /* The words are 0 for ever. */

/* One thread's. */
struct futexes {
	int operation;
	size_t n;
	size_t next;
	uint32_t words[];
};

static int enter(struct worker_self *self, struct error *err)
{
	const size_t n = work_number(self->work, "futexes");
	struct futexes *futexes = mem_zero(sizeof(*futexes) + n * sizeof(futexes->words[0]));
	const bool private = text_equal(work_word(self->work, "futex"), "private");
	futexes->operation = private ? FUTEX_WAIT_PRIVATE : FUTEX_WAIT;
	futexes->n = n;
	/* Written, so that no wait has to fault its page in. */
	for (size_t i = 0; i < n; i++)
		*(volatile uint32_t *)&futexes->words[i] = 0;
	self->state = futexes;
	return 0;
}

static void leave(struct worker_self *self)
{
	free(self->state);
	self->state = NULL;
}

static int64_t batch(struct worker_self *self)
{
	struct futexes *futexes = self->state;
	for (int i = 0; i < BATCH; i++) {
		assert(futexes->next < futexes->n);
		uint32_t *word = &futexes->words[futexes->next];
		if (syscall(SYS_futex, word, futexes->operation, NO_SUCH_VALUE, NULL, NULL, 0) == 0)
			return -EIO; /* Nobody wakes; it has waited for a value that is not there. */
		if (errno != EAGAIN && errno != EINTR)
			return -errno;
		futexes->next = futexes->next + 1 < futexes->n ? futexes->next + 1 : 0;
	}
	return BATCH;
}

static void score(const struct work *work, const struct tally *tally, struct value *ret_values)
{
	const bool measured = isfinite(tally->rate_per_sec) && tally->rate_per_sec > 0;
	(void)work;
	assert(tally->n_workers > 0);
	ret_values[0] = measured ? value_known(tally->rate_per_sec / tally->n_workers)
				 : value_missing(MISSING_FAILED);
	ret_values[1] = measured ? value_known(tally->rate_per_sec) : value_missing(MISSING_FAILED);
}

/* Those of a loop (loop.h), with perf's presets: threads, one a CPU, 10 seconds. */
static const struct parameter parameters[] = {
	{
		.name = "mode",
		.what = "workers are threads",
		.type = PARAMETER_WORD,
		.preset = "thread",
		.words = "thread",
	},
	{
		.name = "nr_task",
		.alias = "t",
		.what = "number of threads",
		.type = PARAMETER_NUMBER,
		.preset = "100%",
		.min = 1,
		.max = 16384,
		.percent_of_cpus = true,
	},
	{
		.name = "futexes",
		.alias = "f",
		.what = "futexes of each thread",
		.type = PARAMETER_NUMBER,
		.preset = "1024",
		.min = 1,
		.max = 16777216,
	},
	{
		.name = "futex",
		.what = "a futex's key is private to the process, or shared (-S)",
		.type = PARAMETER_WORD,
		.preset = "private",
		.words = "private shared",
	},
	{
		.name = "pin",
		.what = "bind worker i to the i-th core, the i-th CPU, or not at all",
		.type = PARAMETER_WORD,
		.preset = "cpu",
		.words = "core cpu none",
	},
	{
		.name = "warmup",
		.what = "seconds before the measured window",
		.type = PARAMETER_SECONDS,
		.preset = "1",
		.min = 0,
		.max = 3600,
	},
	{
		.name = "duration",
		.alias = "r",
		.what = "seconds of the measured window",
		.type = PARAMETER_SECONDS,
		.preset = "10",
		.min = 0,
		.max = 86400,
	},
	{
		.name = "burn_permille",
		.what = "time burnt behind each batch, thousandths of its own: a slow-down to test on",
		.type = PARAMETER_NUMBER,
		.preset = "0",
		.min = 0,
		.max = 10000,
	},
	{ 0 },
};

static const struct metric metrics[] = {
	{
		.name = "futex-hash.ops_per_sec_per_thread",
		.unit = "ops/s/task",
		.kind = METRIC_SCORE,
		.better = BETTER_HIGHER,
		.role = ROLE_SCORE,
		.what = "refused waits per second and thread, what perf prints as its average",
	},
	{
		.name = "futex-hash.workload",
		.unit = "ops/s",
		.kind = METRIC_SCORE,
		.better = BETTER_HIGHER,
		.role = ROLE_RESTATED,
		.what = "refused waits per second, sum over threads",
	},
	{ 0 },
};

const struct workload workload_futex_hash = {
	.about = {
		.name = "futex-hash",
		.what = "perf bench futex hash: threads wait on many futexes and are refused at once",
		.stands = "the futex hash: keys, buckets and their locks",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 1,
		.claims_cpu = true,
	},
	.shape = WORK_LOOP,
	.enter = enter,
	.batch = batch,
	.leave = leave,
	.score = score,
};
