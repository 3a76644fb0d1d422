/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A counter that every worker adds one to, in batches: each adds to a difference of its own and,
 * when that has passed the threshold, folds it into the one counter that all share. So the kernel
 * counts its events of zones and nodes; a reader of the shared counter misses what has not been folded.
 * A larger threshold touches the shared line less often and lies more: at most CPUs * threshold. The
 * kernel's thresholds were 125 at most (differences of 8 bits) and became 32765 for the events of
 * NUMA placement (16 bits), which is the question that this asks on the reader's own machine.
 * counter=atomic is the plain atomic counter without differences. One operation is one addition.
 *
 * Between two batches worker 0 is the reader, too: it sums up the differences, which is what the shared
 * counter lacks at that moment. They move while they are summed, by far less than they are.
 *
 * Against the kernel's this_cpu_add: a difference belongs to a worker, not to a CPU, so that the bound
 * is workers * threshold, which is the kernel's with one worker a CPU (the preset binding, nr_task up
 * to the number of cores); adding is a load, an addition and a store of a word of 32 bits on the
 * worker's own pair of cache lines, where x86 has one instruction relative to the CPU's base and
 * others switch preemption off; one counter is added to, where a page allocation adds to two or more.
 *
 * The number lies with one worker (nothing is shared then), with more workers than CPUs, and where the
 * CPUs share a cache so near that a contended line costs little: the question is one of large machines.
 */
#include "base/clock.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "workload/workload.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <sys/mman.h>

#define LINE_BYTES 128 /* A pair: the prefetcher fetches them so. */
/* No divisor in common with the thresholds that are in question, so that the reader meets every state
 * of its own difference. */
#define BATCH 61001

/* One worker's difference, alone on its line. */
struct difference {
	_Alignas(LINE_BYTES) _Atomic int32_t value;
};

/* Shared by all workers. What the reader found stands apart from what all write. */
struct counter {
	_Alignas(LINE_BYTES) _Atomic int64_t shared;
	_Alignas(LINE_BYTES) uint64_t n_readings;
	uint64_t n_batches; /* Of the reader. */
	double sum;         /* Of the readings' deviations. */
	int64_t max;
	_Alignas(LINE_BYTES) struct difference differences[];
};

struct bench {
	struct counter *counter;
	size_t bytes;
	int32_t threshold;
	uint64_t read_every;
	bool atomic;
};

static void retire(struct work *work)
{
	struct bench *bench = work_shared(work);
	if (!bench)
		return;
	if (bench->counter)
		(void)munmap(bench->counter, bench->bytes);
	free(bench);
	work_share(work, /* shared= */ NULL);
}

static int prepare(struct work *work, struct error *err)
{
	struct bench *bench = mem_zero(sizeof(*bench));
	work_share(work, bench);
	bench->threshold = (int32_t)work_number(work, "threshold");
	bench->read_every = work_number(work, "read_every");
	bench->atomic = text_equal(work_word(work, "counter"), "atomic");
	bench->bytes = sizeof(struct counter) + work_workers(work) * sizeof(struct difference);
	void *counter =
		mmap(NULL, bench->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (counter == MAP_FAILED) {
		const int code = errno;
		retire(work);
		return error_errno(err, code, "cannot map the counter");
	}
	bench->counter = counter;
	return 0;
}

/* ---- the worker's side ---- */

static void add_batched(struct counter *counter, struct difference *own, int32_t threshold)
{
	for (int i = 0; i < BATCH; i++) {
		const int32_t value = atomic_load_explicit(&own->value, memory_order_relaxed) + 1;
		if (UNLIKELY(value > threshold)) {
			(void)atomic_fetch_add_explicit(&counter->shared, value,
							memory_order_relaxed);
			atomic_store_explicit(&own->value, 0, memory_order_relaxed);
		} else {
			atomic_store_explicit(&own->value, value, memory_order_relaxed);
		}
	}
}

static void add_atomic(struct counter *counter)
{
	for (int i = 0; i < BATCH; i++)
		(void)atomic_fetch_add_explicit(&counter->shared, 1, memory_order_relaxed);
}

/* What the shared counter lacks now. */
static int64_t deviation(const struct counter *counter, unsigned n_workers)
{
	int64_t sum = 0;
	for (unsigned i = 0; i < n_workers; i++)
		sum += atomic_load_explicit(&counter->differences[i].value, memory_order_relaxed);
	return sum;
}

static void read_counter(struct counter *counter, unsigned n_workers)
{
	const int64_t found = deviation(counter, n_workers);
	assert(found >= 0);
	counter->sum += (double)found;
	counter->max = found > counter->max ? found : counter->max;
	counter->n_readings++;
}

static int64_t batch(struct worker_self *self)
{
	const struct bench *bench = work_shared(self->work);
	struct counter *counter = bench->counter;
	if (bench->atomic)
		add_atomic(counter);
	else
		add_batched(counter, &counter->differences[self->index], bench->threshold);
	if (self->index == 0 && ++counter->n_batches % bench->read_every == 0)
		read_counter(counter, work_workers(self->work));
	return BATCH;
}

/* ---- scores ---- */

static void score(const struct work *work, const struct tally *tally, struct value *ret_values)
{
	const struct bench *bench = work_shared(work);
	const bool measured = isfinite(tally->rate_per_sec) && tally->rate_per_sec > 0;
	const struct value none = value_missing(MISSING_FAILED);
	const double task_rate = tally->rate_per_sec / tally->n_workers;
	ret_values[0] = measured ? value_known(tally->rate_per_sec) : none;
	ret_values[1] = measured ? value_known(task_rate) : none;
	ret_values[2] = measured ? value_known((double)NS_PER_SEC / task_rate) : none;
	const struct counter *counter = bench->counter;
	const unsigned n_workers = work_workers(work);
	const bool read = counter->n_readings > 0;
	const double n = read ? (double)counter->n_readings : 1;
	ret_values[3] = read ? value_known(counter->sum / n) : none;
	ret_values[4] = read ? value_known((double)counter->max) : none;
	const double threshold = bench->atomic ? 0 : bench->threshold;
	ret_values[5] = value_known(threshold * n_workers);
	ret_values[6] = ret_values[0];
}

static const struct parameter parameters[] = {
	WORKLOAD_LOOP_PARAMETERS,
	{
		.name = "counter",
		.what = "differences of each worker that are folded, or one atomic counter",
		.type = PARAMETER_WORD,
		.preset = "batched",
		.words = "batched atomic",
	},
	{
		.name = "threshold",
		.what = "a difference above it is folded (125: as 8 bits allow, 32765: as 16 do)",
		.type = PARAMETER_NUMBER,
		.preset = "125",
		.min = 0,
		.max = 1000000000,
	},
	{
		.name = "read_every",
		.what = "batches of 61001 additions of worker 0 between two readings",
		.type = PARAMETER_NUMBER,
		.preset = "16",
		.min = 1,
		.max = 1000000,
	},
	{ 0 },
};

static const struct metric metrics[] = {
	{
		.name = "percpu-counter.adds_per_sec",
		.unit = "ops/s",
		.kind = METRIC_SCORE,
		.better = BETTER_HIGHER,
		.role = ROLE_SCORE,
		.what = "additions per second, sum over workers",
	},
	{
		.name = "percpu-counter.adds_per_sec_per_task",
		.unit = "ops/s/task",
		.kind = METRIC_SCORE,
		.better = BETTER_HIGHER,
		.role = ROLE_RESTATED,
		.what = "additions per second and worker",
	},
	{
		.name = "percpu-counter.ns_per_add",
		.unit = "ns",
		.kind = METRIC_SCORE,
		.better = BETTER_LOWER,
		.role = ROLE_RESTATED,
		.what = "time of one addition of one worker",
	},
	{
		.name = "percpu-counter.deviation_mean",
		.unit = "1",
		.kind = METRIC_SCORE,
		.better = BETTER_LOWER,
		.role = ROLE_EVIDENCE,
		.what = "additions that a reader of the shared counter misses, mean over the run's readings",
	},
	{
		.name = "percpu-counter.deviation_max",
		.unit = "1",
		.kind = METRIC_SCORE,
		.better = BETTER_LOWER,
		.role = ROLE_EVIDENCE,
		.what = "the largest of them",
	},
	{
		.name = "percpu-counter.deviation_bound",
		.unit = "1",
		.kind = METRIC_SCORE,
		.better = BETTER_LOWER,
		.role = ROLE_EVIDENCE,
		.what = "what no reading can exceed: workers * threshold",
	},
	{
		.name = "percpu-counter.workload",
		.unit = "ops/s",
		.kind = METRIC_SCORE,
		.better = BETTER_HIGHER,
		.role = ROLE_RESTATED,
		.what = "the first score again, by the name that scalability is worked out from",
	},
	{ 0 },
};

const struct workload workload_percpu_counter = {
	.about = {
		.name = "percpu-counter",
		.what = "additions to a counter that is kept in differences of each worker",
		.stands = "batched per-CPU counters: what a larger threshold saves, and what it costs a reader",
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
