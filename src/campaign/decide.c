/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks at points. See decide.h. */
#include "campaign/decide.h"

#include "base/mem.h"
#include "base/text.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Points whose runs stay in memory between looks; with more of them only the last one's do. */
#define POINTS_KEPT_MAX 4

struct kept { /* A run that was read. */
	int64_t id;
	struct run *run;
};

struct point {
	bool over;
	struct kept *kept; /* In the order of the store. */
	size_t n_kept;
};

struct look { /* What the last comparison borrows. */
	struct compared_side *sides;
	const struct run **runs; /* Of all sides, one behind the other. */
	struct run_place *places;
	struct comparison *comparison;
};

struct decide {
	struct decide_source source;
	struct point *points;
	size_t last; /* The point that the look is of; n_points before the first. */
	struct look look;
	size_t family; /* 0 = not counted yet. */
};

struct decide *decide_new(const struct decide_source *source)
{
	struct decide *decide = mem_zero(sizeof(*decide));

	decide->source = *source;
	decide->points = mem_array(source->plan->n_points, sizeof(*decide->points));
	decide->last = source->plan->n_points;
	return decide;
}

static void look_done(struct look *look)
{
	comparison_free(look->comparison);
	free(look->sides);
	free(look->runs);
	free(look->places);
	*look = (struct look) { 0 };
}

static void point_done(struct point *point)
{
	for (size_t i = 0; i < point->n_kept; i++)
		run_free(point->kept[i].run);
	free(point->kept);
	point->kept = NULL;
	point->n_kept = 0;
}

void decide_free(struct decide *decide)
{
	if (!decide)
		return;
	look_done(&decide->look);
	for (size_t i = 0; i < decide->source.plan->n_points; i++)
		point_done(&decide->points[i]);
	free(decide->points);
	free(decide);
}

bool decide_is_over(const struct decide *decide, size_t point)
{
	assert(point < decide->source.plan->n_points);
	return decide->points[point].over;
}

const struct comparison *decide_comparison(const struct decide *decide)
{
	return decide->look.comparison;
}

struct run_place decide_place(const struct run_row *row)
{
	const uint64_t campaign = (uint64_t)row->campaign << 32;

	return (struct run_place) { .block = campaign | row->block,
				    .sequence = campaign | row->sequence };
}

int64_t decide_campaign(const struct run_place *place)
{
	return (int64_t)(place->block >> 32);
}

/* ---- the rule ---- */

/* Scores of one run that are there or should be. */
static size_t count_scores_of_run(const struct run *run)
{
	size_t n = 0;

	for (size_t i = 0; i < run->n_metrics; i++)
		n += run->metrics[i].metric.role == ROLE_SCORE &&
		     run->metrics[i].value.state != VALUE_NOT_APPLICABLE;
	return n;
}

static size_t count_scores_of_row(const struct plugin *plugin)
{
	size_t n = 0;

	for (const struct metric *metric = plugin ? plugin->metrics : NULL; metric && metric->name;
	     metric++)
		n += metric->role == ROLE_SCORE;
	return n;
}

static const struct job *base_of(const struct plan *plan, size_t point)
{
	return plan->jobs[point * plan->n_subjects];
}

static int list_point(const struct decide_source *source, size_t point, struct run_row **ret_rows,
		      size_t *ret_n, struct error *err)
{
	AUTO(text) char *name = job_point(base_of(source->plan, point));
	const struct run_query query = { .campaign = source->campaign, .point = name };

	return store_run_list(source->store, &query, ret_rows, ret_n, err);
}

static bool is_judged(const struct plan *plan, const struct run_row *row)
{
	return row->block < PLAN_WARM_UP_BLOCK && row->sequence < plan->n_runs &&
	       !plan_is_twin(row->subject);
}

/* Scores of a point that apply, by its first complete run; else by the workload's row. */
static int count_scores(const struct decide_source *source, size_t point, size_t *ret_n,
			struct error *err)
{
	struct run_row *rows = NULL;
	size_t n_rows = 0;
	size_t first = 0;
	size_t n = 0;
	int rc = list_point(source, point, &rows, &n_rows, err);

	if (rc < 0)
		return rc;
	while (first < n_rows &&
	       (rows[first].outcome != RUN_COMPLETE || !is_judged(source->plan, &rows[first])))
		first++;
	if (first < n_rows) {
		AUTO(run) struct run *run = NULL;

		rc = store_run_get(source->store, rows[first].id, /* with_series= */ false, &run,
				   /* ret_row= */ NULL, err);
		n = rc == 0 ? count_scores_of_run(run) : 0;
	}
	run_rows_free(rows, n_rows);
	if (rc < 0)
		return rc;
	if (n == 0 && source->catalogue)
		n = count_scores_of_row(catalogue_workload_find(
			source->catalogue, base_of(source->plan, point)->workload));
	*ret_n = n > 0 ? n : 1;
	return 0;
}

int decide_family(const struct decide_source *source, size_t *ret_family, struct error *err)
{
	const size_t n_heads = source->plan->n_judged > 1 ? source->plan->n_judged - 1 : 1;
	size_t family = 0;
	int rc = 0;

	for (size_t point = 0; point < source->plan->n_points && rc == 0; point++) {
		size_t n = 0;

		rc = count_scores(source, point, &n, err);
		family += n * n_heads;
	}
	if (rc == 0)
		*ret_family = family;
	return rc;
}

void decide_rule(const struct plan *plan, size_t family, struct verdict_options *options)
{
	const struct stopping *stopping = &plan->stopping;

	if (!(options->alpha > 0.0))
		options->alpha = stopping->alpha;
	if (!(options->margin_percent > 0.0))
		options->margin_percent = stopping->effect_percent;
	options->seed = plan->seed;
	options->sequential_max = stopping->until_decided ? stopping->runs_max : 0;
	options->n_family = stopping->until_decided ? family : 0;
}

/* ---- a look ---- */

/* No block of the point was begun and is not whole, and at least one was begun. */
static bool is_whole(const struct plan *plan, size_t point, const bool *done)
{
	bool begun = false;

	for (size_t i = 0; i < plan->n_runs;) {
		const uint32_t block = plan->runs[i].block;
		const bool of_point = plan->runs[i].job / plan->n_subjects == point;
		size_t n = 0;
		size_t n_done = 0;

		for (; i < plan->n_runs && plan->runs[i].block == block; i++, n++)
			n_done += done[i];
		if (!of_point || n_done == 0)
			continue;
		if (n_done < n)
			return false;
		begun = true;
	}
	return begun;
}

/* The run from memory, else from the store. */
static int read_run(struct decide *decide, struct point *before, const struct run_row *row,
		    struct kept *ret_kept, struct error *err)
{
	ret_kept->id = row->id;
	for (size_t i = 0; i < before->n_kept; i++)
		if (before->kept[i].id == row->id && before->kept[i].run) {
			ret_kept->run = before->kept[i].run;
			before->kept[i].run = NULL;
			return 0;
		}
	return store_run_get(decide->source.store, row->id, /* with_series= */ false,
			     &ret_kept->run, /* ret_row= */ NULL, err);
}

/* Brings the runs of the rows into memory; runs of no row any more are let go. */
static int read_runs(struct decide *decide, struct point *point, const struct run_row *rows,
		     size_t n_rows, struct error *err)
{
	struct point before = *point;
	int rc = 0;

	point->kept = mem_array(n_rows, sizeof(*point->kept));
	point->n_kept = 0;
	for (size_t i = 0; i < n_rows && rc == 0; i++) {
		if (!is_judged(decide->source.plan, &rows[i]))
			continue;
		rc = read_run(decide, &before, &rows[i], &point->kept[point->n_kept], err);
		point->n_kept += rc == 0;
	}
	point_done(&before);
	return rc;
}

/* Sides of the runs that were read, in the order of the plan's subjects. False when a subject has
 * fewer complete runs than `least`. */
static bool fill_sides(struct decide *decide, size_t index, const struct run_row *rows,
		       size_t n_rows, size_t least)
{
	const struct plan *plan = decide->source.plan;
	const struct point *point = &decide->points[index];
	struct look *look = &decide->look;
	bool enough = true;
	size_t at = 0;

	look->sides = mem_array(plan->n_judged, sizeof(*look->sides));
	look->runs = mem_array(point->n_kept, sizeof(*look->runs));
	look->places = mem_array(point->n_kept, sizeof(*look->places));
	for (size_t s = 0; s < plan->n_judged; s++) {
		const struct job *job = plan->jobs[index * plan->n_subjects + s];
		const size_t first = at;
		size_t n_complete = 0;
		size_t kept = 0;

		for (size_t i = 0; i < n_rows; i++) {
			if (!is_judged(plan, &rows[i]))
				continue;
			const struct run *run = point->kept[kept++].run;

			if (!text_equal(rows[i].subject, job->subject))
				continue;
			n_complete += run->outcome == RUN_COMPLETE;
			look->places[at] = decide_place(&rows[i]);
			look->runs[at++] = run;
		}
		look->sides[s] = (struct compared_side) { .name = job->subject,
							  .job = job,
							  .runs = look->runs + first,
							  .n_runs = at - first,
							  .places = look->places + first };
		enough = enough && n_complete >= least;
	}
	return enough;
}

static bool has_runs(const struct look *look, size_t n_sides)
{
	for (size_t s = 0; s < n_sides; s++)
		if (look->sides[s].n_runs == 0)
			return false;
	return true;
}

/* Compares what fill_sides found. Sides that may not be compared are no failure of the campaign: it
 * goes on, and the comparison at its end says why. */
static int compare(struct decide *decide, struct error *err)
{
	const struct decide_source *source = &decide->source;
	struct look *look = &decide->look;
	struct verdict_options options = { 0 };
	int rc = 0;

	if (source->plan->stopping.until_decided && decide->family == 0)
		rc = decide_family(source, &decide->family, err);
	if (rc < 0)
		return rc;
	if (source->know)
		source->know(look->sides, source->plan->n_judged, &options, source->user);
	decide_rule(source->plan, decide->family, &options);
	rc = comparison_make(look->sides, source->plan->n_judged, &options, &look->comparison, err);
	return rc == -EINVAL ? 0 : rc;
}

/* Lets go what the last look held, and runs that will not be asked for soon. */
static void leave_last(struct decide *decide, size_t next)
{
	const size_t n_points = decide->source.plan->n_points;

	look_done(&decide->look);
	if (decide->last < n_points && decide->last != next &&
	    (decide->points[decide->last].over || n_points > POINTS_KEPT_MAX))
		point_done(&decide->points[decide->last]);
	decide->last = next;
}

int decide_look(struct decide *decide, size_t index, const bool *done, struct error *err)
{
	const struct plan *plan = decide->source.plan;
	struct point *point = &decide->points[index];
	struct run_row *rows = NULL;
	size_t n_rows = 0;

	assert(index < plan->n_points);
	if (plan->n_judged < 2 || point->over || !is_whole(plan, index, done))
		return 0;
	leave_last(decide, index);
	int rc = list_point(&decide->source, index, &rows, &n_rows, err);

	if (rc == 0)
		rc = read_runs(decide, point, rows, n_rows, err);
	if (rc == 0) {
		const bool may_be_over =
			fill_sides(decide, index, rows, n_rows, EXPERIMENT_FIRST_LOOK) &&
			plan->stopping.until_decided;

		if (has_runs(&decide->look, plan->n_judged))
			rc = compare(decide, err);
		point->over = rc == 0 && may_be_over && decide->look.comparison &&
			      comparison_is_decided(decide->look.comparison);
	}
	run_rows_free(rows, n_rows);
	return rc;
}
