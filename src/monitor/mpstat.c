/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mpstat: how all CPUs together spent the window, from the per-CPU lines of /proc/stat. A channel
 * for each CPU and state; a metric is the sum of the CPUs' steps in one state over the sum in all
 * states. So a CPU that goes or comes counts for as long as it was seen, and a counter of one CPU
 * that runs backwards is left out, where the "cpu" line would jump. The CPUs are those plugged in
 * at the opening.
 */
#include "base/mem.h"
#include "monitor/cpu_ticks.h"
#include "monitor/cpus.h"
#include "monitor/monitor.h"
#include "monitor/source.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each CPU has TICKS_COUNT channels; the limit of a monitor's channels bounds the CPUs. */
#define CPUS_WATCHED_MAX (CHANNELS_PER_MONITOR_MAX / TICKS_COUNT)

/* User less guest falls by one tick when only the guest's was rounded up. */
#define TICKS_OF_ROUNDING 2

struct mpstat {
	struct source file;
	struct cpus cpus;
	uint64_t (*held)[2]; /* Last user and nice ticks of each slot. Owned. */
};

static const char *const state_names[TICKS_COUNT] = {
	[TICKS_USER] = "usr",         [TICKS_NICE] = "nice",     [TICKS_SYSTEM] = "sys",
	[TICKS_IDLE] = "idle",        [TICKS_IOWAIT] = "iowait", [TICKS_IRQ] = "irq",
	[TICKS_SOFTIRQ] = "soft",     [TICKS_STEAL] = "steal",   [TICKS_GUEST] = "guest",
	[TICKS_GUEST_NICE] = "gnice",
};

/* The number of a "cpu7 ..." line; *ret_ticks stands behind the word then. */
static bool is_cpu_line(const char *line, uint32_t *ret_number, const char **ret_ticks)
{
	uint64_t number;
	if (memcmp(line, "cpu", 3) != 0 || line[3] < '0' || line[3] > '9')
		return false;
	const char *at = line + 3;
	if (!source_number(&at, &number) || number >= CPUS_MAX)
		return false;
	*ret_number = (uint32_t)number;
	*ret_ticks = at;
	return true;
}

static void learn_cpus(struct mpstat *state, int root_fd)
{
	if (cpus_present(&state->cpus, root_fd))
		return;
	const char *const end = state->file.bytes + state->file.length;
	for (const char *line = state->file.bytes; line < end; line = source_next_line(line, end)) {
		uint32_t number;
		const char *ticks;
		if (is_cpu_line(line, &number, &ticks))
			cpus_add(&state->cpus, number);
	}
}

static void declare_metrics(const struct mpstat *state, struct monitor_setup *setup)
{
	const uint32_t n_channels = state->cpus.n * TICKS_COUNT;
	uint32_t *whole = mem_array(n_channels, sizeof(*whole));
	uint32_t *parts = mem_array(state->cpus.n, sizeof(*parts));
	for (uint32_t i = 0; i < n_channels; i++)
		whole[i] = i;
	for (uint32_t ticks = 0; ticks < TICKS_COUNT; ticks++) {
		char name[64];
		(void)snprintf(name, sizeof(name), "cpu.all.%s%%", state_names[ticks]);
		for (uint32_t slot = 0; slot < state->cpus.n; slot++)
			parts[slot] = slot * TICKS_COUNT + ticks;
		monitor_rule(setup, &(const struct metric_rule) {
					    .metric = { .name = name,
							.unit = "%",
							.what = "",
							.kind = METRIC_SHARE,
							.role = ROLE_EVIDENCE },
					    .scale = 1,
					    .parts = parts,
					    .n_parts = state->cpus.n,
					    .whole = whole,
					    .n_whole = n_channels,
				    });
	}
	free(whole);
	free(parts);
}

static void declare(const struct mpstat *state, struct monitor_setup *setup)
{
	for (uint32_t slot = 0; slot < state->cpus.n; slot++) {
		for (uint32_t ticks = 0; ticks < TICKS_COUNT; ticks++) {
			char name[64];
			(void)snprintf(name, sizeof(name), "cpu%u.%s", state->cpus.numbers[slot],
				       state_names[ticks]);
			const uint32_t channel = monitor_channel(setup, name, CHANNEL_COUNTER, 64);
			assert(channel == slot * TICKS_COUNT + ticks);
			(void)channel;
		}
	}
	declare_metrics(state, setup);
}

static void mpstat_close(void *opaque)
{
	struct mpstat *state = opaque;
	if (!state)
		return;
	source_done(&state->file);
	cpus_done(&state->cpus);
	free(state->held);
	free(state);
}

static enum monitor_opened mpstat_open(struct monitor_setup *setup, void **ret_state,
				       struct error *reason)
{
	struct source file;
	if (source_open(&file, monitor_root(setup), "proc/stat", reason) < 0)
		return MONITOR_UNAVAILABLE;
	struct mpstat *state = mem_zero(sizeof(*state));
	state->file = file;
	learn_cpus(state, monitor_root(setup));
	if (state->cpus.n > CPUS_WATCHED_MAX)
		state->cpus.n = CPUS_WATCHED_MAX;
	if (state->cpus.n == 0) {
		mpstat_close(state);
		(void)error_set(reason, ENODATA, "'proc/stat' has no line of a CPU");
		return MONITOR_UNAVAILABLE;
	}
	state->held = mem_array(state->cpus.n, sizeof(*state->held));
	declare(state, setup);
	*ret_state = state;
	return MONITOR_OPEN;
}

static void fill_missing(const struct mpstat *state, struct reading *readings, enum missing why)
{
	for (uint32_t i = 0; i < state->cpus.n * TICKS_COUNT; i++)
		readings[i] = reading_missing(why);
}

static void fill_cpu(const char *at, uint64_t held[static 2], struct reading *readings)
{
	struct cpu_ticks cpu;
	if (!cpu_ticks_parse(at, &cpu)) {
		for (unsigned i = 0; i < TICKS_COUNT; i++)
			readings[i] = reading_missing(MISSING_MALFORMED);
		return;
	}
	cpu.ticks[TICKS_USER] = cpu_ticks_hold(&held[0], cpu.ticks[TICKS_USER], TICKS_OF_ROUNDING);
	cpu.ticks[TICKS_NICE] = cpu_ticks_hold(&held[1], cpu.ticks[TICKS_NICE], TICKS_OF_ROUNDING);
	for (unsigned i = 0; i < TICKS_COUNT; i++)
		readings[i] = i < cpu.n_known ? reading_count(cpu.ticks[i])
					      : reading_missing(MISSING_ABSENT);
}

static void mpstat_sample(void *opaque, struct reading *readings)
{
	struct mpstat *state = opaque;
	const enum missing why = source_read(&state->file);
	fill_missing(state, readings, why == MISSING_NOT ? MISSING_OFFLINE : why);
	const char *const end = state->file.bytes + state->file.length;
	const char *line = state->file.bytes;
	uint32_t expected = 0;
	/* The lines of the CPUs come first; behind them stand long lines that need no look. */
	for (; line < end && memcmp(line, "cpu", 3) == 0; line = source_next_line(line, end)) {
		uint32_t number;
		const char *at;
		if (!is_cpu_line(line, &number, &at))
			continue;
		const int slot = cpus_slot(&state->cpus, number, expected);
		if (slot < 0)
			continue;
		fill_cpu(at, state->held[slot], readings + (uint32_t)slot * TICKS_COUNT);
		expected = (uint32_t)slot + 1;
	}
}

#define SHARE(name, what)                                                                          \
	{                                                                                          \
		"mpstat.cpu.all." name "%", "%", what, METRIC_SHARE, BETTER_NONE, ROLE_EVIDENCE    \
	}

static const struct metric metrics[] = {
	SHARE("usr", "time in programs, without guests"),
	SHARE("nice", "time in programs of low priority, without guests"),
	SHARE("sys", "time in the kernel"),
	SHARE("idle", "time with nothing to do"),
	SHARE("iowait", "time idle while a task waited for a device"),
	SHARE("irq", "time in interrupt handlers"),
	SHARE("soft", "time in deferred interrupt work"),
	SHARE("steal", "time that the hypervisor gave to others"),
	SHARE("guest", "time in guests"),
	SHARE("gnice", "time in guests of low priority"),
	{ 0 },
};

const struct monitor monitor_mpstat = {
	.about = {
		.name = "mpstat",
		.what = "how all CPUs together spent the time, from their own lines in /proc/stat",
		.stands = "were the CPUs busy, and with what?",
		.metrics = metrics,
		.cost_ns = 10000,
	},
	.open = mpstat_open,
	.sample = mpstat_sample,
	.close = mpstat_close,
};
