/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * meminfo: /proc/meminfo, all of it, as levels in KiB, and two of our own: Memused is MemTotal less
 * MemFree at each sample, max_used_kB its largest value in the window (lkp-tests prints the mean of
 * the running maximum under this name).
 */
#include "base/mem.h"
#include "monitor/keyed.h"

#include <stdlib.h>

struct meminfo {
	struct keyed file;
	int total; /* Places of the two keys; -1 when the file lacks one. */
	int free;
	uint32_t used; /* Channel. */
};

static void describe(const struct key *key, struct metric *metric)
{
	metric->kind = METRIC_GAUGE;
	metric->unit = key->kib ? "KiB" : "1";
}

static void declare_used(struct meminfo *state, struct monitor_setup *setup)
{
	state->used = monitor_plain(setup, "Memused", "KiB", METRIC_GAUGE, 0);
	monitor_rule(setup, &(const struct metric_rule) {
				    .metric = { .name = "max_used_kB",
						.unit = "KiB",
						.what = "largest Memused in the window",
						.kind = METRIC_MAXIMUM,
						.role = ROLE_EVIDENCE },
				    .scale = 1,
				    .parts = &state->used,
				    .n_parts = 1,
			    });
}

static enum monitor_opened meminfo_open(struct monitor_setup *setup, void **ret_state,
					struct error *reason)
{
	struct keyed file;
	if (keyed_open(&file, monitor_root(setup), "proc/meminfo", "", ':', reason) < 0)
		return MONITOR_UNAVAILABLE;
	struct meminfo *state = mem_zero(sizeof(*state));
	state->file = file;
	state->total = keyed_find(&state->file, "MemTotal", 0);
	state->free = keyed_find(&state->file, "MemFree", 1);
	keyed_declare(&state->file, setup, "", describe);
	declare_used(state, setup);
	*ret_state = state;
	return MONITOR_OPEN;
}

static struct reading used_now(const struct meminfo *state, const struct reading *readings)
{
	if (state->total < 0 || state->free < 0)
		return reading_missing(MISSING_ABSENT);
	const struct reading total = readings[state->file.first_channel + (uint32_t)state->total];
	const struct reading free_now = readings[state->file.first_channel + (uint32_t)state->free];
	if (total.state != VALUE_KNOWN)
		return total;
	if (free_now.state != VALUE_KNOWN)
		return free_now;
	if (free_now.level > total.level)
		return reading_missing(MISSING_MALFORMED);
	return reading_level(total.level - free_now.level);
}

static void meminfo_sample(void *opaque, struct reading *readings)
{
	struct meminfo *state = opaque;
	keyed_sample(&state->file, readings);
	readings[state->used] = used_now(state, readings);
}

static void meminfo_close(void *opaque)
{
	struct meminfo *state = opaque;
	if (!state)
		return;
	keyed_done(&state->file);
	free(state);
}

static const struct metric metrics[] = {
	{ "meminfo.MemFree", "KiB", "free memory", METRIC_GAUGE, BETTER_NONE, ROLE_EVIDENCE },
	{ "meminfo.MemAvailable", "KiB", "what programs can still have without swapping",
	  METRIC_GAUGE, BETTER_NONE, ROLE_EVIDENCE },
	{ "meminfo.Cached", "KiB", "page cache", METRIC_GAUGE, BETTER_NONE, ROLE_EVIDENCE },
	{ "meminfo.AnonPages", "KiB", "anonymous memory that is mapped", METRIC_GAUGE, BETTER_NONE,
	  ROLE_EVIDENCE },
	{ "meminfo.AnonHugePages", "KiB", "anonymous memory in huge pages", METRIC_GAUGE,
	  BETTER_NONE, ROLE_EVIDENCE },
	{ "meminfo.Slab", "KiB", "memory of the kernel's slab caches", METRIC_GAUGE, BETTER_NONE,
	  ROLE_EVIDENCE },
	{ "meminfo.Memused", "KiB", "MemTotal less MemFree", METRIC_GAUGE, BETTER_NONE,
	  ROLE_EVIDENCE },
	{ "meminfo.max_used_kB", "KiB", "largest Memused in the window", METRIC_MAXIMUM,
	  BETTER_NONE, ROLE_EVIDENCE },
	{ 0 },
};

const struct monitor monitor_meminfo = {
	.about = {
		.name = "meminfo",
		.what = "everything in /proc/meminfo, and the largest use of memory",
		.stands = "how much memory was used, and for what?",
		.metrics = metrics,
		.cost_ns = 11000,
		.metrics_open = true,
	},
	.open = meminfo_open,
	.sample = meminfo_sample,
	.close = meminfo_close,
};
