/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A flag is set that mostly is set already, as the kernel sets the bits of a buffer head that others
 * look at: how=always sets it atomically each time, which takes the cache line away from all others;
 * how=test-first looks first and writes only where there is something to write. One operation is one
 * setting.
 *
 * `sharing` workers have a flag in common. Of a thousand settings `clear_permille` find the flag
 * cleared: the worker clears it itself in front of the setting (an atomic operation more, counted in
 * the time). At the preset 0 nothing is ever cleared, and how=test-first writes only once.
 *
 * The number lies with nr_task=1 or sharing=1: without another CPU the atomic operation costs its own
 * time only, and the line stays where it is. It shows the instruction and the line, not the place in the
 * kernel: there other fields on the line are read by others as well.
 */
#include "base/clock.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "workload/workload.h"

#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <sys/mman.h>

#define LINE_BYTES 128 /* A pair: the prefetcher fetches them so. */
#define BATCH 32768
#define PERMILLE 1000
#define FLAG 1UL

struct flag {
	_Alignas(LINE_BYTES) _Atomic unsigned long bits;
};

struct bench {
	struct flag *flags;
	size_t bytes;
	unsigned sharing;
	unsigned clear_permille;
	bool tests_first;
};

static void retire(struct work *work)
{
	struct bench *bench = work_shared(work);
	if (!bench)
		return;
	if (bench->flags)
		(void)munmap(bench->flags, bench->bytes);
	free(bench);
	work_share(work, /* shared= */ NULL);
}

static int prepare(struct work *work, struct error *err)
{
	struct bench *bench = mem_zero(sizeof(*bench));
	work_share(work, bench);
	bench->sharing = (unsigned)work_number(work, "sharing");
	bench->clear_permille = (unsigned)work_number(work, "clear_permille");
	bench->tests_first = text_equal(work_word(work, "how"), "test-first");
	bench->bytes = work_workers(work) * sizeof(*bench->flags);
	void *flags =
		mmap(NULL, bench->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (flags == MAP_FAILED) {
		const int code = errno;
		retire(work);
		return error_errno(err, code, "cannot map the flags");
	}
	bench->flags = flags;
	return 0;
}

static void set_always(struct flag *flag)
{
	(void)atomic_fetch_or_explicit(&flag->bits, FLAG, memory_order_relaxed);
}

static void set_if_clear(struct flag *flag)
{
	if (!(atomic_load_explicit(&flag->bits, memory_order_relaxed) & FLAG))
		set_always(flag);
}

/* The flag is cleared in front of this many of a batch's settings, spread evenly. */
static void set_and_clear(struct flag *flag, const struct bench *bench)
{
	unsigned due = 0;
	for (int i = 0; i < BATCH; i++) {
		due += bench->clear_permille;
		if (due >= PERMILLE) {
			due -= PERMILLE;
			(void)atomic_fetch_and_explicit(&flag->bits, ~FLAG, memory_order_relaxed);
		}
		if (bench->tests_first)
			set_if_clear(flag);
		else
			set_always(flag);
	}
}

static int64_t batch(struct worker_self *self)
{
	const struct bench *bench = work_shared(self->work);
	struct flag *flag = &bench->flags[self->index / bench->sharing];
	if (bench->clear_permille)
		set_and_clear(flag, bench);
	else if (bench->tests_first)
		for (int i = 0; i < BATCH; i++)
			set_if_clear(flag);
	else
		for (int i = 0; i < BATCH; i++)
			set_always(flag);
	return BATCH;
}

static void score(const struct work *work, const struct tally *tally, struct value *ret_values)
{
	const bool measured = isfinite(tally->rate_per_sec) && tally->rate_per_sec > 0;
	const struct value none = value_missing(MISSING_FAILED);
	const double task_rate = tally->rate_per_sec / tally->n_workers;
	ret_values[0] = measured ? value_known(tally->rate_per_sec) : none;
	ret_values[1] = measured ? value_known(task_rate) : none;
	ret_values[2] = measured ? value_known((double)NS_PER_SEC / task_rate) : none;
	ret_values[3] = ret_values[0];
}

static const struct parameter parameters[] = {
	WORKLOAD_LOOP_PARAMETERS,
	{
		.name = "how",
		.what = "set the flag always, or only when a look says that it is not set",
		.type = PARAMETER_WORD,
		.preset = "always",
		.words = "always test-first",
	},
	{
		.name = "sharing",
		.what = "workers that have a flag, and so its cache line, in common",
		.type = PARAMETER_NUMBER,
		.preset = "16384",
		.min = 1,
		.max = 16384,
	},
	{
		.name = "clear_permille",
		.what = "settings, of a thousand, that find the flag cleared",
		.type = PARAMETER_NUMBER,
		.preset = "0",
		.min = 0,
		.max = 1000,
	},
	{ 0 },
};

static const struct metric metrics[] = {
	{
		.name = "set-bit.ops_per_sec",
		.unit = "ops/s",
		.kind = METRIC_SCORE,
		.better = BETTER_HIGHER,
		.role = ROLE_SCORE,
		.what = "settings per second, sum over workers",
	},
	{
		.name = "set-bit.ops_per_sec_per_task",
		.unit = "ops/s/task",
		.kind = METRIC_SCORE,
		.better = BETTER_HIGHER,
		.role = ROLE_RESTATED,
		.what = "settings per second and worker",
	},
	{
		.name = "set-bit.ns_per_op",
		.unit = "ns",
		.kind = METRIC_SCORE,
		.better = BETTER_LOWER,
		.role = ROLE_RESTATED,
		.what = "time of one setting of one worker",
	},
	{
		.name = "set-bit.workload",
		.unit = "ops/s",
		.kind = METRIC_SCORE,
		.better = BETTER_HIGHER,
		.role = ROLE_RESTATED,
		.what = "the first score again, by the name that scalability is worked out from",
	},
	{ 0 },
};

const struct workload workload_set_bit = {
	.about = {
		.name = "set-bit",
		.what = "setting of a flag that is set already, with or without looking first",
		.stands = "a cache line that atomic writes take away from its readers",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 1,
		.claims_cpu = true,
	},
	.shape = WORK_LOOP,
	.prepare = prepare,
	.batch = batch,
	.score = score,
	.retire = retire,
};
