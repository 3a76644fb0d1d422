/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * numa-meminfo: the meminfo file of each NUMA node, as levels in KiB; on one node too, where
 * lkp-tests gives nothing.
 */
#include "monitor/nodes.h"

static void describe(const struct key *key, struct metric *metric)
{
	metric->kind = METRIC_GAUGE;
	metric->unit = key->kib ? "KiB" : "1";
}

static enum monitor_opened numa_meminfo_open(struct monitor_setup *setup, void **ret_state,
					     struct error *reason)
{
	return nodes_open(setup,
			  &(const struct nodes_plan) { .file = "meminfo",
						       .numbered = true,
						       .separator = ':',
						       .describe = describe },
			  ret_state, reason);
}

static const struct metric metrics[] = {
	{ "numa-meminfo.node0.MemFree", "KiB", "free memory of the node", METRIC_GAUGE, BETTER_NONE,
	  ROLE_EVIDENCE },
	{ "numa-meminfo.node0.MemUsed", "KiB", "memory of the node that is not free", METRIC_GAUGE,
	  BETTER_NONE, ROLE_EVIDENCE },
	{ "numa-meminfo.node0.AnonPages", "KiB", "anonymous memory on the node", METRIC_GAUGE,
	  BETTER_NONE, ROLE_EVIDENCE },
	{ "numa-meminfo.node0.FilePages", "KiB", "page cache on the node", METRIC_GAUGE,
	  BETTER_NONE, ROLE_EVIDENCE },
	{ 0 },
};

const struct monitor monitor_numa_meminfo = {
	.about = {
		.name = "numa-meminfo",
		.what = "the meminfo file of each NUMA node, and the sums over the nodes",
		.stands = "on which node does the memory lie?",
		.metrics = metrics,
		.cost_ns = 11000,
		.metrics_open = true,
	},
	.open = numa_meminfo_open,
	.sample = nodes_sample,
	.close = nodes_close,
};
