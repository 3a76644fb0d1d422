/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of originals. See fidelity_peer.h. */
#include "fidelity_peer.h"

#include "base/auto.h"
#include "base/mem.h"
#include "base/spawn.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct peer_source peer_will_it_scale = { .suite = "will-it-scale",
						.variable = "ASSAY_WILL_IT_SCALE",
						.is_directory = true };
static const struct peer_source rt_tests = { .suite = "hackbench",
					     .program = "hackbench",
					     .in_path = true };
static const struct peer_source perf = {
	.suite = "perf", .program = "perf", .variable = "ASSAY_PERF", .in_path = true
};
static const struct peer_source ebizzy = { .suite = "ebizzy",
					   .program = "ebizzy",
					   .variable = "ASSAY_EBIZZY" };
static const struct peer_source schbench = { .suite = "schbench",
					     .program = "schbench",
					     .variable = "ASSAY_SCHBENCH" };
static const struct peer_source numa01 = {
	.suite = "autonuma", .program = "numa01", .variable = "ASSAY_AUTONUMA", .is_directory = true
};
static const struct peer_source numa02 = {
	.suite = "autonuma", .program = "numa02", .variable = "ASSAY_AUTONUMA", .is_directory = true
};
static const struct peer_source stress_ng = { .suite = "stress-ng", .program = "stress-ng" };
static const struct peer_source sysbench = { .suite = "sysbench", .program = "sysbench" };
static const struct peer_source dbench = { .suite = "dbench", .program = "dbench" };
static const struct peer_source fio = { .suite = "fio", .program = "fio" };

#define HACKBENCH(letters, mode, ipc)                                                              \
	{                                                                                          \
		.source = &rt_tests, .name = mode " " ipc, .original = letters " -g 4 -l 500",     \
		.ours = "hackbench groups=4 loops=500 mode=" mode " ipc=" ipc,                     \
		.metric = "hackbench.time_sec", .marker = "Time:", .lines = 1, .per = 1,           \
		.seconds = 4,                                                                      \
	}

const struct peer peers[] = {
	HACKBENCH("-P", "process", "socket"),
	HACKBENCH("-T", "thread", "socket"),
	HACKBENCH("-P -p", "process", "pipe"),
	HACKBENCH("-T -p", "thread", "pipe"),
	{
		.source = &perf,
		.name = "sched messaging process socket",
		.original = "bench sched messaging -g 4 -l 500",
		.ours = "perf-messaging groups=4 loops=500 mode=process ipc=socket",
		.metric = "perf-messaging.total_time_sec",
		.marker = "Total time:",
		.lines = 1,
		.per = 1,
		.seconds = 4,
	},
	{
		.source = &perf,
		.name = "sched messaging thread pipe",
		.original = "bench sched messaging -g 4 -l 500 -t -p",
		.ours = "perf-messaging groups=4 loops=500 mode=thread ipc=pipe",
		.metric = "perf-messaging.total_time_sec",
		.marker = "Total time:",
		.lines = 1,
		.per = 1,
		.seconds = 4,
	},
	{
		.source = &perf,
		.name = "sched pipe",
		.original = "bench sched pipe -l 100000",
		.ours = "perf-pipe loops=100000",
		.metric = "perf-pipe.usecs_per_op",
		.reading = PEER_BEFORE,
		.marker = "usecs/op",
		.lines = 1,
		.per = 1,
		.seconds = 3,
		.fault =
			"perf takes its first time before it makes the second task; from 6.15 on both "
			"sides write first (perf-pipe-both-write)",
	},
	{
		.source = &perf,
		.name = "futex hash",
		.original = "bench futex hash -r 2",
		.ours = "futex-hash warmup=0 duration=2",
		.marker = "Averaged",
		.lines = 1,
		.per = 1,
		.seconds = 5,
		.fault = "perf's threads are bound to CPU i mod CPUs and have no warm-up",
	},
	{ .source = &perf,
	  .name = "futex wake",
	  .absent =
		  "perf makes its threads anew for each repeat, and those that are woken contend for "
		  "a mutex while the waking goes on; futex-wake measures the waking alone" },
	{ .source = &perf, .name = "epoll wait", .absent = "no workload here does the same" },
	{ .source = &perf, .name = "mem memcpy", .absent = "no workload here does the same" },
	{
		.source = &ebizzy,
		.name = "default allocation",
		.original = "-S 5",
		.ours = "ebizzy warmup=0 duration=5 rng=original",
		.reading = PEER_BEFORE,
		.marker = "records/s",
		.lines = 1,
		.per = 1,
		.seconds = 12,
		.fault =
			"its random numbers are stuck at 0, so that it looks up one key in one chunk for "
			"ever; it takes its time in whole seconds",
	},
	{ .source = &schbench, .name = "request rate", .absent = "no workload here does the same" },
	{
		.source = &numa01,
		.name = "numa01",
		.original = "",
		.ours = "numa01 one_node=allow",
		.metric = "autonuma-benchmark.numa01.seconds",
		.reading = PEER_ELAPSED,
		.per = 1,
		.seconds = 100,
		.fault =
			"it draws the node of its first touch from the time in seconds, and fails in odd ones "
			"where there is one node; its start and end are in its time",
	},
	{
		.source = &numa02,
		.name = "numa02",
		.original = "",
		.ours = "numa02 one_node=allow",
		.metric = "autonuma-benchmark.numa02.seconds",
		.reading = PEER_ELAPSED,
		.per = 1,
		.seconds = 200,
		.fault = "its start and end are in its time",
	},
	{ .source = &stress_ng,
	  .name = "any stressor",
	  .absent =
		  "a bogo operation is one round of a stressor's own mix of calls, another one in "
		  "each version; no workload here does the same round" },
	{ .source = &sysbench,
	  .name = "memory, threads, mutex, fileio",
	  .absent = "memory fills its blocks word by word, and each event of any of its tests is "
		    "timed and counted by itself; no workload here does that" },
	{ .source = &dbench,
	  .name = "any load file",
	  .absent = "it replays a recorded mix of a file server's calls with its own pauses; no "
		    "workload here has that mix" },
	{ .source = &fio,
	  .name = "psync, 4 KiB from the page cache",
	  .absent =
		  "fio times and accounts for each request, and a pread of 4 KiB from the page cache "
		  "(pread1) is too short beside that: the ratio would be fio's, not the kernel's" },
};
const size_t peer_count = sizeof(peers) / sizeof(peers[0]);

char *peer_find(const struct peer_source *source, const char *program, char *reason, size_t size)
{
	const char *named = source->variable ? getenv(source->variable) : NULL;
	if (named && *named) {
		AUTO(text)
		char *file = source->is_directory ? mem_format("%s/%s", named, program)
						  : mem_text(named);
		if (access(file, X_OK) == 0)
			return KEEP(file);
		(void)snprintf(reason, size, "'%s' is not there", file);
		return NULL;
	}
	char *found = source->in_path ? spawn_find(program, getenv("PATH")) : NULL;
	if (!found && source->variable && source->in_path)
		(void)snprintf(reason, size, "no %s in PATH, and %s is not set", program,
			       source->variable);
	else if (!found && source->variable)
		(void)snprintf(reason, size, "%s is not set", source->variable);
	else if (!found)
		(void)snprintf(reason, size, "no %s in PATH", program);
	return found;
}
