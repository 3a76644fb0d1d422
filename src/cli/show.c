/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `assay show`: one run. The scores and what is unusual first; a run has many hundred readings, which
 * come when they are asked for.
 */
#include "base/mem.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/leftovers.h"
#include "cli/paths.h"
#include "cli/say.h"
#include "cli/show_json.h"
#include "cli/show_series.h"
#include "experiment/plan.h"
#include "report/describe.h"
#include "report/report.h"
#include "store/store.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define LOG_LINES_SHOWN 20 /* Of a run that failed. */

/* A pure number has no unit to show. */
static const char *unit_shown(const char *unit)
{
	return text_equal(unit, "1") ? "" : unit;
}

static void print_value(const struct measured *measured)
{
	char number[32];
	switch (measured->value.state) {
	case VALUE_KNOWN:
		report_number(measured->value.number, number, sizeof(number));
		(void)printf("  %-52s %14s %s\n", measured->metric.name, number,
			     unit_shown(measured->metric.unit));
		break;
	case VALUE_MISSING:
		(void)printf("  %-52s %14s (%s)\n", measured->metric.name, "missing",
			     missing_text(measured->value.why));
		break;
	case VALUE_NOT_APPLICABLE:
	case VALUE_STATE_COUNT:
		(void)printf("  %-52s %14s\n", measured->metric.name, "does not apply");
		break;
	}
}

static void print_role(const struct run *run, enum metric_role role, const char *title,
		       const char *pattern)
{
	bool titled = false;
	for (size_t i = 0; i < run->n_metrics; i++) {
		const struct measured *measured = &run->metrics[i];
		if (measured->metric.role != role || !text_matches(measured->metric.name, pattern))
			continue;
		if (!titled)
			(void)printf("%s\n", title);
		titled = true;
		print_value(measured);
	}
}

static void print_silent_monitors(const struct run *run)
{
	for (size_t i = 0; i < run->n_costs; i++)
		if (run->costs[i].absent_reason)
			(void)printf("  monitor %s gave nothing: %s\n", run->costs[i].monitor,
				     run->costs[i].absent_reason);
}

static void print_metrics(const struct run *run, const char *pattern)
{
	print_role(run, ROLE_SCORE, "scores", pattern);
	print_role(run, ROLE_RESTATED, "scores in other units", pattern);
	print_role(run, ROLE_EVIDENCE, "evidence", pattern);
	print_role(run, ROLE_COST, "cost of measuring", pattern);
	print_silent_monitors(run);
}

/* Readings that are 0 on a machine that is left alone. */
static const struct {
	const char *metric;
	const char *means;
} disturbances[] = {
	{ "mpstat.cpu.all.steal%", "the hypervisor gave CPU time to others" },
	{ "proc-vmstat.oom_kill", "the kernel ended processes for want of memory" },
	{ "proc-vmstat.pswpin", "pages came back from swap" },
	{ "proc-vmstat.pswpout", "pages went to swap" },
};

static size_t count_missing(const struct run *run)
{
	size_t n = 0;
	for (size_t i = 0; i < run->n_metrics; i++)
		n += run->metrics[i].value.state == VALUE_MISSING;
	return n;
}

static bool is_disturbed(const struct run *run, size_t index, struct value *ret_value)
{
	const struct measured *measured = run_metric_find(run, disturbances[index].metric);
	if (!measured || !value_is_known(measured->value) || !(measured->value.number > 0.0))
		return false;
	*ret_value = measured->value;
	return true;
}

static void print_unusual(const struct run *run)
{
	const size_t n_missing = count_missing(run);
	struct value value;
	bool any = n_missing > 0;
	for (size_t i = 0; i < ARRAY_SIZE(disturbances); i++)
		any |= is_disturbed(run, i, &value);
	for (size_t i = 0; i < run->n_costs; i++)
		any |= run->costs[i].absent_reason != NULL;
	if (!any)
		return;
	(void)puts("unusual");
	for (size_t i = 0; i < ARRAY_SIZE(disturbances); i++) {
		char number[32];
		if (!is_disturbed(run, i, &value))
			continue;
		report_number(value.number, number, sizeof(number));
		(void)printf("  %s is %s: %s\n", disturbances[i].metric, number,
			     disturbances[i].means);
	}
	print_silent_monitors(run);
	if (n_missing)
		(void)printf("  %zu metric%s missing\n", n_missing,
			     n_missing == 1 ? " is" : "s are");
}

static size_t count_lines(const char *text)
{
	size_t n = 0;
	for (const char *at = text; *at; at++)
		n += *at == '\n' || at[1] == '\0';
	return n;
}

/* A run that failed has the reason in the last lines of its log. */
static void print_end_of_log(const struct run *run)
{
	const size_t n_lines = count_lines(run->log);
	const char *from = run->log;
	for (size_t i = LOG_LINES_SHOWN; i < n_lines; i++)
		from = strchr(from, '\n') + 1;
	(void)printf("%s of the log\n%s%s", n_lines > LOG_LINES_SHOWN ? "last lines" : "all", from,
		     text_ends_with(from, "\n") ? "" : "\n");
}

/* What the short form leaves out, and how to have it. */
static void print_rest(const struct run *run)
{
	size_t n_evidence = 0;
	for (size_t i = 0; i < run->n_metrics; i++)
		n_evidence += run->metrics[i].metric.role == ROLE_EVIDENCE;
	const size_t n_lines = count_lines(run->log);
	(void)printf(
		"not shown: %zu reading%s of monitors (--all, or a PATTERN of their names), %zu "
		"value%s of the environment (--environment), %zu line%s of log (--log)\n",
		n_evidence, n_evidence == 1 ? "" : "s", run->n_facts, run->n_facts == 1 ? "" : "s",
		n_lines, n_lines == 1 ? "" : "s");
}

/* Scores, cost, what is unusual, and counts of all else. */
static void print_short(const struct run *run)
{
	print_role(run, ROLE_SCORE, "scores", /* pattern= */ NULL);
	print_role(run, ROLE_RESTATED, "scores in other units", /* pattern= */ NULL);
	print_role(run, ROLE_COST, "cost of measuring", "assay.cost.total_*");
	print_unusual(run);
	if (run->outcome != RUN_COMPLETE && *run->log)
		print_end_of_log(run);
	print_rest(run);
}

static void print_facts(const struct run *run, const char *pattern)
{
	bool titled = false;
	for (size_t i = 0; i < run->n_facts; i++) {
		const struct fact *fact = &run->facts[i];
		if (!text_matches(fact->name, pattern))
			continue;
		if (!titled)
			(void)puts("environment");
		titled = true;
		if (fact->state == VALUE_KNOWN)
			(void)printf("  %-44s %s\n", fact->name, fact->text);
		else if (fact->state == VALUE_MISSING)
			(void)printf("  %-44s missing (%s)\n", fact->name, missing_text(fact->why));
		else
			(void)printf("  %-44s does not apply\n", fact->name);
	}
}

static void print_head(const struct run_row *row, const struct run *run)
{
	const struct value seconds = run_window_seconds(run);
	(void)printf("run %" PRId64 " of campaign %s: subject %s, ", row->id, row->campaign_name,
		     row->subject);
	if (row->block < PLAN_WARM_UP_BLOCK)
		(void)printf("block %" PRIu32 "\n", row->block);
	else
		(void)puts("a warm-up block, never judged");
	(void)printf("%s\n", row->point);
	for (size_t i = 0; i < row->job->n_settings; i++)
		(void)printf("  %s%s%s=%s\n", setting_kind_text(row->job->settings[i].kind),
			     *row->job->settings[i].key ? "." : "", row->job->settings[i].key,
			     row->job->settings[i].value);
	(void)printf("outcome: %s%s%s\n", run_outcome_text(run->outcome), *run->reason ? ": " : "",
		     run->reason);
	if (value_is_known(seconds))
		(void)printf("measured window: %.6f s\n", seconds.number);
	const struct run *const runs[] = { run };
	const struct compared_side side = { .job = row->job, .runs = runs, .n_runs = 1 };
	AUTO(text) char *machine = describe_machine(&side);
	(void)printf("machine: %s\n", machine);
	(void)printf("probe %s, isolation %s, %zu worker%s\n", run->probe_version, run->isolation,
		     run->n_workers, run->n_workers == 1 ? "" : "s");
}

static void print_run(const struct run_row *row, const struct run *run, const struct parsed *parsed)
{
	const char *pattern = parsed->n_words > 1 ? parsed->words[1] : NULL;
	if (options_has(parsed, "log")) {
		(void)fputs(run->log, stdout);
		return;
	}
	if (options_has(parsed, "series")) {
		show_series(run, pattern);
		return;
	}
	const bool is_all = options_has(parsed, "all") || pattern;
	print_head(row, run);
	if (is_all)
		print_metrics(run, pattern);
	if (is_all || options_has(parsed, "environment"))
		print_facts(run, pattern);
	if (!is_all && !options_has(parsed, "environment"))
		print_short(run);
	if (is_all && *run->log && !pattern)
		(void)printf("log\n%s%s", run->log, text_ends_with(run->log, "\n") ? "" : "\n");
}

static int run(const struct parsed *parsed)
{
	struct error err = { 0 };
	int64_t id = 0;
	if (parsed->n_words < 1 || parsed->n_words > 2)
		return say_usage("show which run? 'assay runs' lists them");
	const char *word = parsed->words[0];
	if (!text_parse_i64(text_starts_with(word, "run:") ? word + 4 : word, &id) || id < 1)
		return say_usage("'%s' is not a run number ('assay runs' lists them)", word);
	leftovers_warn();
	AUTO(store) struct store *store = NULL;
	AUTO(run) struct run *found = NULL;
	struct run_row row = { 0 };
	int failed = paths_store_open(parsed, /* create= */ false, &store, &err);
	if (failed)
		return say_error(failed, &err);
	failed = store_run_get(store, id, options_has(parsed, "series"), &found, &row, &err);
	if (failed)
		return say_error(failed == -ENOENT ? -EINVAL : failed, &err);
	int code = EXIT_NO_REGRESSION;
	if (options_has(parsed, "json"))
		code = say_json(show_json(&row, found));
	else
		print_run(&row, found, parsed);
	run_row_done(&row);
	return say_done(code);
}

static const struct option_row options[] = {
	{ .name = "all", .letter = 'a', .what = "also every reading, the environment and the log" },
	{ .name = "environment", .letter = 'e', .what = "the environment instead of the scores" },
	{ .name = "log", .what = "only what the workload and the probe said" },
	{ .name = "series", .what = "the raw samples of the monitors over time, as CSV" },
	OPTION_JSON,
	OPTION_STORE,
	{ 0 },
};

const struct command_row command_show = {
	.name = "show",
	.words = "RUN [PATTERN]",
	.what = "show one run: scores, what is unusual; metrics, environment, log, series",
	.options = options,
	.run = run,
	.completes = "run",
};
