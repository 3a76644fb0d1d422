/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * netdev: /proc/net/dev, what each network interface received and sent. Of the network namespace
 * that the probe runs in. The first byte count may stand right behind the name's colon (kernels
 * before 2.6.39 print it so when it is long).
 */
#include "monitor/rowed.h"

#include <string.h>

static size_t name_interface(const char *line, const char *end, char *name, size_t size)
{
	const char *at = line;
	while (at < end && *at == ' ')
		at++;
	size_t length = 0;
	while (at + length < end && at[length] > ' ' && at[length] < 0x7f && at[length] != ':')
		length++;
	if (length == 0 || length >= size || at[length] != ':')
		return 0;
	memcpy(name, at, length);
	name[length] = '\0';
	return (size_t)(at - line) + length + 1;
}

static const struct rowed_column columns[] = {
	{ 0, "rx_bytes", "B", "bytes received", METRIC_COUNTER, 64 },
	{ 1, "rx_packets", "1", "packets received", METRIC_COUNTER, 64 },
	{ 2, "rx_errors", "1", "packets received with an error", METRIC_COUNTER, 64 },
	{ 3, "rx_dropped", "1", "packets received and dropped", METRIC_COUNTER, 64 },
	{ 8, "tx_bytes", "B", "bytes sent", METRIC_COUNTER, 64 },
	{ 9, "tx_packets", "1", "packets sent", METRIC_COUNTER, 64 },
	{ 10, "tx_errors", "1", "packets that could not be sent", METRIC_COUNTER, 64 },
	{ 11, "tx_dropped", "1", "packets dropped before they were sent", METRIC_COUNTER, 64 },
	{ 0 },
};

static const struct rowed_plan plan = {
	.path = "proc/net/dev",
	.name = name_interface,
	.columns = columns,
};

static enum monitor_opened netdev_open(struct monitor_setup *setup, void **ret_state,
				       struct error *reason)
{
	return rowed_hook_open(setup, &plan, ret_state, reason);
}

static const struct metric metrics[] = {
	{ "netdev.lo.rx_bytes", "B", "bytes received", METRIC_COUNTER, BETTER_NONE, ROLE_EVIDENCE },
	{ "netdev.lo.rx_packets", "1", "packets received", METRIC_COUNTER, BETTER_NONE,
	  ROLE_EVIDENCE },
	{ "netdev.lo.tx_bytes", "B", "bytes sent", METRIC_COUNTER, BETTER_NONE, ROLE_EVIDENCE },
	{ "netdev.lo.tx_packets", "1", "packets sent", METRIC_COUNTER, BETTER_NONE, ROLE_EVIDENCE },
	{ 0 },
};

const struct monitor monitor_netdev = {
	.about = {
		.name = "netdev",
		.what = "bytes, packets, errors and drops of each network interface",
		.stands = "did something use the network, or lose packets?",
		.metrics = metrics,
		.cost_ns = 10000,
		.metrics_open = true,
	},
	.open = netdev_open,
	.sample = rowed_hook_sample,
	.close = rowed_hook_close,
};
