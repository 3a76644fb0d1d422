/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vmstat: the columns of vmstat(8) from /proc/stat, /proc/meminfo and /proc/vmstat, over the window
 * only (the first line of vmstat(8), which lkp-tests averages in, is since boot). procs.r does not
 * count the reader itself, which is always running when it reads. cpu.us is user and nice without
 * guests, cpu.sy has interrupts in it, cpu.gu is all guests.
 */
#include "base/mem.h"
#include "monitor/cpu_ticks.h"
#include "monitor/monitor.h"
#include "monitor/source.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The channels, in the order of vmstat(8)'s columns. */
enum {
	PROCS_R,
	PROCS_B,
	MEMORY_SWPD,
	MEMORY_FREE,
	MEMORY_BUFF,
	MEMORY_CACHE,
	SWAP_SI,
	SWAP_SO,
	IO_BI,
	IO_BO,
	SYSTEM_IN,
	SYSTEM_CS,
	CPU_US,
	CPU_SY,
	CPU_ID,
	CPU_WA,
	CPU_ST,
	CPU_GU,
	COLUMN_COUNT,
};

#define N_CPU_COLUMNS (COLUMN_COUNT - CPU_US)

/* Idle and iowait of all CPUs together may fall a little (proc(5)): up to a second of one CPU. */
#define TICKS_HELD_MAX 100

static const struct metric metrics[COLUMN_COUNT + 1] = {
	[PROCS_R] = { "vmstat.procs.r", "1",
		      "tasks running or waiting for a CPU, without the reader", METRIC_GAUGE,
		      BETTER_NONE, ROLE_EVIDENCE },
	[PROCS_B] = { "vmstat.procs.b", "1", "tasks waiting for a device", METRIC_GAUGE,
		      BETTER_NONE, ROLE_EVIDENCE },
	[MEMORY_SWPD] = { "vmstat.memory.swpd", "KiB", "swap in use", METRIC_GAUGE, BETTER_NONE,
			  ROLE_EVIDENCE },
	[MEMORY_FREE] = { "vmstat.memory.free", "KiB", "free memory", METRIC_GAUGE, BETTER_NONE,
			  ROLE_EVIDENCE },
	[MEMORY_BUFF] = { "vmstat.memory.buff", "KiB", "buffers of block devices", METRIC_GAUGE,
			  BETTER_NONE, ROLE_EVIDENCE },
	[MEMORY_CACHE] = { "vmstat.memory.cache", "KiB", "page cache and reclaimable slabs",
			   METRIC_GAUGE, BETTER_NONE, ROLE_EVIDENCE },
	[SWAP_SI] = { "vmstat.swap.si", "KiB/s", "read from swap", METRIC_RATE, BETTER_NONE,
		      ROLE_EVIDENCE },
	[SWAP_SO] = { "vmstat.swap.so", "KiB/s", "written to swap", METRIC_RATE, BETTER_NONE,
		      ROLE_EVIDENCE },
	[IO_BI] = { "vmstat.io.bi", "KiB/s", "read from block devices", METRIC_RATE, BETTER_NONE,
		    ROLE_EVIDENCE },
	[IO_BO] = { "vmstat.io.bo", "KiB/s", "written to block devices", METRIC_RATE, BETTER_NONE,
		    ROLE_EVIDENCE },
	[SYSTEM_IN] = { "vmstat.system.in", "1/s", "interrupts", METRIC_RATE, BETTER_NONE,
			ROLE_EVIDENCE },
	[SYSTEM_CS] = { "vmstat.system.cs", "1/s", "context switches", METRIC_RATE, BETTER_NONE,
			ROLE_EVIDENCE },
	[CPU_US] = { "vmstat.cpu.us", "%", "time in programs, without guests", METRIC_SHARE,
		     BETTER_NONE, ROLE_EVIDENCE },
	[CPU_SY] = { "vmstat.cpu.sy", "%", "time in the kernel, with interrupts", METRIC_SHARE,
		     BETTER_NONE, ROLE_EVIDENCE },
	[CPU_ID] = { "vmstat.cpu.id", "%", "time with nothing to do", METRIC_SHARE, BETTER_NONE,
		     ROLE_EVIDENCE },
	[CPU_WA] = { "vmstat.cpu.wa", "%", "time idle while a task waited for a device",
		     METRIC_SHARE, BETTER_NONE, ROLE_EVIDENCE },
	[CPU_ST] = { "vmstat.cpu.st", "%", "time that the hypervisor gave to others", METRIC_SHARE,
		     BETTER_NONE, ROLE_EVIDENCE },
	[CPU_GU] = { "vmstat.cpu.gu", "%", "time in guests", METRIC_SHARE, BETTER_NONE,
		     ROLE_EVIDENCE },
};

struct optional {
	struct source file; /* fd -1 when it could not be opened. */
	enum missing why;   /* Why not. */
};

struct vmstat {
	struct source stat;
	struct optional meminfo;
	struct optional vmstat;
	uint64_t held[N_CPU_COLUMNS];
};

/* Swap is counted in pages, the rest as it is shown. */
static double scale_of(uint32_t column)
{
	const long page_bytes = sysconf(_SC_PAGESIZE);
	return column == SWAP_SI || column == SWAP_SO ? (double)page_bytes / 1024 : 1;
}

static void declare(struct monitor_setup *setup)
{
	static const uint32_t whole[N_CPU_COLUMNS] = { CPU_US, CPU_SY, CPU_ID,
						       CPU_WA, CPU_ST, CPU_GU };
	for (uint32_t i = 0; i < COLUMN_COUNT; i++) {
		const bool is_gauge = metrics[i].kind == METRIC_GAUGE;
		const uint32_t channel = monitor_channel(setup, metrics[i].name + strlen("vmstat."),
							 is_gauge ? CHANNEL_GAUGE : CHANNEL_COUNTER,
							 is_gauge ? 0 : 64);
		assert(channel == i);
		(void)channel;
	}
	for (uint32_t i = 0; i < COLUMN_COUNT; i++) {
		const bool is_share = metrics[i].kind == METRIC_SHARE;
		monitor_rule(setup, &(const struct metric_rule) {
					    .metric = metrics[i],
					    .scale = scale_of(i),
					    .parts = &i,
					    .n_parts = 1,
					    .whole = is_share ? whole : NULL,
					    .n_whole = is_share ? N_CPU_COLUMNS : 0,
				    });
	}
}

static void open_optional(struct optional *optional, int root_fd, const char *path)
{
	const int failed = source_open(&optional->file, root_fd, path, /* err= */ NULL);
	optional->why = failed ? missing_from_errno(-failed) : MISSING_NOT;
}

static enum missing read_optional(struct optional *optional)
{
	return optional->why == MISSING_NOT ? source_read(&optional->file) : optional->why;
}

static enum monitor_opened vmstat_open(struct monitor_setup *setup, void **ret_state,
				       struct error *reason)
{
	struct source stat;
	if (source_open(&stat, monitor_root(setup), "proc/stat", reason) < 0)
		return MONITOR_UNAVAILABLE;
	struct vmstat *state = mem_zero(sizeof(*state));
	state->stat = stat;
	open_optional(&state->meminfo, monitor_root(setup), "proc/meminfo");
	open_optional(&state->vmstat, monitor_root(setup), "proc/vmstat");
	declare(setup);
	*ret_state = state;
	return MONITOR_OPEN;
}

/* Finds a line by its key from *from on, and its number; *from is then behind it, so that keys
 * asked for in the file's order are found in one pass. */
static enum missing find_number(const struct source *source, const char **from, const char *key,
				uint64_t *ret_number)
{
	const size_t length = strlen(key);
	const char *const line = source_find_line(source, *from, key, length);
	if (!line)
		return MISSING_ABSENT;
	const char *at = line + length;
	if (!source_number(&at, ret_number))
		return MISSING_MALFORMED;
	*from = at;
	return MISSING_NOT;
}

static struct reading count_of(const struct source *source, const char **from, const char *key)
{
	uint64_t number;
	const enum missing why = find_number(source, from, key, &number);
	return why == MISSING_NOT ? reading_count(number) : reading_missing(why);
}

static struct reading level_of(const struct source *source, const char **from, const char *key)
{
	uint64_t number;
	const enum missing why = find_number(source, from, key, &number);
	return why == MISSING_NOT ? reading_level((double)number) : reading_missing(why);
}

/* Sum of two levels, or the first minus the second; missing when one is. */
static struct reading combine(struct reading one, double sign, struct reading other)
{
	if (one.state != VALUE_KNOWN)
		return one;
	if (other.state != VALUE_KNOWN)
		return other;
	const double level = one.level + sign * other.level;
	return level >= 0 ? reading_level(level) : reading_missing(MISSING_MALFORMED);
}

static void fill_cpu(struct vmstat *state, struct reading *readings)
{
	struct cpu_ticks cpu;
	const char *const line =
		source_find_line(&state->stat, state->stat.bytes, "cpu ", strlen("cpu "));
	if (!line || !cpu_ticks_parse(line + strlen("cpu"), &cpu)) {
		const enum missing why = line ? MISSING_MALFORMED : MISSING_ABSENT;
		for (unsigned i = 0; i < N_CPU_COLUMNS; i++)
			readings[CPU_US + i] = reading_missing(why);
		return;
	}
	const uint64_t *const ticks = cpu.ticks;
	const uint64_t columns[N_CPU_COLUMNS] = {
		ticks[TICKS_USER] + ticks[TICKS_NICE],
		ticks[TICKS_SYSTEM] + ticks[TICKS_IRQ] + ticks[TICKS_SOFTIRQ],
		ticks[TICKS_IDLE],
		ticks[TICKS_IOWAIT],
		ticks[TICKS_STEAL],
		ticks[TICKS_GUEST] + ticks[TICKS_GUEST_NICE],
	};
	for (unsigned i = 0; i < N_CPU_COLUMNS; i++)
		readings[CPU_US + i] =
			reading_count(cpu_ticks_hold(&state->held[i], columns[i], TICKS_HELD_MAX));
}

static void fill_stat(struct vmstat *state, struct reading *readings)
{
	fill_cpu(state, readings);
	const char *from = state->stat.bytes;
	readings[SYSTEM_IN] = count_of(&state->stat, &from, "intr ");
	readings[SYSTEM_CS] = count_of(&state->stat, &from, "ctxt ");
	readings[PROCS_R] = level_of(&state->stat, &from, "procs_running ");
	readings[PROCS_B] = level_of(&state->stat, &from, "procs_blocked ");
	if (readings[PROCS_R].state == VALUE_KNOWN && readings[PROCS_R].level > 0)
		readings[PROCS_R].level -= 1;
}

static void fill_memory(const struct source *source, struct reading *readings)
{
	const char *from = source->bytes;
	readings[MEMORY_FREE] = level_of(source, &from, "MemFree:");
	readings[MEMORY_BUFF] = level_of(source, &from, "Buffers:");
	const struct reading cached = level_of(source, &from, "Cached:");
	const struct reading swap_total = level_of(source, &from, "SwapTotal:");
	const struct reading swap_free = level_of(source, &from, "SwapFree:");
	const struct reading reclaimable = level_of(source, &from, "SReclaimable:");
	readings[MEMORY_CACHE] = combine(cached, 1, reclaimable);
	readings[MEMORY_SWPD] = combine(swap_total, -1, swap_free);
}

static void fill_paging(const struct source *source, struct reading *readings)
{
	const char *from = source->bytes;
	readings[IO_BI] = count_of(source, &from, "pgpgin ");
	readings[IO_BO] = count_of(source, &from, "pgpgout ");
	readings[SWAP_SI] = count_of(source, &from, "pswpin ");
	readings[SWAP_SO] = count_of(source, &from, "pswpout ");
}

static void fill_missing(struct reading *readings, uint32_t first, uint32_t last, enum missing why)
{
	for (uint32_t i = first; i <= last; i++)
		readings[i] = reading_missing(why);
}

static void vmstat_sample(void *opaque, struct reading *readings)
{
	struct vmstat *state = opaque;
	enum missing why = source_read(&state->stat);
	if (why == MISSING_NOT) {
		fill_stat(state, readings);
	} else {
		fill_missing(readings, PROCS_R, PROCS_B, why);
		fill_missing(readings, SYSTEM_IN, CPU_GU, why);
	}
	why = read_optional(&state->meminfo);
	if (why == MISSING_NOT)
		fill_memory(&state->meminfo.file, readings);
	else
		fill_missing(readings, MEMORY_SWPD, MEMORY_CACHE, why);
	why = read_optional(&state->vmstat);
	if (why == MISSING_NOT)
		fill_paging(&state->vmstat.file, readings);
	else
		fill_missing(readings, SWAP_SI, IO_BO, why);
}

static void vmstat_close(void *opaque)
{
	struct vmstat *state = opaque;
	if (!state)
		return;
	source_done(&state->stat);
	source_done(&state->meminfo.file);
	source_done(&state->vmstat.file);
	free(state);
}

const struct monitor monitor_vmstat = {
	.about = {
		.name = "vmstat",
		.what = "the columns of vmstat(8): tasks, memory, swap, block I/O, interrupts, CPU",
		.stands = "was the machine busy, waiting, or swapping?",
		.metrics = metrics,
		.cost_ns = 47000,
	},
	.open = vmstat_open,
	.sample = vmstat_sample,
	.close = vmstat_close,
};
