/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From an experiment to jobs and an order of runs. See plan.h. */
#include "experiment/plan.h"

#include "base/clock.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/random.h"
#include "base/text.h"
#include "experiment/blocks.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define OVERHEAD_NS (NS_PER_SEC / 2)
#define FIXED_WORK_NS (5 * NS_PER_SEC)
#define LIMIT_ADDED_NS (30 * NS_PER_SEC)
#define LIMIT_TIMES 10
/* Nobody knows beforehand how long a fixed amount of work takes: too short a limit would make a
 * failure of a long run. */
#define FIXED_WORK_LIMIT_NS (600 * NS_PER_SEC)

struct making {
	const struct experiment *experiment;
	const struct catalogue *catalogue;
	const struct machine *machine;
	struct plan *plan;
	size_t job_capacity;
	struct points *points; /* Those that have been planned. */
	struct error *err;     /* Never NULL. */
};

void plan_free(struct plan *plan)
{
	if (!plan)
		return;
	for (size_t i = 0; i < plan->n_jobs; i++)
		job_free(plan->jobs[i]);
	free(plan->jobs);
	for (size_t i = 0; i < plan->n_better; i++)
		free(plan->better[i].metric);
	free(plan->better);
	free(plan->runs);
	free(plan->measured_ns);
	free(plan->name);
	free(plan->question);
	free(plan);
}

/* ---- arguments ---- */

static int evaluate(const struct making *making, const struct parameter *parameter,
		    const char *text, char **ret_value)
{
	uint64_t number = 0;
	unsigned column;
	if (parameter->type != PARAMETER_NUMBER) {
		*ret_value = mem_text(text);
		return 0;
	}
	const int answer = machine_evaluate(making->machine, text, parameter->percent_of_cpus,
					    &number, &column, making->err);
	if (answer < 0)
		return error_at(making->err, "%s=%s, character %u", parameter->name, text,
				column + 1);
	if (number < parameter->min || number > parameter->max)
		return error_set(making->err, EINVAL,
				 "%s=%s is %" PRIu64 " on this machine, it must be %" PRIu64
				 " to %" PRIu64,
				 parameter->name, text, number, parameter->min, parameter->max);
	*ret_value = mem_format("%" PRIu64, number);
	return 0;
}

static int add_argument(const struct making *making, struct job *job,
			const struct parameter *parameter, const char *text)
{
	char *value = NULL;
	const int answer = evaluate(making, parameter, text, &value);
	if (answer < 0)
		return answer;
	job->arguments[job->n_arguments++] = (struct argument) {
		.name = mem_text(parameter->name),
		.value = value,
		.text = mem_text(text),
	};
	return 0;
}

static int argument_order(const void *left, const void *right)
{
	const struct argument *one = left;
	const struct argument *other = right;
	return strcmp(one->name, other->name);
}

/* What the subject itself says of the parameter, or NULL. */
static const char *param_of(const struct subject *subject, const struct plugin *plugin,
			    const struct parameter *parameter)
{
	for (size_t i = 0; i < subject->n_settings; i++)
		if (subject->settings[i].kind == SETTING_PARAM &&
		    plugin_parameter_find(plugin, subject->settings[i].key) == parameter)
			return subject->settings[i].value;
	return NULL;
}

/* The value that the matrix has chosen, else the preset, else NULL. */
static const char *chosen(const struct selected *selected, const size_t *choice,
			  const struct parameter *parameter)
{
	for (size_t i = 0; i < selected->n_values; i++)
		if (text_equal(selected->values[i].name, parameter->name))
			return selected->values[i].texts[choice[i]];
	return parameter->preset;
}

static size_t count_parameters(const struct plugin *plugin)
{
	size_t n = 0;
	while (plugin->parameters && plugin->parameters[n].name)
		n++;
	return n;
}

/* ---- one job ---- */

struct point { /* One choice of the matrix. */
	const struct selected *selected;
	const struct plugin *plugin;
	size_t *choice; /* Owned; one a dimension. */
};

static void add_all_monitors(const struct catalogue *catalogue, const struct plugin *workload,
			     struct job *job)
{
	job->monitors = mem_array(catalogue->n_monitors, sizeof(char *));
	for (size_t i = 0; i < catalogue->n_monitors; i++)
		if (catalogue_is_beside(workload, catalogue->monitors[i]))
			job->monitors[job->n_monitors++] = mem_text(catalogue->monitors[i]->name);
}

static void add_monitors(const struct making *making, const struct plugin *workload,
			 struct job *job)
{
	const struct experiment *experiment = making->experiment;
	if (experiment->n_monitors == 0) {
		add_all_monitors(making->catalogue, workload, job);
		return;
	}
	job->monitors = mem_array(experiment->n_monitors, sizeof(char *));
	if (text_equal(experiment->monitors[0], "none"))
		return;
	for (size_t i = 0; i < experiment->n_monitors; i++)
		job->monitors[job->n_monitors++] = mem_text(experiment->monitors[i]);
}

static void add_settings(const struct subject *subject, struct job *job)
{
	job->settings = mem_array(subject->n_settings, sizeof(*job->settings));
	for (; job->n_settings < subject->n_settings; job->n_settings++)
		job->settings[job->n_settings] = (struct setting) {
			.kind = subject->settings[job->n_settings].kind,
			.key = mem_text(subject->settings[job->n_settings].key),
			.value = mem_text(subject->settings[job->n_settings].value),
		};
}

static struct job *job_of(const struct making *making, const struct point *point)
{
	struct job *job = job_new();
	job->workload = mem_text(point->plugin->name);
	job->place = mem_text(making->experiment->place);
	job->interval_ns = making->experiment->interval_ns;
	job->arguments = mem_array(count_parameters(point->plugin), sizeof(*job->arguments));
	return job;
}

static uint64_t limit_of(const struct experiment *experiment, const struct job *job)
{
	if (experiment->time_limit_ns > 0)
		return experiment->time_limit_ns;
	if (!job_argument(job, "duration"))
		return FIXED_WORK_LIMIT_NS;
	return LIMIT_ADDED_NS + LIMIT_TIMES * plan_estimate_ns(job);
}

static int make_job(const struct making *making, const struct point *point,
		    const struct subject *subject, struct job **ret_job)
{
	AUTO(job) struct job *job = job_of(making, point);
	for (size_t i = 0; i < count_parameters(point->plugin); i++) {
		const struct parameter *parameter = &point->plugin->parameters[i];
		const char *text = param_of(subject, point->plugin, parameter);
		if (!text)
			text = chosen(point->selected, point->choice, parameter);
		assert(text); /* experiment_check has seen to it. */
		const int answer = add_argument(making, job, parameter, text);
		if (answer < 0)
			return answer;
	}
	qsort(job->arguments, job->n_arguments, sizeof(*job->arguments), argument_order);
	const char *by = point->plugin->semantics_by;
	job->semantics = plugin_semantics(point->plugin, by ? job_argument(job, by) : NULL);
	job->subject = mem_text(subject->name);
	add_settings(subject, job);
	add_monitors(making, point->plugin, job);
	job->time_limit_ns = limit_of(making->experiment, job);
	*ret_job = KEEP(job);
	return 0;
}

/* ---- points ---- */

static bool is_varied(const struct making *making, const struct point *point,
		      const struct parameter *parameter)
{
	for (size_t i = 0; i < making->experiment->n_subjects; i++)
		if (param_of(&making->experiment->subjects[i], point->plugin, parameter))
			return true;
	return false;
}

/* A point as a job without a subject: what the matrix says, without the parameters that a subject
 * varies (of those the matrix has one value at most, so points stay apart). */
static int make_point_job(const struct making *making, const struct point *point,
			  struct job **ret_job)
{
	AUTO(job) struct job *job = job_of(making, point);
	for (size_t i = 0; i < count_parameters(point->plugin); i++) {
		const struct parameter *parameter = &point->plugin->parameters[i];
		if (is_varied(making, point, parameter))
			continue;
		const char *text = chosen(point->selected, point->choice, parameter);
		const int answer = add_argument(making, job, parameter, text);
		if (answer < 0)
			return answer;
	}
	qsort(job->arguments, job->n_arguments, sizeof(*job->arguments), argument_order);
	*ret_job = KEEP(job);
	return 0;
}

/* What makes two points equal: the numbers, not the way in which they were written. */
static char *point_key(const struct job *job)
{
	struct text key = { 0 };
	text_add(&key, "%s", job->workload);
	for (size_t i = 0; i < job->n_arguments; i++)
		text_add(&key, "\n%s=%s", job->arguments[i].name, job->arguments[i].value);
	return text_take(&key);
}

struct points {
	char **keys; /* Sorted. */
	size_t n;
	size_t capacity;
};

static inline void auto_release_points(struct points *points)
{
	for (size_t i = 0; i < points->n; i++)
		free(points->keys[i]);
	free(points->keys);
}

/* Takes the key; false when it is there already. */
static bool points_take(struct points *points, char *key)
{
	size_t low = 0;
	size_t high = points->n;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const int by = strcmp(points->keys[middle], key);
		if (by == 0) {
			free(key);
			return false;
		}
		if (by < 0)
			low = middle + 1;
		else
			high = middle;
	}
	points->keys = mem_grow(points->keys, &points->capacity, points->n + 1, sizeof(char *));
	memmove(points->keys + low + 1, points->keys + low, (points->n - low) * sizeof(char *));
	points->keys[low] = key;
	points->n++;
	return true;
}

static void take_job(struct making *making, struct job *job)
{
	struct plan *plan = making->plan;
	plan->jobs =
		mem_grow(plan->jobs, &making->job_capacity, plan->n_jobs + 1, sizeof(struct job *));
	plan->jobs[plan->n_jobs++] = job;
}

static struct job *twin_of(const struct job *base)
{
	struct job *twin = job_copy(base);
	free(twin->subject);
	twin->subject = mem_format("%s%s", base->subject, PLAN_TWIN_SUFFIX);
	return twin;
}

bool plan_is_twin(const char *subject)
{
	return text_ends_with(subject, PLAN_TWIN_SUFFIX);
}

/* The jobs of all subjects at one point, unless the point has been there in other words. */
static int add_point(struct making *making, const struct point *point)
{
	AUTO(job) struct job *point_job = NULL;
	const int answer = make_point_job(making, point, &point_job);
	if (answer < 0)
		return answer;
	if (!points_take(making->points, point_key(point_job)))
		return 0;
	making->plan->n_points++;
	for (size_t i = 0; i < making->experiment->n_subjects; i++) {
		const struct subject *subject = &making->experiment->subjects[i];
		struct job *job = NULL;
		if (make_job(making, point, subject, &job) < 0)
			return error_at(making->err, "subject '%s'", subject->name);
		job->point = job_point(point_job);
		take_job(making, job);
	}
	if (making->plan->n_subjects > making->plan->n_judged)
		take_job(
			making,
			twin_of(making->plan->jobs[making->plan->n_jobs - making->plan->n_judged]));
	return 0;
}

/* The next choice, last dimension fastest; false behind the last one. */
static bool advance(const struct point *point)
{
	for (size_t i = point->selected->n_values; i-- > 0;) {
		if (++point->choice[i] < point->selected->values[i].n_texts)
			return true;
		point->choice[i] = 0;
	}
	return false;
}

static int add_selected(struct making *making, const struct selected *selected)
{
	AUTO(text) char *block = mem_array(selected->n_values, sizeof(size_t));
	const struct point point = {
		.selected = selected,
		.plugin = catalogue_workload_find(making->catalogue, selected->workload),
		.choice = (size_t *)(void *)block,
	};
	int answer;
	do
		answer = add_point(making, &point);
	while (answer == 0 && advance(&point));
	return answer < 0 ? error_at(making->err, "workload '%s'", selected->workload) : 0;
}

/* ---- the whole ---- */

static void copy_better(const struct experiment *experiment, struct plan *plan)
{
	plan->better = mem_array(experiment->n_better, sizeof(*plan->better));
	for (; plan->n_better < experiment->n_better; plan->n_better++)
		plan->better[plan->n_better] = (struct better) {
			.metric = mem_text(experiment->better[plan->n_better].metric),
			.higher = experiment->better[plan->n_better].higher,
		};
}

static uint64_t draw_seed(void)
{
	uint64_t seed;
	do
		seed = random_seed_from_system();
	while (seed == 0); /* 0 asks for a drawn one. */
	return seed;
}

int plan_make(const struct experiment *experiment, const struct catalogue *catalogue,
	      const struct machine *machine, struct plan **ret_plan, struct error *err)
{
	struct error own = { 0 };
	struct error *why = err ? err : &own;
	int answer = experiment_check(experiment, catalogue, why);
	if (answer < 0)
		return answer;
	AUTO(plan) struct plan *plan = mem_zero(sizeof(*plan));
	struct points points AUTO(points) = { 0 };
	struct making making = { .experiment = experiment,
				 .catalogue = catalogue,
				 .machine = machine,
				 .plan = plan,
				 .points = &points,
				 .err = why };
	plan->n_judged = experiment->n_subjects;
	plan->n_subjects = plan->n_judged + (experiment->aa_percent > 0.0);
	plan->stopping = experiment_stopping(experiment);
	plan->warm_up = experiment->warm_up_block;
	copy_better(experiment, plan);
	plan->seed = experiment->seed ? experiment->seed : draw_seed();
	plan->name = mem_text(experiment->name);
	plan->question = mem_text(experiment->question);
	for (size_t i = 0; i < experiment->n_selected; i++) {
		answer = add_selected(&making, &experiment->selected[i]);
		if (answer < 0)
			return answer;
	}
	assert(plan->n_jobs == plan->n_points * plan->n_subjects);
	blocks_draw(plan, experiment->aa_percent);
	*ret_plan = KEEP(plan);
	return 0;
}

/* Nanoseconds of an argument in seconds; 0 when there is none. */
static uint64_t seconds_of(const struct job *job, const char *name)
{
	const char *value = job_argument(job, name);
	double seconds;
	if (!value || !text_parse_f64(value, &seconds) || !(seconds >= 0 && seconds < 1e9))
		return 0;
	return (uint64_t)(seconds * 1e9);
}

uint64_t plan_estimate_ns(const struct job *job)
{
	if (!job_argument(job, "duration"))
		return FIXED_WORK_NS + OVERHEAD_NS;
	return seconds_of(job, "warmup") + seconds_of(job, "duration") + OVERHEAD_NS;
}

uint64_t plan_run_ns(const struct plan *plan, size_t job)
{
	assert(job < plan->n_jobs);
	if (plan->measured_ns && plan->measured_ns[job] > 0)
		return plan->measured_ns[job];
	return plan_estimate_ns(plan->jobs[job]);
}
