/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two processes, each with memory of its own that all of its threads clear again and again. All of
 * it starts on one node: the kernel has to pull the processes, and their memory, apart. The times of
 * bind=hard and bind=inverse are what that is worth; the time of bind=free lies between or, with a
 * balancer that fails, above. With more than two nodes two processes cannot fill the machine, which
 * makes it hard to please.
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
	static const struct numa_bench_kind kind = { .is_pair = true, .has_slice = false };
	return numa_bench_prepare(work, &kind, err);
}

static const struct parameter parameters[] = {
	NUMA_BENCH_PARAMETERS("3072", "50", "50%", "free hard inverse inverse-original"),
};
static const struct metric metrics[] = { NUMA_BENCH_METRICS("numa01") };

const struct workload workload_numa01 = {
	.about = {
		NUMA_BENCH_NEEDS,
		.name = "numa01",
		.what = "two processes whose threads clear all of their memory",
		.stands = "automatic NUMA balancing: pulling two processes and their memory apart",
		.parameters = parameters,
		.metrics = metrics,
	},
	NUMA_BENCH_HOOKS,
	.count = count,
	.prepare = prepare,
};
