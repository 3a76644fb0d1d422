/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slabinfo: /proc/slabinfo, the kernel's own object caches. The kernel walks every slab of every
 * cache under its locks for one reading (about a millisecond), so it is read at the edges of the
 * window only; the mean over the window is that of its two ends. Only root may read it.
 */
#include "monitor/rowed.h"

#include <string.h>

static size_t name_cache(const char *line, const char *end, char *name, size_t size)
{
	size_t length = 0;
	while (line + length < end && line[length] > ' ' && line[length] < 0x7f)
		length++;
	if (length == 0 || length >= size || line[0] == '#' || line[length] != ' ')
		return 0;
	/* The first line: "slabinfo - version: 2.1". */
	if (length == strlen("slabinfo") && memcmp(line, "slabinfo", length) == 0)
		return 0;
	memcpy(name, line, length);
	name[length] = '\0';
	return length;
}

static const struct rowed_column columns[] = {
	{ 0, "active_objs", "1", "objects in use", METRIC_GAUGE, 0 },
	{ 1, "num_objs", "1", "objects that there is room for", METRIC_GAUGE, 0 },
	{ 8, "active_slabs", "1", "slabs with an object in use", METRIC_GAUGE, 0 },
	{ 9, "num_slabs", "1", "slabs", METRIC_GAUGE, 0 },
	{ 0 },
};

static const struct rowed_plan plan = {
	.path = "proc/slabinfo",
	.name = name_cache,
	.columns = columns,
};

static enum monitor_opened slabinfo_open(struct monitor_setup *setup, void **ret_state,
					 struct error *reason)
{
	return rowed_hook_open(setup, &plan, ret_state, reason);
}

static const struct metric metrics[] = {
	{ "slabinfo.kmalloc-64.active_objs", "1", "objects in use", METRIC_GAUGE, BETTER_NONE,
	  ROLE_EVIDENCE },
	{ "slabinfo.kmalloc-64.num_objs", "1", "objects that there is room for", METRIC_GAUGE,
	  BETTER_NONE, ROLE_EVIDENCE },
	{ "slabinfo.kmalloc-64.active_slabs", "1", "slabs with an object in use", METRIC_GAUGE,
	  BETTER_NONE, ROLE_EVIDENCE },
	{ "slabinfo.kmalloc-64.num_slabs", "1", "slabs", METRIC_GAUGE, BETTER_NONE, ROLE_EVIDENCE },
	{ 0 },
};

const struct monitor monitor_slabinfo = {
	.about = {
		.name = "slabinfo",
		.what = "objects and slabs of each of the kernel's caches, at the window's edges",
		.stands = "did the kernel hold more objects of some kind?",
		.metrics = metrics,
		.needs = NEED_ROOT,
		.needs_why = "the kernel shows /proc/slabinfo to root only",
		.cost_ns = 1000000,
		.metrics_open = true,
	},
	.open = slabinfo_open,
	.sample = rowed_hook_sample,
	.close = rowed_hook_close,
	.edges_only = true,
};
