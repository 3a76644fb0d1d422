/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the sweep that a point belongs to, and divides. See sweep.h. */
#include "verdict/sweep.h"

#include "base/mem.h"
#include "base/text.h"
#include "stats/ratio.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SWEPT "nr_task"
#define RATE_ENDING ".workload"
#define RATE_ENDING_OTHER ".throughput" /* As ebizzy has it. */
#define IDLE_METRIC "mpstat.cpu.all.idle%"

bool sweep_is_rate(const char *metric)
{
	return text_ends_with(metric, RATE_ENDING) || text_ends_with(metric, RATE_ENDING_OTHER);
}

const char *sweep_reason(enum scaling_state state)
{
	switch (state) {
	case SCALING_NO_SWEEP:
		return "nothing was measured that differs in " SWEPT " only";
	case SCALING_NO_BASE:
		return "the sweep has no complete run with " SWEPT "=1";
	case SCALING_NO_RATE:
		return "no complete run has a rate";
	case SCALING_KNOWN:
	case SCALING_STATE_COUNT:
		break;
	}
	return "";
}

/* 0 when the workload has no such parameter. */
static uint64_t tasks_of(const struct job *job)
{
	const char *value = job_argument(job, SWEPT);
	uint64_t tasks = 0;
	return value && text_parse_u64(value, &tasks) ? tasks : 0;
}

/* Do two jobs differ in nothing but the number of tasks? Their arguments are sorted by name. */
static bool are_of_one_sweep(const struct job *one, const struct job *other)
{
	if (!text_equal(one->workload, other->workload) || one->n_arguments != other->n_arguments)
		return false;
	for (size_t i = 0; i < one->n_arguments; i++) {
		const struct argument *mine = &one->arguments[i];
		const struct argument *yours = &other->arguments[i];
		if (!text_equal(mine->name, yours->name))
			return false;
		if (!text_equal(mine->name, SWEPT) && !text_equal(mine->value, yours->value))
			return false;
	}
	return true;
}

/* What a point of one task and a point of several come to. */
static void divide(const struct sweep_point *base, const struct sweep_point *point,
		   struct scaling *scaling)
{
	const double tasks = (double)scaling->tasks;
	assert(tasks > 0);
	scaling->state = SCALING_KNOWN;
	scaling->value = point->rate.mean / (tasks * base->rate.mean);
	if (base == point)
		return;
	const struct ratio ratio = ratio_compare(&base->rate, &point->rate, SWEEP_CONFIDENCE);
	if (!ratio.known)
		return;
	scaling->low = ratio.low / tasks;
	scaling->high = ratio.high / tasks;
}

struct scaling sweep_scaling(const struct sweep_point *points, size_t n, size_t index)
{
	assert(index < n);
	const struct sweep_point *point = &points[index];
	const struct sweep_point *base = NULL;
	struct scaling scaling = { .state = SCALING_NO_SWEEP,
				   .tasks = tasks_of(point->job),
				   .value = (double)NAN,
				   .low = (double)NAN,
				   .high = (double)NAN };
	bool is_sweep = false;
	for (size_t i = 0; i < n && scaling.tasks > 0; i++) {
		if (!are_of_one_sweep(points[i].job, point->job))
			continue;
		const uint64_t tasks = tasks_of(points[i].job);
		is_sweep |= tasks != scaling.tasks;
		if (tasks == 1 && !base && points[i].rate.n > 0)
			base = &points[i];
	}
	if (!is_sweep)
		return scaling;
	if (point->rate.n == 0)
		scaling.state = SCALING_NO_RATE;
	else if (!base || !(base->rate.mean > 0.0))
		scaling.state = SCALING_NO_BASE;
	else
		divide(scaling.tasks == 1 ? point : base, point, &scaling);
	return scaling;
}

struct sweep_point sweep_point_of(const struct comparison *comparison, size_t side)
{
	assert(side < comparison->n_sides);
	struct sweep_point point = { .job = comparison->sides[side].job,
				     .rate = summary_make(NULL, 0),
				     .idle = summary_make(NULL, 0) };
	for (size_t i = 0; i < comparison->n_rows; i++) {
		const struct row *row = &comparison->rows[i];
		if (sweep_is_rate(row->metric.name))
			point.rate = row->cells[side].summary;
		if (text_equal(row->metric.name, IDLE_METRIC))
			point.idle = row->cells[side].summary;
	}
	return point;
}

struct scaling sweep_scaling_of(const struct comparison *const *comparisons, size_t n, size_t index,
				size_t side)
{
	assert(index < n);
	/* A side keeps its name over the points; it may lack runs at some of them. */
	const char *name = comparisons[index]->sides[side].name;
	struct sweep_point *points = mem_array(n, sizeof(*points));
	size_t n_points = 0;
	size_t at = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t s = 0; s < comparisons[i]->n_sides; s++) {
			if (!text_equal(comparisons[i]->sides[s].name, name))
				continue;
			if (i == index)
				at = n_points;
			points[n_points++] = sweep_point_of(comparisons[i], s);
			break;
		}
	const struct scaling scaling = sweep_scaling(points, n_points, at);
	free(points);
	return scaling;
}
