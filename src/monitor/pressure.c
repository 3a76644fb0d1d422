/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pressure: the stall totals of /proc/pressure. The same fourteen metrics on every kernel: a file
 * or line that this kernel lacks (cpu.full before 5.13, irq without CONFIG_IRQ_TIME_ACCOUNTING) is
 * missing, so that two kernels can be laid side by side.
 */
#include "base/macros.h"
#include "base/mem.h"
#include "monitor/monitor.h"
#include "monitor/source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum resource { RESOURCE_CPU, RESOURCE_MEMORY, RESOURCE_IO, RESOURCE_IRQ, RESOURCE_COUNT };

static const char *const paths[RESOURCE_COUNT] = {
	[RESOURCE_CPU] = "proc/pressure/cpu",
	[RESOURCE_MEMORY] = "proc/pressure/memory",
	[RESOURCE_IO] = "proc/pressure/io",
	[RESOURCE_IRQ] = "proc/pressure/irq",
};

/* Each line has two channels: its total, then its avg10. */
static const struct {
	enum resource resource;
	const char *line;
} lines[] = {
	{ RESOURCE_CPU, "some" },    { RESOURCE_CPU, "full" }, { RESOURCE_MEMORY, "some" },
	{ RESOURCE_MEMORY, "full" }, { RESOURCE_IO, "some" },  { RESOURCE_IO, "full" },
	{ RESOURCE_IRQ, "full" },
};

#define LINE_METRICS(name, some_or_all, waited)                                                    \
	{ "pressure." name ".total_us",                                                            \
	  "us",                                                                                    \
	  "time in which " some_or_all " waited for " waited,                                      \
	  METRIC_COUNTER,                                                                          \
	  BETTER_NONE,                                                                             \
	  ROLE_EVIDENCE },                                                                         \
	{                                                                                          \
		"pressure." name ".avg10", "%",                                                    \
			"share of time in which " some_or_all " waited for " waited, METRIC_GAUGE, \
			BETTER_NONE, ROLE_EVIDENCE                                                 \
	}

static const struct metric metrics[] = {
	LINE_METRICS("cpu.some", "some tasks", "a CPU"),
	LINE_METRICS("cpu.full", "all tasks of a group", "a CPU"),
	LINE_METRICS("memory.some", "some tasks", "memory"),
	LINE_METRICS("memory.full", "all tasks", "memory"),
	LINE_METRICS("io.some", "some tasks", "I/O"),
	LINE_METRICS("io.full", "all tasks", "I/O"),
	LINE_METRICS("irq.full", "all tasks", "interrupt handlers"),
	{ 0 },
};

_Static_assert(ARRAY_SIZE(metrics) == 2 * ARRAY_SIZE(lines) + 1, "two metrics for each line");

struct pressure {
	struct source files[RESOURCE_COUNT]; /* fd -1 when it could not be opened. */
	enum missing why[RESOURCE_COUNT];    /* Why not. */
};

static void declare(struct monitor_setup *setup)
{
	for (size_t i = 0; i + 1 < ARRAY_SIZE(metrics); i++) {
		const bool is_counter = metrics[i].kind == METRIC_COUNTER;
		const uint32_t channel = monitor_channel(
			setup, metrics[i].name + strlen("pressure."),
			is_counter ? CHANNEL_COUNTER : CHANNEL_GAUGE, is_counter ? 64 : 0);
		monitor_rule(setup, &(const struct metric_rule) {
					    .metric = metrics[i],
					    .scale = 1,
					    .parts = &channel,
					    .n_parts = 1,
				    });
	}
}

static void say_why(int failed, struct error *reason)
{
	if (failed == -ENOENT)
		(void)error_set(reason, ENOENT, "no '%s': kernel without CONFIG_PSI",
				paths[RESOURCE_CPU]);
	else if (failed == -EOPNOTSUPP)
		(void)error_set(reason, EOPNOTSUPP,
				"'%s' is switched off: boot the kernel with psi=1",
				paths[RESOURCE_CPU]);
	else
		(void)error_errno(reason, -failed, "cannot read '%s'", paths[RESOURCE_CPU]);
}

static enum monitor_opened pressure_open(struct monitor_setup *setup, void **ret_state,
					 struct error *reason)
{
	struct pressure *state = mem_zero(sizeof(*state));
	int first_failure = 0;
	bool is_any_open = false;
	for (unsigned i = 0; i < RESOURCE_COUNT; i++) {
		const int failed = source_open(&state->files[i], monitor_root(setup), paths[i],
					       /* err= */ NULL);
		state->why[i] = failed ? missing_from_errno(-failed) : MISSING_NOT;
		is_any_open = is_any_open || !failed;
		first_failure = first_failure ? first_failure : failed;
	}
	if (!is_any_open) {
		free(state);
		say_why(first_failure, reason);
		return MONITOR_UNAVAILABLE;
	}
	declare(setup);
	*ret_state = state;
	return MONITOR_OPEN;
}

/* The text behind "key=" inside the line at `line`, or NULL. */
static const char *field(const char *line, const char *key)
{
	const size_t length = strlen(key);
	for (const char *at = line; *at && *at != '\n'; at++) {
		if (*at == ' ' && strncmp(at + 1, key, length) == 0)
			return at + 1 + length;
	}
	return NULL;
}

static struct reading read_total(const char *line)
{
	const char *at = field(line, "total=");
	uint64_t number;
	return at && *at != ' ' && source_number(&at, &number) ? reading_count(number)
							       : reading_missing(MISSING_MALFORMED);
}

/* The kernel prints two decimals: "12.34". */
static struct reading read_share(const char *line)
{
	const char *at = field(line, "avg10=");
	unsigned hundredths = 0;
	unsigned digits = 0;
	for (; at && *at >= '0' && *at <= '9' && digits < 4; at++, digits++)
		hundredths = hundredths * 10 + (unsigned)(*at - '0');
	if (digits == 0 || *at != '.' || at[1] < '0' || at[1] > '9' || at[2] < '0' || at[2] > '9')
		return reading_missing(MISSING_MALFORMED);
	hundredths = hundredths * 100 + (unsigned)(at[1] - '0') * 10 + (unsigned)(at[2] - '0');
	return reading_level(hundredths / 100.0);
}

static void pressure_sample(void *opaque, struct reading *readings)
{
	struct pressure *state = opaque;
	enum missing why[RESOURCE_COUNT];
	for (unsigned i = 0; i < RESOURCE_COUNT; i++)
		why[i] = state->why[i] == MISSING_NOT ? source_read(&state->files[i])
						      : state->why[i];
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++, readings += 2) {
		const struct source *file = &state->files[lines[i].resource];
		enum missing missing = why[lines[i].resource];
		const char *line = NULL;
		if (missing == MISSING_NOT) {
			line = source_find_line(file, file->bytes, lines[i].line,
						strlen(lines[i].line));
			missing = line ? MISSING_NOT : MISSING_ABSENT;
		}
		readings[0] = line ? read_total(line) : reading_missing(missing);
		readings[1] = line ? read_share(line) : reading_missing(missing);
	}
}

static void pressure_close(void *opaque)
{
	struct pressure *state = opaque;
	if (!state)
		return;
	for (unsigned i = 0; i < RESOURCE_COUNT; i++)
		source_done(&state->files[i]);
	free(state);
}

const struct monitor monitor_pressure = {
	.about = {
		.name = "pressure",
		.what = "stall times of /proc/pressure: tasks that waited for CPU, memory, I/O",
		.stands = "did tasks wait for something that was short?",
		.metrics = metrics,
		.cost_ns = 10000,
	},
	.open = pressure_open,
	.sample = pressure_sample,
	.close = pressure_close,
};
