/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * time: what the workload itself used in its measured window, by getrusage(2), under the names that
 * lkp-tests takes from GNU time: hackbench.time.user_time. Set-up and clean-up of the workload are
 * not in it.
 */
#include "base/clock.h"
#include "base/macros.h"
#include "monitor/monitor.h"

#include <stdio.h>

enum {
	ELAPSED,
	USER,
	SYSTEM,
	PERCENT,
	RESIDENT,
	MAJOR,
	MINOR,
	VOLUNTARY,
	INVOLUNTARY,
	INPUTS,
	OUTPUTS,
	ITEM_COUNT,
};

/* Names are behind the workload's prefix. */
static const struct metric metrics[ITEM_COUNT + 1] = {
	[ELAPSED] = { "time.elapsed_time", "s", "length of the measured window", METRIC_COUNTER,
		      BETTER_NONE, ROLE_EVIDENCE },
	[USER] = { "time.user_time", "s", "CPU time in programs", METRIC_COUNTER, BETTER_NONE,
		   ROLE_EVIDENCE },
	[SYSTEM] = { "time.system_time", "s", "CPU time in the kernel", METRIC_COUNTER, BETTER_NONE,
		     ROLE_EVIDENCE },
	[PERCENT] = { "time.percent_of_cpu_this_job_got", "%",
		      "CPU time over elapsed time; 100 is one CPU", METRIC_SHARE, BETTER_NONE,
		      ROLE_EVIDENCE },
	[RESIDENT] = { "time.maximum_resident_set_size", "KiB", "of the largest worker",
		       METRIC_MAXIMUM, BETTER_NONE, ROLE_EVIDENCE },
	[MAJOR] = { "time.major_page_faults", "1", "page faults that waited for a device",
		    METRIC_COUNTER, BETTER_NONE, ROLE_EVIDENCE },
	[MINOR] = { "time.minor_page_faults", "1", "page faults that did not", METRIC_COUNTER,
		    BETTER_NONE, ROLE_EVIDENCE },
	[VOLUNTARY] = { "time.voluntary_context_switches", "1", "workers that waited",
			METRIC_COUNTER, BETTER_NONE, ROLE_EVIDENCE },
	[INVOLUNTARY] = { "time.involuntary_context_switches", "1", "workers that were preempted",
			  METRIC_COUNTER, BETTER_NONE, ROLE_EVIDENCE },
	[INPUTS] = { "time.file_system_inputs", "1", "512-byte blocks read from devices",
		     METRIC_COUNTER, BETTER_NONE, ROLE_EVIDENCE },
	[OUTPUTS] = { "time.file_system_outputs", "1", "512-byte blocks written to devices",
		      METRIC_COUNTER, BETTER_NONE, ROLE_EVIDENCE },
};

static struct value percent(const struct usage *usage)
{
	if (usage->elapsed_ns == 0)
		return value_missing(MISSING_UNSAMPLED);
	return value_known(100.0 * ((double)usage->user_ns + (double)usage->system_ns) /
			   (double)usage->elapsed_ns);
}

static void time_report(const struct usage *usage, const char *workload_prefix, monitor_emit *emit,
			void *sink)
{
	const struct value values[] = {
		[ELAPSED] = value_known(clock_seconds(usage->elapsed_ns)),
		[USER] = value_known(clock_seconds(usage->user_ns)),
		[SYSTEM] = value_known(clock_seconds(usage->system_ns)),
		[PERCENT] = percent(usage),
		[RESIDENT] = value_known((double)usage->max_resident_kib),
		[MAJOR] = value_known((double)usage->major_faults),
		[MINOR] = value_known((double)usage->minor_faults),
		[VOLUNTARY] = value_known((double)usage->voluntary_switches),
		[INVOLUNTARY] = value_known((double)usage->involuntary_switches),
		[INPUTS] = value_known((double)usage->blocks_in),
		[OUTPUTS] = value_known((double)usage->blocks_out),
	};
	_Static_assert(ARRAY_SIZE(values) == ITEM_COUNT, "a value for each metric");
	for (unsigned i = 0; i < ITEM_COUNT; i++) {
		char name[METRIC_NAME_BYTES];
		(void)snprintf(name, sizeof(name), "%s.%s", workload_prefix, metrics[i].name);
		struct metric metric = metrics[i];
		metric.name = name;
		emit(sink, &metric, values[i]);
	}
}

const struct monitor monitor_time = {
	.about = {
		.name = "time",
		.what = "what the workload itself used: CPU time, faults, switches, memory, blocks",
		.stands = "did the workload compute, wait, or fault?",
		.metrics = metrics,
		.cost_ns = 1000,
	},
	.report = time_report,
};
