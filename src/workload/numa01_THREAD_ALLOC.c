/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * As numa01, but after the first touch each thread clears a slice of its own only: each page has one
 * thread that uses it, and a balancer can do right by every one of them.
 *
 * The number lies when the memory does not fit, and on one node, where it is memory bandwidth.
 */
#include "workload/numa_bench.h"

static unsigned count(const struct work *work)
{
	(void)work;
	return 2;
}

static int prepare(struct work *work, struct error *err)
{
	static const struct numa_bench_kind kind = { .is_pair = true, .has_slice = true };
	return numa_bench_prepare(work, &kind, err);
}

static const struct parameter parameters[] = {
	NUMA_BENCH_PARAMETERS("3072", "1000", "50%", "free hard inverse inverse-original"),
};
static const struct metric metrics[] = { NUMA_BENCH_METRICS("numa01_THREAD_ALLOC") };

const struct workload workload_numa01_THREAD_ALLOC = {
	.about = {
		NUMA_BENCH_NEEDS,
		.name = "numa01_THREAD_ALLOC",
		.what = "two processes whose threads clear a slice of their memory each",
		.stands = "automatic NUMA balancing: bringing each thread and its own memory together",
		.parameters = parameters,
		.metrics = metrics,
	},
	NUMA_BENCH_HOOKS,
	.count = count,
	.prepare = prepare,
};
