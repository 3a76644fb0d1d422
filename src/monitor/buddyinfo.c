/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * buddyinfo: /proc/buddyinfo, how many free blocks of each size each zone of memory has. Few large
 * blocks beside many small ones is fragmented memory: huge pages are then not to be had.
 */
#include "monitor/rowed.h"

#include <stdio.h>
#include <string.h>

/* "Node 0, zone   Normal ", of which "node0.Normal" is made. */
static size_t name_zone(const char *line, const char *end, char *name, size_t size)
{
	static const char node[] = "Node ";
	static const char zone[] = ", zone ";
	if ((size_t)(end - line) < strlen(node) || memcmp(line, node, strlen(node)) != 0)
		return 0;
	const char *at = line + strlen(node);
	unsigned number = 0;
	unsigned digits = 0;
	for (; *at >= '0' && *at <= '9' && digits < 6; at++, digits++)
		number = number * 10 + (unsigned)(*at - '0');
	if (digits == 0 || (size_t)(end - at) < strlen(zone) || memcmp(at, zone, strlen(zone)) != 0)
		return 0;
	at += strlen(zone);
	while (*at == ' ')
		at++;
	int length = 0;
	while (at + length < end && at[length] > ' ' && at[length] < 0x7f)
		length++;
	if (length == 0 || length > 32 || at[length] != ' ')
		return 0;
	(void)snprintf(name, size, "node%u.%.*s", number, length, at);
	return (size_t)(at - line) + (size_t)length;
}

#define ORDER(number, pages)                                                                       \
	{                                                                                          \
		number, "order" #number, "1", "free blocks of " pages, METRIC_GAUGE, 0             \
	}

static const struct rowed_column columns[] = {
	ORDER(0, "1 page"),      ORDER(1, "2 pages"),     ORDER(2, "4 pages"),
	ORDER(3, "8 pages"),     ORDER(4, "16 pages"),    ORDER(5, "32 pages"),
	ORDER(6, "64 pages"),    ORDER(7, "128 pages"),   ORDER(8, "256 pages"),
	ORDER(9, "512 pages"),   ORDER(10, "1024 pages"), ORDER(11, "2048 pages"),
	ORDER(12, "4096 pages"), ORDER(13, "8192 pages"), { 0 },
};

static const struct rowed_plan plan = {
	.path = "proc/buddyinfo",
	.name = name_zone,
	.columns = columns,
};

static enum monitor_opened buddyinfo_open(struct monitor_setup *setup, void **ret_state,
					  struct error *reason)
{
	return rowed_hook_open(setup, &plan, ret_state, reason);
}

static const struct metric metrics[] = {
	{ "buddyinfo.node0.Normal.order0", "1", "free blocks of 1 page", METRIC_GAUGE, BETTER_NONE,
	  ROLE_EVIDENCE },
	{ "buddyinfo.node0.Normal.order9", "1", "free blocks of 512 pages", METRIC_GAUGE,
	  BETTER_NONE, ROLE_EVIDENCE },
	{ 0 },
};

const struct monitor monitor_buddyinfo = {
	.about = {
		.name = "buddyinfo",
		.what = "free blocks of each size in each zone of memory",
		.stands = "was memory fragmented?",
		.metrics = metrics,
		.cost_ns = 10000,
		.metrics_open = true,
	},
	.open = buddyinfo_open,
	.sample = rowed_hook_sample,
	.close = rowed_hook_close,
};
