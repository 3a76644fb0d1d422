/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * numa-vmstat: the vmstat file of each NUMA node. Names and kinds are those of proc-vmstat
 * (vmstat_kinds.c); on one node too, where lkp-tests gives nothing.
 */
#include "monitor/nodes.h"
#include "monitor/vmstat_kinds.h"

static void describe(const struct key *key, struct metric *metric)
{
	vmstat_describe(key->name, metric);
}

static enum monitor_opened numa_vmstat_open(struct monitor_setup *setup, void **ret_state,
					    struct error *reason)
{
	return nodes_open(setup,
			  &(const struct nodes_plan) {
				  .file = "vmstat", .separator = ' ', .describe = describe },
			  ret_state, reason);
}

static const struct metric metrics[] = {
	{ "numa-vmstat.node0.nr_free_pages", "1", "free pages of the node", METRIC_GAUGE,
	  BETTER_NONE, ROLE_EVIDENCE },
	{ "numa-vmstat.node0.numa_hit", "1", "pages allocated on the node that was asked for",
	  METRIC_COUNTER, BETTER_NONE, ROLE_EVIDENCE },
	{ "numa-vmstat.node0.numa_other", "1", "pages allocated here for tasks of other nodes",
	  METRIC_COUNTER, BETTER_NONE, ROLE_EVIDENCE },
	{ "numa-vmstat.node0.nr_mlock", "1", "locked pages of the node", METRIC_GAUGE, BETTER_NONE,
	  ROLE_EVIDENCE },
	{ 0 },
};

const struct monitor monitor_numa_vmstat = {
	.about = {
		.name = "numa-vmstat",
		.what = "the vmstat file of each NUMA node, and the sums over the nodes",
		.stands = "on which node were pages allocated, dirtied, written and locked?",
		.metrics = metrics,
		.cost_ns = 20000,
		.metrics_open = true,
	},
	.open = numa_vmstat_open,
	.sample = nodes_sample,
	.close = nodes_close,
};
