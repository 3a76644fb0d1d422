/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One process with a thread for each CPU, each of which clears a slice of its own. The first thread
 * touches all of the memory, which so begins where that thread happens to be: the kernel has to
 * spread it over the nodes, to the threads that use it.
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
	NUMA_BENCH_PARAMETERS("1024", "800", "100%", "free hard inverse"),
};
static const struct metric metrics[] = { NUMA_BENCH_METRICS("numa02") };

const struct workload workload_numa02 = {
	.about = {
		NUMA_BENCH_NEEDS,
		.name = "numa02",
		.what = "one process with a thread for each CPU that clears a slice of its memory",
		.stands = "automatic NUMA balancing: spreading one process over all nodes",
		.parameters = parameters,
		.metrics = metrics,
	},
	NUMA_BENCH_HOOKS,
	.count = count,
	.prepare = prepare,
};
