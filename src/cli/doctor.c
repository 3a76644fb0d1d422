/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `assay doctor`: what on this machine will make results noisy or wrong, worst first, each with why and what mends it.
 * The environment is written as a record stream and read back, exactly as a run's is.
 */
#include "cli/doctor.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/doctor_alarms.h"
#include "cli/here.h"
#include "cli/leftovers.h"
#include "cli/say.h"
#include "record/run.h"

#include <stdio.h>

#define SHARES_NS (200 * NS_PER_MS) /* Between the two looks at /proc/stat. */

static void auto_release_findings(struct doctor_findings *findings)
{
	doctor_findings_done(findings);
}

struct ticks { /* Of all CPUs together since boot. */
	unsigned long long total, idle, steal;
};

/* Guest time is part of user time already, so the first eight numbers are everything. */
static bool read_ticks(int root_fd, struct ticks *ret_ticks)
{
	char text[512];
	unsigned long long at[8] = { 0 };
	if (fs_read_at(root_fd, "proc/stat", text, sizeof(text)) < 0 ||
	    sscanf(text, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &at[0], &at[1], &at[2],
		   &at[3], &at[4], &at[5], &at[6], &at[7]) != 8)
		return false;
	*ret_ticks = (struct ticks) { .idle = at[3] + at[4], .steal = at[7] };
	for (size_t i = 0; i < ARRAY_SIZE(at); i++)
		ret_ticks->total += at[i];
	return true;
}

/* A recorded tree stands still and gives no shares. */
static void take_shares(int root_fd, struct doctor_patient *patient)
{
	struct ticks before;
	struct ticks after;
	if (!read_ticks(root_fd, &before))
		return;
	clock_sleep_until_ns(clock_monotonic_ns() + SHARES_NS);
	if (!read_ticks(root_fd, &after) || after.total <= before.total ||
	    after.idle < before.idle || after.steal < before.steal)
		return;
	const double total = (double)(after.total - before.total);
	const double idle = (double)(after.idle - before.idle);
	const double steal = (double)(after.steal - before.steal);
	patient->has_shares = true;
	/* A single tick is the grain of this clock, and per cents of so short a time. */
	patient->steal_percent = steal > 1 ? 100.0 * steal / total : 0;
	patient->busy_percent = 100.0 * (total - idle - steal) / total;
}

static const char *fact_or(const struct run *run, const char *name, const char *otherwise)
{
	const struct fact *fact = run_fact_find(run, name);
	return fact && fact->state == VALUE_KNOWN ? fact->text : otherwise;
}

static size_t count_of(const struct doctor_findings *findings, enum doctor_severity severity)
{
	size_t count = 0;
	for (size_t i = 0; i < findings->n; i++)
		count += findings->items[i].severity == severity;
	return count;
}

static int print_json(const struct run *run, const struct doctor_findings *findings)
{
	json_t *list = json_array();
	for (size_t i = 0; i < findings->n; i++) {
		const struct doctor_finding *at = &findings->items[i];
		(void)json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s, s:s}", "severity",
							    doctor_severity_text(at->severity),
							    "name", at->name, "what", at->what,
							    "why", at->why, "mend", at->mend));
	}
	return say_json(json_pack("{s:s?, s:s?, s:i, s:i, s:i, s:o}", "kernel",
				  fact_or(run, "kernel.release", NULL), "cpu",
				  fact_or(run, "cpu.model_name", NULL), "wrong",
				  (int)count_of(findings, DOCTOR_WRONG), "noisy",
				  (int)count_of(findings, DOCTOR_NOISY), "notes",
				  (int)count_of(findings, DOCTOR_NOTE), "findings", list));
}

static int print_text(const struct run *run, const struct doctor_findings *findings)
{
	static const char *const colours[] = { "\033[1;31m", "\033[33m", "\033[36m" };
	const bool colour = say_has_colour();
	(void)printf("Linux %s, %s, %s CPUs, %s NUMA node(s), %s MiB\n\n",
		     fact_or(run, "kernel.release", "?"),
		     fact_or(run, "cpu.model_name", "unknown processor"),
		     fact_or(run, "cpu.count", "?"), fact_or(run, "node.count", "1"),
		     fact_or(run, "memory.total_mib", "?"));
	for (size_t i = 0; i < findings->n; i++) {
		const struct doctor_finding *at = &findings->items[i];
		(void)printf("%s%-5s%s  %s: %s\n", colour ? colours[at->severity] : "",
			     doctor_severity_text(at->severity), colour ? "\033[0m" : "", at->name,
			     at->what);
		(void)printf("       why:  %s\n       mend: %s\n", at->why, at->mend);
	}
	if (findings->n == 0)
		(void)printf("Nothing found that would disturb a measurement.\n");
	else
		(void)printf("\n%zu wrong, %zu noisy, %zu to note\n",
			     count_of(findings, DOCTOR_WRONG), count_of(findings, DOCTOR_NOISY),
			     count_of(findings, DOCTOR_NOTE));
	return say_done(EXIT_NO_REGRESSION);
}

static int run(const struct parsed *parsed)
{
	struct error err = { 0 };
	const char *root = options_value(parsed, "root");
	const bool alarms = options_has(parsed, "aa");
	if (parsed->n_words > (alarms ? 1 : 0))
		return say_usage("doctor takes %s, but '%s' was given",
				 alarms ? "one workload" : "no words without --aa",
				 parsed->words[alarms ? 1 : 0]);
	if (!alarms && (options_has(parsed, "seed") || options_has(parsed, "store")))
		return say_usage("options '--seed' and '--store' belong to --aa");
	AUTO(fd) int root_fd = fs_root_open(root ? root : "/", &err);
	if (root_fd < 0)
		return say_error(root_fd, &err);
	AUTO(run) struct run *facts = NULL;
	const int status = here_environment(root_fd, &facts, &err);
	if (status < 0)
		return say_error(status, &err);
	if (alarms)
		return doctor_alarms(parsed, facts);
	struct doctor_patient patient = { .run = facts, .is_live = !root || text_equal(root, "/") };
	AUTO(text) char *leftovers = patient.is_live ? leftovers_find() : NULL;
	patient.leftovers = leftovers;
	if (patient.is_live)
		take_shares(root_fd, &patient);
	AUTO(findings) struct doctor_findings findings = { 0 };
	doctor_examine(&patient, &findings);
	return options_has(parsed, "json") ? print_json(facts, &findings)
					   : print_text(facts, &findings);
}

static const struct option_row options[] = {
	{ .name = "aa",
	  .what = "measure how often comparisons of a subject with itself find a change, from the "
		  "runs in the store" },
	{ .name = "seed",
	  .value = "N",
	  .what = "with --aa: seed of the splits (default: that of the last time, else drawn)" },
	OPTION_JSON,
	{ .name = "root",
	  .value = "DIR",
	  .words = "directory",
	  .what = "examine a recorded tree of /proc and /sys" },
	OPTION_STORE,
	{ 0 },
};

const struct command_row command_doctor = {
	.name = "doctor",
	.words = "[WORKLOAD]",
	.what = "say what on this machine will make results noisy or wrong, and what mends it",
	.options = options,
	.run = run,
	.completes = "workload",
};
