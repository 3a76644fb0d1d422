/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * proc-vmstat: /proc/vmstat, all of it. Names are the kernel's; what counts is the difference over
 * the window, what is a level its mean (vmstat_kinds.c). The numa_* allocation counters are missing
 * while vm.numa_stat is 0.
 */
#include "base/mem.h"
#include "monitor/keyed.h"
#include "monitor/numa_switch.h"
#include "monitor/vmstat_kinds.h"

#include <stdlib.h>

struct proc_vmstat {
	struct keyed file;
	struct numa_switch numa_switch;
};

static void describe(const struct key *key, struct metric *metric)
{
	vmstat_describe(key->name, metric);
}

static enum monitor_opened proc_vmstat_open(struct monitor_setup *setup, void **ret_state,
					    struct error *reason)
{
	struct keyed file;
	if (keyed_open(&file, monitor_root(setup), "proc/vmstat", "", ' ', reason) < 0)
		return MONITOR_UNAVAILABLE;
	struct proc_vmstat *state = mem_zero(sizeof(*state));
	state->file = file;
	numa_switch_mark(&state->file);
	numa_switch_open(&state->numa_switch, monitor_root(setup));
	keyed_declare(&state->file, setup, "", describe);
	*ret_state = state;
	return MONITOR_OPEN;
}

static void proc_vmstat_sample(void *opaque, struct reading *readings)
{
	struct proc_vmstat *state = opaque;
	keyed_sample(&state->file, readings);
	if (numa_switch_is_off(&state->numa_switch))
		numa_switch_withhold(&state->file, readings);
}

static void proc_vmstat_close(void *opaque)
{
	struct proc_vmstat *state = opaque;
	if (!state)
		return;
	keyed_done(&state->file);
	numa_switch_done(&state->numa_switch);
	free(state);
}

static const struct metric metrics[] = {
	{ "proc-vmstat.pgfault", "1", "page faults", METRIC_COUNTER, BETTER_NONE, ROLE_EVIDENCE },
	{ "proc-vmstat.pgmajfault", "1", "page faults that waited for a device", METRIC_COUNTER,
	  BETTER_NONE, ROLE_EVIDENCE },
	{ "proc-vmstat.pgfree", "1", "pages given back to the allocator", METRIC_COUNTER,
	  BETTER_NONE, ROLE_EVIDENCE },
	{ "proc-vmstat.nr_free_pages", "1", "free pages", METRIC_GAUGE, BETTER_NONE,
	  ROLE_EVIDENCE },
	{ "proc-vmstat.numa_hit", "1", "pages allocated on the node that was asked for",
	  METRIC_COUNTER, BETTER_NONE, ROLE_EVIDENCE },
	{ "proc-vmstat.numa_hint_faults", "1", "faults taken by NUMA balancing", METRIC_COUNTER,
	  BETTER_NONE, ROLE_EVIDENCE },
	{ "proc-vmstat.numa_hint_faults_local", "1",
	  "hint faults on memory of the task's own node: more is good", METRIC_COUNTER, BETTER_NONE,
	  ROLE_EVIDENCE },
	{ "proc-vmstat.numa_pages_migrated", "1", "pages moved by NUMA balancing", METRIC_COUNTER,
	  BETTER_NONE, ROLE_EVIDENCE },
	{ "proc-vmstat.thp_fault_alloc", "1", "huge pages given at a fault", METRIC_COUNTER,
	  BETTER_NONE, ROLE_EVIDENCE },
	{ 0 },
};

const struct monitor monitor_proc_vmstat = {
	.about = {
		.name = "proc-vmstat",
		.what = "everything in /proc/vmstat: page faults, allocation, reclaim, NUMA, THP",
		.stands = "what did the memory management do during the run?",
		.metrics = metrics,
		.cost_ns = 30000,
		.metrics_open = true,
	},
	.open = proc_vmstat_open,
	.sample = proc_vmstat_sample,
	.close = proc_vmstat_close,
};
