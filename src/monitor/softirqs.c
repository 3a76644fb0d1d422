/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * softirqs: /proc/softirqs. A metric for each kind, summed over the CPUs; the series keeps each
 * CPU. The values are differences over the window (lkp-tests gives the mean of two totals since
 * boot under these names). The kernel counts in 32 bits.
 */
#include "base/mem.h"
#include "monitor/columns.h"

#include <stdio.h>
#include <stdlib.h>

static void name_line(const char *label, const char *words, char *name, size_t size)
{
	(void)snprintf(name, size, "%s", label);
}

static enum monitor_opened softirqs_open(struct monitor_setup *setup, void **ret_state,
					 struct error *reason)
{
	struct columns *columns = mem_zero(sizeof(*columns));
	const enum monitor_opened opened =
		columns_open(columns, setup, "proc/softirqs", name_line, reason);
	if (opened == MONITOR_OPEN)
		*ret_state = columns;
	else
		free(columns);
	return opened;
}

static void softirqs_sample(void *state, struct reading *readings)
{
	columns_sample(state, readings);
}

static void softirqs_close(void *state)
{
	if (state)
		columns_done(state);
	free(state);
}

#define SOFTIRQ(name, what)                                                                        \
	{                                                                                          \
		"softirqs." name, "1", what, METRIC_COUNTER, BETTER_NONE, ROLE_EVIDENCE            \
	}

static const struct metric metrics[] = {
	SOFTIRQ("HI", "urgent tasklets"),
	SOFTIRQ("TIMER", "expired timers"),
	SOFTIRQ("NET_TX", "network packets sent"),
	SOFTIRQ("NET_RX", "network packets received"),
	SOFTIRQ("BLOCK", "block requests completed"),
	SOFTIRQ("IRQ_POLL", "polling of block devices"),
	SOFTIRQ("TASKLET", "tasklets"),
	SOFTIRQ("SCHED", "load balancing"),
	SOFTIRQ("HRTIMER", "expired high-resolution timers"),
	SOFTIRQ("RCU", "read-copy-update callbacks"),
	{ 0 },
};

const struct monitor monitor_softirqs = {
	.about = {
		.name = "softirqs",
		.what = "every line of /proc/softirqs, summed over the CPUs; each CPU in the series",
		.stands = "how much deferred interrupt work was done, and of which kind?",
		.metrics = metrics,
		.cost_ns = 5000,
		.metrics_open = true,
	},
	.open = softirqs_open,
	.sample = softirqs_sample,
	.close = softirqs_close,
	.edges_only = true,
};
