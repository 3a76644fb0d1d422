/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf bench sched messaging: hackbench's program (messaging.h) under the name and with the few
 * parameters that it has in perf: 20 senders and receivers a group, messages of 100 bytes. mmtests runs
 * this one as its hackbench. Its times and those of hackbench with the same parameters are times of the
 * same work.
 *
 * The number lies as that of hackbench does.
 */
#include "base/clock.h"
#include "workload/messaging.h"

#define SENDERS 20
#define MESSAGE_BYTES 100

static struct messaging messaging_of(const struct work *work)
{
	return (struct messaging) {
		.groups = work_number(work, "groups"),
		.fds = SENDERS,
		.loops = work_number(work, "loops"),
		.size = MESSAGE_BYTES,
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
	ret_values[0] = tally->elapsed_ns > 0 ? value_known(clock_seconds(tally->elapsed_ns))
					      : value_missing(MISSING_MALFORMED);
}

static const struct parameter parameters[] = {
	{
		.name = "groups",
		.alias = "g",
		.what = "groups of 20 senders and 20 receivers",
		.type = PARAMETER_NUMBER,
		.preset = "10",
		.min = 1,
		.max = 10000,
		.percent_of_cpus = true,
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
		.name = "ipc",
		.what = "channels are Unix stream sockets, or pipes (-p)",
		.type = PARAMETER_WORD,
		.preset = "socket",
		.words = "socket pipe",
	},
	{
		.name = "mode",
		.what = "tasks are processes, or threads (-t)",
		.type = PARAMETER_WORD,
		.preset = "process",
		.words = "process thread",
	},
	{ 0 },
};

static const struct metric metrics[] = {
	{
		.name = "perf-messaging.total_time_sec",
		.unit = "s",
		.kind = METRIC_SCORE,
		.better = BETTER_LOWER,
		.role = ROLE_SCORE,
		.what = "time from the release of all tasks to the end of the last",
	},
	{ 0 },
};

const struct workload workload_perf_messaging = {
	.about = {
		.name = "perf-messaging",
		.what = "perf bench sched messaging: groups of tasks that send messages to each other",
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
