/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * As numa02 with threads for half of the CPUs: where cores have two CPUs, each thread should get a
 * core for itself, and the balancer may not put that right at the price of the placement.
 *
 * The number lies when the memory does not fit, and on one node, where it is memory bandwidth.
 */
#include "workload/numa_bench.h"

static unsigned count(const struct work *work)
{
	(void)work;
	return 1;
}

static int prepare(struct work *work, struct error *err)
{
	static const struct numa_bench_kind kind = { .is_pair = false, .has_slice = true };
	return numa_bench_prepare(work, &kind, err);
}

static const struct parameter parameters[] = {
	NUMA_BENCH_PARAMETERS("1024", "800", "50%", "free hard inverse"),
};
static const struct metric metrics[] = { NUMA_BENCH_METRICS("numa02_SMT") };

const struct workload workload_numa02_SMT = {
	.about = {
		NUMA_BENCH_NEEDS,
		.name = "numa02_SMT",
		.what = "one process with a thread for every second CPU that clears a slice of its memory",
		.stands = "automatic NUMA balancing with half of the CPUs idle",
		.parameters = parameters,
		.metrics = metrics,
	},
	NUMA_BENCH_HOOKS,
	.count = count,
	.prepare = prepare,
};
