/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diskstats: /proc/diskstats, a line for each disk and partition. A line has 14 numbers before
 * Linux 4.18, 18 with discards, 20 with flushes (5.5); what a kernel does not have is missing
 * (lkp-tests reads lines of 14 only, and nothing at all on newer kernels). Times are milliseconds
 * in 32 bits, whatever the kernel's word, and wrap after 49 days of waiting.
 */
#include "monitor/rowed.h"

#include <string.h>

/* Behind "   8       0 " stands the name, then a blank. */
static size_t name_disk(const char *line, const char *end, char *name, size_t size)
{
	const char *at = line;
	uint64_t number;
	for (unsigned i = 0; i < 2; i++) {
		if (!source_number(&at, &number) || *at != ' ')
			return 0;
	}
	while (*at == ' ')
		at++;
	size_t length = 0;
	while (at + length < end && at[length] > ' ' && at[length] < 0x7f)
		length++;
	if (length == 0 || length >= size || at[length] != ' ')
		return 0;
	memcpy(name, at, length);
	name[length] = '\0';
	return (size_t)(at - line) + length;
}

static const struct rowed_column columns[] = {
	{ 0, "read_ios", "1", "reads completed", METRIC_COUNTER, 64 },
	{ 1, "read_merges", "1", "reads joined with one that was waiting", METRIC_COUNTER, 64 },
	{ 2, "read_sectors", "sectors", "sectors of 512 bytes read", METRIC_COUNTER, 64 },
	{ 3, "read_ticks", "ms", "time of all reads, from request to end", METRIC_COUNTER, 32 },
	{ 4, "write_ios", "1", "writes completed", METRIC_COUNTER, 64 },
	{ 5, "write_merges", "1", "writes joined with one that was waiting", METRIC_COUNTER, 64 },
	{ 6, "write_sectors", "sectors", "sectors of 512 bytes written", METRIC_COUNTER, 64 },
	{ 7, "write_ticks", "ms", "time of all writes, from request to end", METRIC_COUNTER, 32 },
	{ 8, "in_flight", "1", "requests that the disk is working on", METRIC_GAUGE, 0 },
	{ 9, "io_ticks", "ms", "time in which the disk had a request", METRIC_COUNTER, 32 },
	{ 10, "time_in_queue", "ms", "time of all requests together", METRIC_COUNTER, 32 },
	{ 11, "discard_ios", "1", "discards completed", METRIC_COUNTER, 64 },
	{ 12, "discard_merges", "1", "discards joined with one that was waiting", METRIC_COUNTER,
	  64 },
	{ 13, "discard_sectors", "sectors", "sectors of 512 bytes discarded", METRIC_COUNTER, 64 },
	{ 14, "discard_ticks", "ms", "time of all discards", METRIC_COUNTER, 32 },
	{ 15, "flush_ios", "1", "flushes completed", METRIC_COUNTER, 64 },
	{ 16, "flush_ticks", "ms", "time of all flushes", METRIC_COUNTER, 32 },
	{ 0 },
};

static const struct rowed_plan plan = {
	.path = "proc/diskstats",
	.name = name_disk,
	.columns = columns,
	.column_first = true,
};

static enum monitor_opened diskstats_open(struct monitor_setup *setup, void **ret_state,
					  struct error *reason)
{
	return rowed_hook_open(setup, &plan, ret_state, reason);
}

static const struct metric metrics[] = {
	{ "diskstats.read_sectors.sda", "sectors", "sectors of 512 bytes read", METRIC_COUNTER,
	  BETTER_NONE, ROLE_EVIDENCE },
	{ "diskstats.write_sectors.sda", "sectors", "sectors of 512 bytes written", METRIC_COUNTER,
	  BETTER_NONE, ROLE_EVIDENCE },
	{ "diskstats.io_ticks.sda", "ms", "time in which the disk had a request", METRIC_COUNTER,
	  BETTER_NONE, ROLE_EVIDENCE },
	{ "diskstats.in_flight.sda", "1", "requests that the disk is working on", METRIC_GAUGE,
	  BETTER_NONE, ROLE_EVIDENCE },
	{ 0 },
};

const struct monitor monitor_diskstats = {
	.about = {
		.name = "diskstats",
		.what = "requests, sectors and times of each disk and partition",
		.stands = "did the disks do other work, or wait longer for it?",
		.metrics = metrics,
		.cost_ns = 15000,
		.metrics_open = true,
	},
	.open = diskstats_open,
	.sample = rowed_hook_sample,
	.close = rowed_hook_close,
};
