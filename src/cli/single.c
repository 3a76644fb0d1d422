/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One subject summed up. See single.h. */
#include "cli/single.h"

#include "base/mem.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/rows.h"
#include "cli/say.h"
#include "report/report.h"
#include "stats/summary.h"
#include "verdict/sweep.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct summing { /* The runs of one point. */
	struct run **runs;
	size_t n;
	size_t n_complete;
	size_t n_failed; /* Gave no measurement, and not because a person stopped them. */
};

/* Known values of a metric over the complete runs. */
static struct summary sum_up(const struct summing *at, const char *metric)
{
	double *numbers = mem_array(at->n + 1, sizeof(*numbers));
	size_t n = 0;
	for (size_t i = 0; i < at->n; i++) {
		const struct measured *found = run_metric_find(at->runs[i], metric);
		if (at->runs[i]->outcome == RUN_COMPLETE && found && value_is_known(found->value))
			numbers[n++] = found->value.number;
	}
	const struct summary summary = summary_make(numbers, n);
	free(numbers);
	return summary;
}

static void print_score(const struct metric *metric, const struct summary *summary)
{
	char mean[32];
	char spread[64] = "deviation needs 2 runs";
	if (summary->n == 0)
		return;
	report_number(summary->mean, mean, sizeof(mean));
	const double relative = summary_relative_deviation(summary);
	if (isfinite(relative))
		(void)snprintf(spread, sizeof(spread), "± %.4g %%", relative);
	(void)printf("  %-36s %12s %-8s %s\n", metric->name, mean, metric->unit, spread);
}

static json_t *score_json(const struct metric *metric, const struct summary *summary)
{
	return json_pack("{s:s, s:s, s:I, s:o, s:o}", "name", metric->name, "unit", metric->unit,
			 "n", (json_int_t)summary->n, "mean",
			 summary->n > 0 ? json_real(summary->mean) : json_null(), "deviation",
			 summary->n > 1 ? json_real(summary->deviation) : json_null());
}

/* The last complete run with this metric says what it is; NULL when there is none. */
static const struct metric *metric_of(const struct summing *at, const char *name)
{
	for (size_t i = at->n; i > 0; i--) {
		const struct measured *found = run_metric_find(at->runs[i - 1], name);
		if (at->runs[i - 1]->outcome == RUN_COMPLETE && found)
			return &found->metric;
	}
	return NULL;
}

static bool is_listed(const struct metric *list, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(list[i].name, name) == 0)
			return true;
	return false;
}

/* The row's scores in its order, then those that only the runs know: which rows an adapter's program
 * has printed, and what --score asked for. A NULL name ends them. New array; it borrows. */
static struct metric *list_scores(const struct summing *at, const struct plugin *workload)
{
	size_t n = 0;
	size_t capacity = 0;
	struct metric *list = mem_grow(NULL, &capacity, 1, sizeof(*list));
	for (const struct metric *metric = workload ? workload->metrics : NULL;
	     metric && metric->name; metric++) {
		const struct metric *had = metric_of(at, metric->name);
		if (strchr(metric->name, '*') || (had && had->role == ROLE_EVIDENCE))
			continue;
		list = mem_grow(list, &capacity, n + 2, sizeof(*list));
		list[n++] = *metric;
	}
	for (size_t i = 0; i < at->n; i++) {
		const struct run *run = at->runs[i];
		for (size_t m = 0; run->outcome == RUN_COMPLETE && m < run->n_metrics; m++) {
			const struct metric *metric = &run->metrics[m].metric;
			if ((metric->role != ROLE_SCORE && metric->role != ROLE_RESTATED) ||
			    is_listed(list, n, metric->name))
				continue;
			list = mem_grow(list, &capacity, n + 2, sizeof(*list));
			list[n++] = *metric;
		}
	}
	list[n] = (struct metric) { 0 };
	return list;
}

static void print_point(const struct summing *at, const char *point, const struct plugin *workload)
{
	(void)printf("%s (%zu complete of %zu run%s; ± is the standard deviation over runs, %% of "
		     "mean)\n",
		     point, at->n_complete, at->n, at->n == 1 ? "" : "s");
	struct metric *scores = list_scores(at, workload);
	for (const struct metric *metric = scores; metric->name; metric++) {
		const struct summary summary = sum_up(at, metric->name);
		print_score(metric, &summary);
	}
	free(scores);
	for (size_t i = 0; i < at->n; i++)
		if (at->runs[i]->outcome != RUN_COMPLETE)
			(void)printf("  run %s: %s\n", run_outcome_text(at->runs[i]->outcome),
				     at->runs[i]->reason);
}

static json_t *point_json(const struct summing *at, const char *point,
			  const struct plugin *workload)
{
	json_t *scores = json_array();
	struct metric *listed = list_scores(at, workload);
	for (const struct metric *metric = listed; metric->name; metric++) {
		const struct summary summary = sum_up(at, metric->name);
		(void)json_array_append_new(scores, score_json(metric, &summary));
	}
	free(listed);
	return json_pack("{s:s, s:I, s:I, s:o}", "point", point, "runs", (json_int_t)at->n,
			 "complete", (json_int_t)at->n_complete, "scores", scores);
}

static int load_point(struct store *store, const struct side *side, const char *point,
		      struct summing *at, struct error *err)
{
	at->runs = mem_array(side->n_rows + 1, sizeof(struct run *));
	for (size_t i = 0; i < side->n_rows; i++) {
		if (strcmp(side->rows[i].point, point) != 0)
			continue;
		const int failed = store_run_get(store, side->rows[i].id, /* with_series= */ false,
						 &at->runs[at->n], /* ret_row= */ NULL, err);
		if (failed)
			return failed;
		const enum run_outcome outcome = at->runs[at->n]->outcome;
		at->n_complete += outcome == RUN_COMPLETE;
		at->n_failed += outcome != RUN_COMPLETE && outcome != RUN_INTERRUPTED;
		at->n++;
	}
	return 0;
}

static void summing_done(struct summing *at)
{
	for (size_t i = 0; i < at->n; i++)
		run_free(at->runs[i]);
	free(at->runs);
}

static bool is_first_of_point(const struct side *side, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (strcmp(side->rows[i].point, side->rows[index].point) == 0)
			return false;
	return true;
}

/* ---- what a sweep says ---- */

struct swept { /* The points that were printed, in order. */
	struct sweep_point *points;
	struct job **jobs;
	char **names;
	size_t n;
};

static void swept_done(struct swept *swept)
{
	for (size_t i = 0; i < swept->n; i++) {
		job_free(swept->jobs[i]);
		free(swept->names[i]);
	}
	free(swept->points);
	free(swept->jobs);
	free(swept->names);
}

static void keep_point(struct swept *swept, const struct run_row *row, const struct summing *at,
		       const struct plugin *workload)
{
	struct sweep_point *point = &swept->points[swept->n];
	swept->jobs[swept->n] = job_copy(row->job);
	swept->names[swept->n] = mem_text(row->point);
	*point = (struct sweep_point) { .job = swept->jobs[swept->n],
					.rate = summary_make(NULL, 0),
					.idle = sum_up(at, "mpstat.cpu.all.idle%") };
	for (const struct metric *metric = workload ? workload->metrics : NULL;
	     metric && metric->name; metric++)
		if (sweep_is_rate(metric->name))
			point->rate = sum_up(at, metric->name);
	swept->n++;
}

static void print_scaling(const struct sweep_point *point, const char *name,
			  const struct scaling *scaling)
{
	(void)printf("  nr_task %5" PRIu64, scaling->tasks);
	if (scaling->state == SCALING_KNOWN)
		(void)printf("  %6.3f", scaling->value);
	else
		(void)printf("  missing (%s)", sweep_reason(scaling->state));
	if (scaling->state == SCALING_KNOWN && isfinite(scaling->low))
		(void)printf("  (%.0f %% interval %.3f to %.3f)", 100 * SWEEP_CONFIDENCE,
			     scaling->low, scaling->high);
	if (point->idle.n > 0)
		(void)printf("  idle %.1f %%", point->idle.mean);
	(void)printf("  %s\n", name);
}

static void print_sweep(const struct swept *swept)
{
	bool has_title = false;
	for (size_t i = 0; i < swept->n; i++) {
		const struct scaling scaling = sweep_scaling(swept->points, swept->n, i);
		if (scaling.state == SCALING_NO_SWEEP)
			continue;
		if (!has_title)
			(void)puts("scalability (operations per second of all tasks / (tasks x "
				   "those of one task))");
		has_title = true;
		print_scaling(&swept->points[i], swept->names[i], &scaling);
	}
}

/* Null for a point that is no part of a sweep. */
static json_t *scaling_json(const struct swept *swept, size_t index)
{
	const struct scaling scaling = sweep_scaling(swept->points, swept->n, index);
	if (scaling.state == SCALING_NO_SWEEP)
		return json_null();
	if (scaling.state != SCALING_KNOWN)
		return json_pack("{s:I, s:s, s:s}", "nr_task", (json_int_t)scaling.tasks, "state",
				 "missing", "why", sweep_reason(scaling.state));
	json_t *interval = isfinite(scaling.low) ? json_pack("[f, f]", scaling.low, scaling.high)
						 : json_null();
	return json_pack("{s:I, s:s, s:f, s:f, s:o}", "nr_task", (json_int_t)scaling.tasks, "state",
			 "known", "value", scaling.value, "confidence", SWEEP_CONFIDENCE,
			 "interval", interval);
}

static void show_sweep(const struct swept *swept, bool json, json_t *list)
{
	if (!json)
		print_sweep(swept);
	for (size_t i = 0; json && i < swept->n; i++)
		(void)json_object_set_new(json_array_get(list, i), "scalability",
					  scaling_json(swept, i));
}

int single_print(struct store *store, const struct side *side, bool json, struct error *err)
{
	json_t *list = json_array();
	struct swept swept = {
		.points = mem_array(side->n_rows + 1, sizeof(*swept.points)),
		.jobs = mem_array(side->n_rows + 1, sizeof(struct job *)),
		.names = mem_array(side->n_rows + 1, sizeof(char *)),
	};
	bool whole = true; /* Every point was measured, and no run failed. */
	int failed = 0;
	for (size_t i = 0; i < side->n_rows && !failed; i++) {
		struct summing at = { 0 };
		const struct run_row *row = &side->rows[i];
		const struct plugin *workload =
			catalogue_workload_find(rows_catalogue(), row->job->workload);
		if (!is_first_of_point(side, i))
			continue;
		failed = load_point(store, side, row->point, &at, err);
		if (!failed && json)
			(void)json_array_append_new(list, point_json(&at, row->point, workload));
		else if (!failed)
			print_point(&at, row->point, workload);
		keep_point(&swept, row, &at, workload);
		whole &= at.n_complete > 0 && at.n_failed == 0;
		summing_done(&at);
	}
	if (!failed)
		show_sweep(&swept, json, list);
	const size_t n_points = swept.n;
	swept_done(&swept);
	if (failed) {
		json_decref(list);
		return say_error(failed, err);
	}
	if (json)
		(void)say_json(list);
	else
		json_decref(list);
	return say_done(n_points > 0 && whole ? EXIT_NO_REGRESSION : EXIT_CANNOT_SAY);
}
