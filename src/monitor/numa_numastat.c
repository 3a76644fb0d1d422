/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * numa-numastat: where each NUMA node's allocations came from. All of it is missing while
 * vm.numa_stat is 0.
 */
#include "monitor/nodes.h"

static void describe(const struct key *key, struct metric *metric)
{
	metric->kind = METRIC_COUNTER;
	metric->unit = "1";
}

static enum monitor_opened numa_numastat_open(struct monitor_setup *setup, void **ret_state,
					      struct error *reason)
{
	return nodes_open(setup,
			  &(const struct nodes_plan) {
				  .file = "numastat", .separator = ' ', .describe = describe },
			  ret_state, reason);
}

static const struct metric metrics[] = {
	{ "numa-numastat.node0.numa_hit", "1", "pages allocated on the node that was asked for",
	  METRIC_COUNTER, BETTER_NONE, ROLE_EVIDENCE },
	{ "numa-numastat.node0.numa_miss", "1",
	  "pages allocated here although another node was asked", METRIC_COUNTER, BETTER_NONE,
	  ROLE_EVIDENCE },
	{ "numa-numastat.node0.numa_foreign", "1", "pages asked of this node and given by another",
	  METRIC_COUNTER, BETTER_NONE, ROLE_EVIDENCE },
	{ "numa-numastat.node0.interleave_hit", "1",
	  "interleaved pages that landed where they should", METRIC_COUNTER, BETTER_NONE,
	  ROLE_EVIDENCE },
	{ "numa-numastat.node0.local_node", "1", "pages allocated here by tasks that ran here",
	  METRIC_COUNTER, BETTER_NONE, ROLE_EVIDENCE },
	{ "numa-numastat.node0.other_node", "1", "pages allocated here by tasks of other nodes",
	  METRIC_COUNTER, BETTER_NONE, ROLE_EVIDENCE },
	{ 0 },
};

const struct monitor monitor_numa_numastat = {
	.about = {
		.name = "numa-numastat",
		.what = "hits and misses of each NUMA node's allocations, and the sums over the nodes",
		.stands = "did memory come from the node that was asked for?",
		.metrics = metrics,
		.cost_ns = 4000,
		.metrics_open = true,
	},
	.open = numa_numastat_open,
	.sample = nodes_sample,
	.close = nodes_close,
};
