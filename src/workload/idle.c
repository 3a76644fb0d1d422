/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Nothing runs for a while. What a machine does then is what its timers, drivers and the idle
 * governor do: how long its CPUs rest in which state, how often they are woken, and what that costs
 * in watts. It is asked of a kernel that changes cpuidle, a tick, or a driver that polls.
 *
 * The number lies when somebody else is at work on the machine, and monitors wake it as well: take
 * none, or --interval 0. Of assay itself the supervisor wakes four times a second. The time of a
 * state is added when it ends, so one long sleep can be a share of the next window. Below a
 * hypervisor there are usually neither idle states nor energy: those scores are missing then.
 */
#include "base/clock.h"
#include "workload/idle_machine.h"
#include "workload/workload.h"

#include <errno.h>
#include <stdio.h>

#include <sys/mman.h>

/* At 1000 W the smallest usual counter of energy (2^32 / 65536 J) wraps in 65 seconds. */
#define SLICE_NS (60 * NS_PER_SEC)

/* Between the worker, who reads, and the harness, who makes the scores. */
struct idle {
	struct idle_reading first;
	struct idle_reading last;
	struct idle_power power;
	char text[IDLE_STAT_BYTES];
};

static unsigned count(const struct work *work)
{
	(void)work;
	return 1;
}

static int prepare(struct work *work, struct error *err)
{
	void *shared = mmap(NULL, sizeof(struct idle), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		return error_errno(err, errno, "cannot map memory for two readings");
	struct idle *idle = shared;
	idle_power_find(work_root(work), &idle->power);
	work_share(work, idle);
	return 0;
}

static void retire(struct work *work)
{
	(void)munmap(work_shared(work), sizeof(struct idle));
	work_share(work, /* shared= */ NULL);
}

/* The readings are at the edges of the sleep, each with its own time, and so in no score. */
static int64_t batch(struct worker_self *self)
{
	struct idle *idle = work_shared(self->work);
	const int root_fd = work_root(self->work);
	idle_read(root_fd, idle->text, &idle->first);
	idle_power_read(root_fd, &idle->power);
	const uint64_t end_ns = clock_monotonic_ns() + work_seconds_ns(self->work, "duration");
	for (uint64_t now_ns = clock_monotonic_ns(); now_ns < end_ns;
	     now_ns = clock_monotonic_ns()) {
		const uint64_t slice_ns = end_ns - now_ns < SLICE_NS ? end_ns - now_ns : SLICE_NS;
		clock_sleep_until_ns(now_ns + slice_ns);
		idle_power_read(root_fd, &idle->power);
	}
	idle_read(root_fd, idle->text, &idle->last);
	return 1;
}

static void score(const struct work *work, const struct tally *tally, struct value *ret_values)
{
	const struct idle *idle = work_shared(work);
	(void)tally;
	ret_values[0] = idle_interrupts(&idle->first, &idle->last);
	ret_values[1] = idle_wakeups(&idle->first, &idle->last);
	ret_values[2] = idle_percent_deepest(&idle->first, &idle->last);
	ret_values[3] = idle_watts(&idle->power);
	ret_values[4] = idle_switches(&idle->first, &idle->last);
}

static void more(const struct work *work, workload_emit *emit, void *sink)
{
	const struct idle *idle = work_shared(work);
	char name[METRIC_NAME_BYTES];
	struct metric metric = { .name = name,
				 .unit = "%",
				 .what = "time of all CPUs in this idle state",
				 .kind = METRIC_SCORE,
				 .better = BETTER_NONE,
				 .role = ROLE_EVIDENCE };
	for (unsigned i = 0; i < idle->last.n_states; i++) {
		(void)snprintf(name, sizeof(name), "idle.%s.percent", idle->last.states[i].name);
		emit(sink, &metric, idle_percent(&idle->first, &idle->last, i));
	}
	metric.unit = "W";
	metric.what = "power of this RAPL zone";
	for (unsigned i = 0; i < idle->power.n_zones; i++) {
		(void)snprintf(name, sizeof(name), "idle.%s.watts", idle->power.zones[i].label);
		emit(sink, &metric, idle_zone_watts(&idle->power.zones[i]));
	}
}

static const struct parameter parameters[] = {
	{
		.name = "duration",
		.alias = "s",
		.what = "seconds for which nothing runs",
		.type = PARAMETER_SECONDS,
		.preset = "10",
		.min = 0,
		.max = 86400,
	},
	{ 0 },
};

static const struct metric metrics[] = {
	{
		.name = "idle.interrupts_per_sec",
		.unit = "1/s",
		.kind = METRIC_SCORE,
		.better = BETTER_LOWER,
		.role = ROLE_SCORE,
		.what = "interrupts of all kinds that /proc/stat counts",
	},
	{
		.name = "idle.wakeups_per_sec",
		.unit = "1/s",
		.kind = METRIC_SCORE,
		.better = BETTER_LOWER,
		.role = ROLE_SCORE,
		.what = "entries of an idle state by any CPU, each of which ended with a wake-up",
	},
	{
		.name = "idle.deepest_percent",
		.unit = "%",
		.kind = METRIC_SCORE,
		.better = BETTER_HIGHER,
		.role = ROLE_SCORE,
		.what = "time of all CPUs in their deepest idle state",
	},
	{
		.name = "idle.watts",
		.unit = "W",
		.kind = METRIC_SCORE,
		.better = BETTER_LOWER,
		.role = ROLE_SCORE,
		.what = "power of all packages and their memory, by RAPL; needs root to be read",
	},
	{
		.name = "idle.switches_per_sec",
		.unit = "1/s",
		.kind = METRIC_SCORE,
		.better = BETTER_LOWER,
		.role = ROLE_SCORE,
		.what = "context switches",
	},
	{ 0 },
};

const struct workload workload_idle = {
	.about = {
		.name = "idle",
		.what = "nothing runs: idle states, wake-ups, interrupts and watts",
		.stands = "cpuidle, the tick, and all that wakes a machine which has nothing to do",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 1,
		.metrics_open = true,
	},
	.shape = WORK_FIXED,
	.count = count,
	.prepare = prepare,
	.batch = batch,
	.score = score,
	.more = more,
	.retire = retire,
};
