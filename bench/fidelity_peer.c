/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of originals. See fidelity_peer.h. */
#include "fidelity_peer.h"

#include "base/auto.h"
#include "base/mem.h"
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
	{ .source = &stress_ng,
	  .name = "any stressor",
	  .absent =
		  "a bogo operation is one round of a stressor's own mix of calls, another one in "
		  "each version; no workload here does the same round" },
	{ .source = &sysbench,
	  .name = "memory, threads, mutex, fileio",
	  .absent = "memory writes words in a loop of the interpreter's, not blocks; each event is "
		    "timed and counted, which costs as much as the calls that are made here" },
	{ .source = &dbench,
	  .name = "any load file",
	  .absent = "it replays a recorded mix of a file server's calls with its own pauses; no "
		    "workload here has that mix" },
	{ .source = &fio,
	  .name = "psync, 4 KiB from the page cache",
	  .absent = "fio's accounting of a request costs about as much as the pread of 4 KiB that "
		    "is measured (pread1), so that the ratio would be of fio, not of the kernel" },
};
const size_t peer_count = sizeof(peers) / sizeof(peers[0]);

/* In a directory of PATH. New string, or NULL. */
static char *find_in_path(const char *program)
{
	const char *path = getenv("PATH");
	AUTO(text) char *directories = mem_text(path ? path : "/usr/bin:/bin");
	char *rest = NULL;
	for (char *one = strtok_r(directories, ":", &rest); one; one = strtok_r(NULL, ":", &rest)) {
		AUTO(text) char *file = mem_format("%s/%s", one, program);
		if (access(file, X_OK) == 0)
			return KEEP(file);
	}
	return NULL;
}

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
	char *found = source->in_path ? find_in_path(program) : NULL;
	if (!found && source->variable && source->in_path)
		(void)snprintf(reason, size, "no %s in PATH, and %s is not set", program,
			       source->variable);
	else if (!found && source->variable)
		(void)snprintf(reason, size, "%s is not set", source->variable);
	else if (!found)
		(void)snprintf(reason, size, "no %s in PATH", program);
	return found;
}
