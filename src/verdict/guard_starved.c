/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Did a workload that claims the CPU run while CPUs stood idle? */
#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "verdict/guard.h"
#include "verdict/order.h"
#include "verdict/reading.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct guard guard_starved;

/* Shares of the CPUs that the workers claim. */
#define SHARE_STARVED 0.5
#define SHARE_HUNGRY 0.8
#define SHARE_IDLE 0.5 /* Of what they lacked, that stood idle: else others had it. */

#define FOREIGN_PERCENT 20.0   /* Of one CPU: below, a foreign program did little but wait. */
#define FOREIGN_SECONDS 0.5    /* Shorter ones are loading and ending. */
#define WAITING_PERCENT 10.0   /* Of the time, so that a resource is named. */
#define SLEEPS_PER_SECOND 10.0 /* Of a worker, by its own will. */

/* Programs that keep as many CPUs busy as they have threads. */
struct claimant {
	const char *program;
	const char *option; /* Before the number of threads; without it, all CPUs. */
};

static const struct claimant claimants[] = {
	{ "ebizzy", "-t" },
	{ "make", "-j" },
	{ "stress-ng", "--cpu" },
};

struct usage_of_cpu { /* In CPUs. */
	double claimed, used, idle;
};

/* Number behind the option, in the next word or the same; NaN when it is not given. */
static double number_of(const char *words, const char *option)
{
	const char *at = strstr(words, option);
	double number = (double)NAN;
	if (at)
		(void)sscanf(at + strlen(option), "%*[ =]%lf", &number);
	if (at && isnan(number))
		(void)sscanf(at + strlen(option), "%lf", &number); /* Stays NaN when none is. */
	return number;
}

static bool is_program(const char *word, const char *program)
{
	const char *slash = strrchr(word, '/');
	return strcmp(slash ? slash + 1 : word, program) == 0;
}

/* CPUs that a foreign program claims by its name; NaN for one that is not known. */
static double claimed_by_program(const char *program)
{
	AUTO(text) char *words = mem_text(program);
	char *rest = NULL;
	for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		for (size_t i = 0; i < ARRAY_SIZE(claimants); i++) {
			if (!is_program(word, claimants[i].program))
				continue;
			const double threads = number_of(program, claimants[i].option);
			return threads > 0.0 ? threads : (double)INFINITY;
		}
	return (double)NAN;
}

static const char *program_of(const struct comparison *comparison, size_t side)
{
	const struct job *job = comparison->sides[side].job;
	for (size_t i = 0; i < job->n_settings; i++)
		if (job->settings[i].kind == SETTING_BINARY)
			return job->settings[i].value;
	return job_argument(job, "program");
}

static double claimed_cpus(const struct comparison *comparison, size_t side)
{
	const struct side_order *order = &comparison->orders[side];
	const struct plugin *plugin = comparison->options.plugin;
	const char *program = program_of(comparison, side);
	double claimed = (double)NAN;
	if (program)
		claimed = claimed_by_program(program);
	else if (plugin && plugin->claims_cpu && order->n)
		claimed = (double)order->runs[0]->n_workers;
	return claimed > 0.0 ? fmin(claimed, reading_cpus(comparison, side)) : (double)NAN;
}

static struct usage_of_cpu look(const struct comparison *comparison, size_t side)
{
	const double idle = reading_mean(comparison, "mpstat.cpu.all.idle%", side) +
			    reading_mean(comparison, "mpstat.cpu.all.iowait%", side);
	return (struct usage_of_cpu) {
		.claimed = claimed_cpus(comparison, side),
		.used = reading_mean(comparison, "*.time.percent_of_cpu_this_job_got", side) /
			100.0,
		.idle = idle / 100.0 * reading_cpus_online(comparison, side),
	};
}

/* ---- what it waited for ---- */

/* Share of the window, percent, in which tasks waited for a resource; NaN when not read. */
static double pressure(const struct comparison *comparison, const char *name, size_t side)
{
	const double elapsed = reading_mean(comparison, "*.time.elapsed_time", side);
	return 100.0 * reading_mean(comparison, name, side) / 1e6 / elapsed;
}

static double sleeps_per_second(const struct comparison *comparison, size_t side)
{
	const struct side_order *order = &comparison->orders[side];
	const double elapsed = reading_mean(comparison, "*.time.elapsed_time", side);
	const double workers = order->n ? (double)order->runs[0]->n_workers : 1.0;
	return reading_mean(comparison, "*.time.voluntary_context_switches", side) / elapsed /
	       fmax(1.0, workers);
}

static void say_waits(const struct comparison *comparison, size_t side, struct text *text)
{
	static const struct {
		const char *name;
		const char *what;
	} resources[] = {
		{ "pressure.io.some.total_us", "I/O" },
		{ "pressure.memory.some.total_us", "memory" },
		{ "pressure.cpu.some.total_us", "a CPU that others had" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(resources); i++) {
		const double percent = pressure(comparison, resources[i].name, side);
		if (percent >= WAITING_PERCENT)
			text_add(text, "%sfor %s in %.0f %% of the time",
				 text->length ? ", " : "tasks waited ", resources[i].what,
				 fmin(percent, 100.0));
	}
	const double iowait = reading_mean(comparison, "mpstat.cpu.all.iowait%", side);
	if (!text->length && iowait >= WAITING_PERCENT)
		text_add(text, "tasks waited for I/O (%.0f %% of the CPUs' time)", iowait);
	const double sleeps = sleeps_per_second(comparison, side);
	if (!text->length && sleeps >= SLEEPS_PER_SECOND)
		text_add(
			text,
			"each worker slept of its own will %.0f times a second (a lock, a partner, "
			"a timer: which of them, only a trace of its waits can tell)",
			sleeps);
	if (!text->length)
		text_add(text, "what it waited for cannot be told from what was recorded");
}

/* ---- the guard ---- */

static void tell(struct comparison *comparison, size_t side, const struct usage_of_cpu *usage)
{
	AUTO(text_buffer) struct text waits = { 0 };
	say_waits(comparison, side, &waits);
	const char *name = comparison->sides[side].name;
	if (usage->used < SHARE_STARVED * usage->claimed)
		guard_withhold(
			comparison, &guard_starved, side, NULL,
			"the runs of %s used %.2g of the %.2g CPUs that the workload claims, "
			"while %.2g stood idle: %s",
			name, usage->used, usage->claimed, usage->idle, text_string(&waits));
	else
		guard_warn(comparison, &guard_starved, side, NULL,
			   "the runs of %s used %.2g of the %.2g CPUs that the workload claims, "
			   "while %.2g stood idle: %s",
			   name, usage->used, usage->claimed, usage->idle, text_string(&waits));
}

static void tell_foreign(struct comparison *comparison, size_t side,
			 const struct usage_of_cpu *usage)
{
	const double elapsed = reading_mean(comparison, "*.time.elapsed_time", side);
	if (!program_of(comparison, side) || !(elapsed >= FOREIGN_SECONDS) ||
	    !(100.0 * usage->used < FOREIGN_PERCENT))
		return;
	AUTO(text_buffer) struct text waits = { 0 };
	say_waits(comparison, side, &waits);
	guard_warn(comparison, &guard_starved, side, NULL,
		   "the program used %.2g %% of one CPU with %s, so its time is one of waiting: %s",
		   100.0 * usage->used, comparison->sides[side].name, text_string(&waits));
}

static void examine(struct comparison *comparison)
{
	for (size_t side = 0; side < comparison->n_sides; side++) {
		const struct usage_of_cpu usage = look(comparison, side);
		const double lack = usage.claimed - usage.used;
		if (isnan(usage.claimed))
			tell_foreign(comparison, side, &usage);
		else if (usage.used < SHARE_HUNGRY * usage.claimed &&
			 usage.idle >= SHARE_IDLE * lack)
			tell(comparison, side, &usage);
	}
}

static void show(const struct comparison *comparison, size_t head, struct text *text)
{
	const size_t sides[] = { 0, head };
	for (size_t i = 0; i < ARRAY_SIZE(sides); i++) {
		const struct usage_of_cpu usage = look(comparison, sides[i]);
		AUTO(text_buffer) struct text waits = { 0 };
		say_waits(comparison, sides[i], &waits);
		text_add(text, "%s: used %.3g CPUs, ", comparison->sides[sides[i]].name,
			 usage.used);
		if (isnan(usage.claimed))
			text_add(text, "of which the workload claims nothing");
		else
			text_add(text, "of the %.3g that the workload claims", usage.claimed);
		text_add(text, "; %.3g stood idle; %s\n", usage.idle, text_string(&waits));
	}
}

const struct guard guard_starved = {
	.name = "starved",
	.asks = "was a workload that claims the CPU kept waiting while CPUs stood idle?",
	.explains =
		"A benchmark that means to press the CPU and whose CPUs are idle measures something "
		"else: once a regression of 30 % was traced to a commit about idle states, and the CPUs "
		"had been more than 95 % idle, because every free waited for one mutex. Workloads say in "
		"their row whether every worker keeps a CPU busy; of foreign programs that is known for "
		"a few (ebizzy, make -j, stress-ng --cpu). What they claim is one CPU a worker, at most "
		"those that affinity, cpuset and quota leave them. When they used less than half of it, "
		"and at least half of what they lacked stood idle, the verdict is withheld; below 80 % "
		"the guard warns. When others had the CPUs instead, that is another guard's matter "
		"(contaminated). A foreign program that is not known and used less than 20 % of one CPU "
		"is warned about. The guard says what was waited for as far as pressure, I/O wait and "
		"voluntary context switches tell, else that it cannot be told. To go on, trace the waits "
		"(perf sched, off-CPU time), or look for locks, quotas and debugging libraries.",
	.examine = examine,
	.show = show,
};
