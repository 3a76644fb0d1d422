/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A plan for people. See plan_show.h. */
#include "cli/plan_show.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/progress.h"
#include "cli/say.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS_MAX 20U /* Printed; a screen's worth. */

static uint64_t estimate(const struct plan *plan)
{
	uint64_t total_ns = 0;
	for (size_t i = 0; i < plan->n_runs; i++)
		total_ns += plan_run_ns(plan, plan->runs[i].job);
	return total_ns;
}

static void print_settings(const struct job *job)
{
	(void)printf("  %s:", job->subject);
	for (size_t i = 0; i < job->n_settings; i++) {
		const struct setting *setting = &job->settings[i];
		(void)printf(" %s%s%s=%s", setting_kind_text(setting->kind),
			     *setting->key ? "." : "", setting->key, setting->value);
	}
	(void)puts(job->n_settings ? "" : " as the machine is");
}

static void print_point(const struct plan *plan, size_t point)
{
	const struct job *job = plan->jobs[point * plan->n_subjects];
	(void)printf("  %s", job->workload);
	for (size_t i = 0; i < job->n_arguments; i++) {
		const struct argument *argument = &job->arguments[i];
		(void)printf(" %s=%s", argument->name, argument->value);
		if (strcmp(argument->value, argument->text) != 0)
			(void)printf(" (%s)", argument->text);
	}
	(void)putchar('\n');
}

static uint32_t count_blocks(const struct plan *plan)
{
	return plan->n_runs ? plan->runs[plan->n_runs - 1].block + 1 : 0; /* They are in order. */
}

/* One line a block: which subjects in which order. */
static void print_order(const struct plan *plan)
{
	const uint32_t n_blocks = count_blocks(plan);
	for (size_t i = 0; i < plan->n_runs && plan->runs[i].block < BLOCKS_MAX; i++) {
		const struct job *job = plan->jobs[plan->runs[i].job];
		const bool first = i == 0 || plan->runs[i].block != plan->runs[i - 1].block;
		if (first)
			(void)printf("%s  block %" PRIu32 " (%s):", i ? "\n" : "",
				     plan->runs[i].block, job->workload);
		(void)printf(" %s", job->subject);
	}
	(void)putchar('\n');
	if (n_blocks > BLOCKS_MAX)
		(void)printf("  ... and %" PRIu32 " more block%s\n", n_blocks - BLOCKS_MAX,
			     n_blocks - BLOCKS_MAX == 1 ? "" : "s");
}

static void print_summary(const struct plan *plan)
{
	char duration[32];
	progress_duration(estimate(plan), duration, sizeof(duration));
	(void)printf("%s%zu run%s, %s %s\n", plan->stopping.until_decided ? "at most " : "",
		     plan->n_runs, plan->n_runs == 1 ? "" : "s",
		     plan->stopping.until_decided ? "at most" : "about", duration);
}

/* When it is enough. */
static void print_stopping(const struct plan *plan)
{
	const struct stopping *stopping = &plan->stopping;
	char duration[32];
	if (stopping->until_decided)
		(void)printf("until: decided, asked after each block from %d runs of each subject "
			     "on, at most %" PRIu64 "\n",
			     EXPERIMENT_FIRST_LOOK, stopping->runs_max);
	else
		(void)printf("until: %" PRIu64 " run%s of each subject at each point\n",
			     stopping->runs_max, stopping->runs_max == 1 ? "" : "s");
	if (stopping->time_max_ns > 0) {
		progress_duration(stopping->time_max_ns, duration, sizeof(duration));
		(void)printf("  no block begins after %s\n", duration);
	}
	if (plan->warm_up)
		(void)puts("  a block before them warms up: kept, never judged");
}

static json_t *job_json(const struct plan *plan, size_t index)
{
	const struct job *job = plan->jobs[index];
	json_t *arguments = json_object();
	json_t *settings = json_array();
	for (size_t i = 0; i < job->n_arguments; i++)
		(void)json_object_set_new(arguments, job->arguments[i].name,
					  json_string(job->arguments[i].value));
	for (size_t i = 0; i < job->n_settings; i++)
		(void)json_array_append_new(
			settings, json_pack("{s:s, s:s, s:s}", "kind",
					    setting_kind_text(job->settings[i].kind), "key",
					    job->settings[i].key, "value", job->settings[i].value));
	AUTO(text) char *point = job_point(job);
	return json_pack("{s:s, s:s, s:s, s:o, s:o, s:f}", "workload", job->workload, "point",
			 point, "subject", job->subject, "parameters", arguments, "settings",
			 settings, "estimate_s", clock_seconds(plan_run_ns(plan, index)));
}

/* What was not said (the effect, alpha, an end in time) is null. */
static json_t *stopping_json(const struct plan *plan)
{
	const struct stopping *stopping = &plan->stopping;
	return json_pack("{s:b, s:I, s:o, s:o, s:o, s:b}", "until_decided", stopping->until_decided,
			 "runs_max", (json_int_t)stopping->runs_max, "time_max_s",
			 stopping->time_max_ns > 0 ? json_real(clock_seconds(stopping->time_max_ns))
						   : json_null(),
			 "effect_percent",
			 stopping->effect_percent > 0 ? json_real(stopping->effect_percent)
						      : json_null(),
			 "alpha", stopping->alpha > 0 ? json_real(stopping->alpha) : json_null(),
			 "warm_up_block", plan->warm_up);
}

static int print_json(const struct plan *plan)
{
	json_t *jobs = json_array();
	json_t *runs = json_array();
	for (size_t i = 0; i < plan->n_jobs; i++)
		(void)json_array_append_new(jobs, job_json(plan, i));
	for (size_t i = 0; i < plan->n_runs; i++)
		(void)json_array_append_new(runs,
					    json_pack("{s:i, s:i}", "job", (int)plan->runs[i].job,
						      "block", (int)plan->runs[i].block));
	return say_json(json_pack("{s:I, s:f, s:o, s:o, s:o}", "seed", (json_int_t)plan->seed,
				  "estimate_s", clock_seconds(estimate(plan)), "stopping",
				  stopping_json(plan), "jobs", jobs, "runs", runs));
}

int plan_show(const struct plan *plan, bool json)
{
	if (json)
		return print_json(plan);
	if (count_blocks(plan) > BLOCKS_MAX)
		print_summary(plan); /* The one below has left the screen's top far behind. */
	if (plan->question)
		(void)printf("question: %s\n", plan->question);
	(void)printf("points:\n");
	for (size_t p = 0; p < plan->n_points; p++)
		print_point(plan, p);
	(void)printf("subjects:\n");
	for (size_t s = 0; s < plan->n_subjects; s++)
		print_settings(plan->jobs[s]);
	print_stopping(plan);
	(void)printf("order (seed %" PRIu64 "):\n", plan->seed);
	print_order(plan);
	print_summary(plan);
	return say_done(EXIT_NO_REGRESSION);
}
