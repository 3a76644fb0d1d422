/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hackbench of rt-tests: the time in which all groups have sent all their messages (messaging.h). It
 * presses wake-ups, run queues far longer than the CPUs, the placement of tasks, and the locks of the
 * sockets or pipes.
 *
 * The number lies when memory is short (each queued message of a socket costs a kernel buffer many
 * times its size), when a CPU controller or the scheduler's autogroup limits the session, and with
 * pipes, where one pipe's lock and wait queue weigh more than the scheduler. Its deviation is large
 * (5-10 %): take many runs.
 */
#include "base/clock.h"
#include "workload/messaging.h"

#include <math.h>

static struct messaging messaging_of(const struct work *work)
{
	return (struct messaging) {
		.groups = work_number(work, "groups"),
		.fds = work_number(work, "fds"),
		.loops = work_number(work, "loops"),
		.size = work_number(work, "size"),
	};
}

static unsigned count(const struct work *work)
{
	const struct messaging messaging = messaging_of(work);
	return messaging_workers(&messaging);
}

static int prepare(struct work *work, struct error *err)
{
	const struct messaging messaging = messaging_of(work);
	return messaging_prepare(work, &messaging, err);
}

static void score(const struct work *work, const struct tally *tally, struct value *ret_values)
{
	const double seconds = clock_seconds(tally->elapsed_ns);
	const uint64_t fds = work_number(work, "fds");
	const uint64_t channels = work_number(work, "groups") * fds;
	const uint64_t loops = work_number(work, "loops");
	const uint64_t size = work_number(work, "size");
	const double bytes = (double)loops * (double)size * (double)channels;
	/* LKP's formula: bytes by tasks (two a channel) in whole KiB, not by messages (fds * loops a
	 * channel). It is fds / 2 times less than what was sent. */
	const double kib_by_tasks = floor(2 * bytes / 1024);
	const bool measured = tally->elapsed_ns > 0;
	ret_values[0] = measured ? value_known(seconds) : value_missing(MISSING_MALFORMED);
	ret_values[1] =
		measured ? value_known(kib_by_tasks / seconds) : value_missing(MISSING_MALFORMED);
	ret_values[2] = measured ? value_known((double)fds * bytes / seconds)
				 : value_missing(MISSING_MALFORMED);
}

static const struct parameter parameters[] = {
	{
		.name = "groups",
		.alias = "g",
		.what = "groups of senders and receivers",
		.type = PARAMETER_NUMBER,
		.preset = "10",
		.min = 1,
		.max = 10000,
		.percent_of_cpus = true,
	},
	{
		.name = "fds",
		.alias = "f",
		.what = "senders and as many receivers of a group",
		.type = PARAMETER_NUMBER,
		.preset = "20",
		.min = 1,
		.max = 10000,
	},
	{
		.name = "loops",
		.alias = "l",
		.what = "messages from each sender to each receiver of its group",
		.type = PARAMETER_NUMBER,
		.preset = "100",
		.min = 1,
		.max = 1000000000,
	},
	{
		.name = "size",
		.alias = "s",
		.what = "bytes of a message",
		.type = PARAMETER_NUMBER,
		.preset = "100",
		.min = 1,
		.max = 1048576,
	},
	{
		.name = "ipc",
		.what = "channels are Unix stream sockets, pipes, or TCP over the loopback",
		.type = PARAMETER_WORD,
		.preset = "socket",
		.words = "socket pipe inet",
	},
	{
		.name = "mode",
		.what = "tasks are processes or threads",
		.type = PARAMETER_WORD,
		.preset = "process",
		.words = "process thread",
	},
	{ 0 },
};

static const struct metric metrics[] = {
	{
		.name = "hackbench.time_sec",
		.unit = "s",
		.kind = METRIC_SCORE,
		.better = BETTER_LOWER,
		.role = ROLE_SCORE,
		.what = "time from the release of all tasks to the end of the last",
	},
	{
		.name = "hackbench.throughput",
		.unit = "KiB/s",
		.kind = METRIC_SCORE,
		.better = BETTER_HIGHER,
		.role = ROLE_RESTATED,
		.what = "tasks * loops * size by time, LKP's KB/s: fds / 2 times less than sent",
	},
	{
		.name = "hackbench.bytes_per_sec",
		.unit = "B/s",
		.kind = METRIC_SCORE,
		.better = BETTER_HIGHER,
		.role = ROLE_RESTATED,
		.what = "bytes that were sent and received by time",
	},
	{ 0 },
};

const struct workload workload_hackbench = {
	.about = {
		.name = "hackbench",
		.what = "groups of tasks that send messages to each other",
		.stands = "wake-ups, task placement and long run queues; locks of sockets or pipes",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 1,
	},
	.shape = WORK_FIXED,
	.stack_bytes = MESSAGING_STACK_BYTES,
	.count = count,
	.prepare = prepare,
	.before_worker = messaging_before_worker,
	.after_worker = messaging_after_worker,
	.enter = messaging_enter,
	.batch = messaging_batch,
	.score = score,
	.retire = messaging_retire,
};
