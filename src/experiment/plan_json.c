/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A plan as JSON text and back. Reading trusts nothing: the text may come from a store that
 * somebody else has written. All numbers are exact. */
#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "experiment/plan.h"

#include <assert.h>
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT "assay-plan"
#define VERSION 2
#define VERSION_STOPPING 2 /* Since it there are a stopping rule and a twin. */

static inline void auto_release_json(json_t **json)
{
	json_decref(*json);
}

/* ---- writing ---- */

/* JSON knows UTF-8 only, which experiment_check has seen to. */
static json_t *string(const char *text)
{
	json_t *json = text ? json_string(text) : json_null();
	assert(json);
	return json;
}

static json_t *number(uint64_t number)
{
	assert(number <= INT64_MAX);
	return json_integer((json_int_t)number);
}

static void put(json_t *object, const char *key, json_t *value)
{
	const int answer = json_object_set_new(object, key, value);
	assert(answer == 0); /* It fails without memory only. */
}

static void append(json_t *array, json_t *value)
{
	const int answer = json_array_append_new(array, value);
	assert(answer == 0); /* It fails without memory only. */
}

static json_t *triple(const char *one, const char *two, const char *three)
{
	json_t *array = json_array();
	append(array, string(one));
	append(array, string(two));
	append(array, string(three));
	return array;
}

static json_t *write_job(const struct job *job)
{
	json_t *object = json_object();
	json_t *arguments = json_array();
	json_t *settings = json_array();
	json_t *monitors = json_array();
	for (size_t i = 0; i < job->n_arguments; i++)
		append(arguments, triple(job->arguments[i].name, job->arguments[i].value,
					 job->arguments[i].text));
	for (size_t i = 0; i < job->n_settings; i++)
		append(settings, triple(setting_kind_text(job->settings[i].kind),
					job->settings[i].key, job->settings[i].value));
	for (size_t i = 0; i < job->n_monitors; i++)
		append(monitors, string(job->monitors[i]));
	put(object, "workload", string(job->workload));
	put(object, "semantics", number(job->semantics));
	put(object, "subject", string(job->subject));
	put(object, "place", string(job->place));
	put(object, "point", string(job->point));
	put(object, "interval_ns", number(job->interval_ns));
	put(object, "time_limit_ns", number(job->time_limit_ns));
	put(object, "arguments", arguments);
	put(object, "settings", settings);
	put(object, "monitors", monitors);
	return object;
}

static json_t *write_run(const struct planned *run)
{
	json_t *array = json_array();
	append(array, number(run->job));
	append(array, number(run->block));
	return array;
}

static json_t *write_stopping(const struct stopping *stopping)
{
	json_t *object = json_object();
	put(object, "until_decided", json_boolean(stopping->until_decided));
	put(object, "runs_max", number(stopping->runs_max));
	put(object, "time_max_ns", number(stopping->time_max_ns));
	put(object, "effect_percent", json_real(stopping->effect_percent));
	put(object, "alpha", json_real(stopping->alpha));
	return object;
}

static json_t *write_better(const struct plan *plan)
{
	json_t *array = json_array();
	for (size_t i = 0; i < plan->n_better; i++) {
		json_t *object = json_object();
		put(object, "metric", string(plan->better[i].metric));
		put(object, "higher", json_boolean(plan->better[i].higher));
		append(array, object);
	}
	return array;
}

char *plan_to_json(const struct plan *plan)
{
	json_t *root AUTO(json) = json_object();
	json_t *jobs = json_array();
	json_t *runs = json_array();
	for (size_t i = 0; i < plan->n_jobs; i++)
		append(jobs, write_job(plan->jobs[i]));
	for (size_t i = 0; i < plan->n_runs; i++)
		append(runs, write_run(&plan->runs[i]));
	put(root, "format", string(FORMAT));
	put(root, "version", number(VERSION));
	put(root, "name", string(plan->name));
	put(root, "question", string(plan->question));
	put(root, "seed", number(plan->seed));
	put(root, "n_subjects", number(plan->n_subjects));
	put(root, "n_judged", number(plan->n_judged));
	put(root, "n_points", number(plan->n_points));
	put(root, "warm_up", json_boolean(plan->warm_up));
	put(root, "better", write_better(plan));
	put(root, "stopping", write_stopping(&plan->stopping));
	put(root, "jobs", jobs);
	put(root, "runs", runs);
	char *text = json_dumps(root, JSON_COMPACT);
	assert(text);
	return text;
}

/* ---- reading ---- */

static int damaged(struct error *err, const char *what)
{
	return error_set(err, EBADMSG, "damaged plan: %s", what);
}

/* Never NULL below the limit; NULL when it is absent or no text. */
static const char *text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static bool number_of(const json_t *json, uint64_t limit, uint64_t *ret_number)
{
	if (!json_is_integer(json) || json_integer_value(json) < 0 ||
	    (uint64_t)json_integer_value(json) > limit)
		return false;
	*ret_number = (uint64_t)json_integer_value(json);
	return true;
}

static bool number_in(const json_t *object, const char *key, uint64_t limit, uint64_t *ret_number)
{
	return number_of(json_object_get(object, key), limit, ret_number);
}

/* Three texts of an array. */
static bool read_triple(const json_t *array, const char *ret_texts[static 3])
{
	if (json_array_size(array) != 3)
		return false;
	for (size_t i = 0; i < 3; i++) {
		ret_texts[i] = json_string_value(json_array_get(array, i));
		if (!ret_texts[i])
			return false;
	}
	return true;
}

static bool read_arguments(const json_t *array, struct job *job)
{
	job->arguments = mem_array(json_array_size(array), sizeof(*job->arguments));
	for (size_t i = 0; i < json_array_size(array); i++) {
		const char *texts[3];
		if (!read_triple(json_array_get(array, i), texts))
			return false;
		job->arguments[job->n_arguments++] = (struct argument) {
			.name = mem_text(texts[0]),
			.value = mem_text(texts[1]),
			.text = mem_text(texts[2]),
		};
	}
	return json_is_array(array);
}

static bool read_settings(const json_t *array, struct job *job)
{
	job->settings = mem_array(json_array_size(array), sizeof(*job->settings));
	for (size_t i = 0; i < json_array_size(array); i++) {
		const char *texts[3];
		if (!read_triple(json_array_get(array, i), texts))
			return false;
		const enum setting_kind kind = setting_kind_find(texts[0]);
		if (kind == SETTING_KIND_COUNT)
			return false;
		job->settings[job->n_settings++] = (struct setting) {
			.kind = kind,
			.key = mem_text(texts[1]),
			.value = mem_text(texts[2]),
		};
	}
	return json_is_array(array);
}

static bool read_monitors(const json_t *array, struct job *job)
{
	job->monitors = mem_array(json_array_size(array), sizeof(char *));
	for (size_t i = 0; i < json_array_size(array); i++) {
		const char *name = json_string_value(json_array_get(array, i));
		if (!name)
			return false;
		job->monitors[job->n_monitors++] = mem_text(name);
	}
	return json_is_array(array);
}

static bool read_job_texts(const json_t *object, struct job *job)
{
	job->workload = mem_text(text_of(object, "workload"));
	job->subject = mem_text(text_of(object, "subject"));
	job->place = mem_text(text_of(object, "place"));
	job->point = mem_text(text_of(object, "point"));
	return job->workload && job->subject && job->place &&
	       (job->point || json_is_null(json_object_get(object, "point")));
}

/* The job, or NULL when it is not whole. */
static struct job *read_job(const json_t *object)
{
	AUTO(job) struct job *job = job_new();
	uint64_t semantics;
	if (!read_job_texts(object, job) ||
	    !number_in(object, "semantics", UINT32_MAX, &semantics) ||
	    !number_in(object, "interval_ns", INT64_MAX, &job->interval_ns) ||
	    !number_in(object, "time_limit_ns", INT64_MAX, &job->time_limit_ns) ||
	    !read_arguments(json_object_get(object, "arguments"), job) ||
	    !read_settings(json_object_get(object, "settings"), job) ||
	    !read_monitors(json_object_get(object, "monitors"), job))
		return NULL;
	job->semantics = (uint32_t)semantics;
	return KEEP(job);
}

static int read_jobs(const json_t *array, struct plan *plan, struct error *err)
{
	const size_t n = json_array_size(array);
	if (plan->n_subjects == 0 || n % plan->n_subjects != 0 ||
	    n / plan->n_subjects != plan->n_points || n == 0)
		return damaged(err, "its jobs are not points times subjects");
	plan->jobs = mem_array(n, sizeof(struct job *));
	for (size_t i = 0; i < n; i++) {
		plan->jobs[i] = read_job(json_array_get(array, i));
		if (!plan->jobs[i])
			return damaged(err, "a job is not whole");
		plan->n_jobs++;
	}
	return 0;
}

static int read_runs(const json_t *array, struct plan *plan, struct error *err)
{
	const size_t n = json_array_size(array);
	plan->runs = mem_array(n, sizeof(*plan->runs));
	for (size_t i = 0; i < n; i++) {
		const json_t *pair = json_array_get(array, i);
		uint64_t job;
		uint64_t block;
		if (json_array_size(pair) != 2 ||
		    !number_of(json_array_get(pair, 0), plan->n_jobs - 1, &job) ||
		    !number_of(json_array_get(pair, 1), UINT32_MAX, &block))
			return damaged(err, "a run is not of its jobs");
		plan->runs[plan->n_runs++] =
			(struct planned) { .job = (uint32_t)job, .block = (uint32_t)block };
	}
	return json_is_array(array) ? 0 : damaged(err, "it has no runs");
}

static bool read_optional(const json_t *object, const char *key, char **ret_text)
{
	const json_t *json = json_object_get(object, key);
	*ret_text = mem_text(json_string_value(json));
	return json_is_string(json) || json_is_null(json);
}

static bool read_real(const json_t *object, const char *key, double most, double *ret_number)
{
	const json_t *json = json_object_get(object, key);
	*ret_number = json_number_value(json);
	return json_is_number(json) && *ret_number >= 0.0 && *ret_number <= most;
}

static bool read_boolean(const json_t *object, const char *key, bool *ret_value)
{
	const json_t *json = json_object_get(object, key);
	*ret_value = json_is_true(json);
	return json_is_boolean(json);
}

/* What a plan without a rule of its own was: so many runs of each job. */
static void read_fixed(struct plan *plan)
{
	plan->n_judged = plan->n_subjects;
	plan->stopping =
		(struct stopping) { .runs_max = (plan->n_runs + plan->n_jobs - 1) / plan->n_jobs };
}

static int read_stopping(const json_t *root, struct plan *plan, struct error *err)
{
	const json_t *object = json_object_get(root, "stopping");
	struct stopping *stopping = &plan->stopping;
	uint64_t n_judged;
	if (!number_in(root, "n_judged", plan->n_subjects, &n_judged) || n_judged == 0 ||
	    n_judged + 1 < plan->n_subjects || !read_boolean(root, "warm_up", &plan->warm_up) ||
	    !read_boolean(object, "until_decided", &stopping->until_decided) ||
	    !number_in(object, "runs_max", EXPERIMENT_RUNS_MAX, &stopping->runs_max) ||
	    !number_in(object, "time_max_ns", INT64_MAX, &stopping->time_max_ns) ||
	    !read_real(object, "effect_percent", 100.0, &stopping->effect_percent) ||
	    !read_real(object, "alpha", 0.5, &stopping->alpha))
		return damaged(err, "its stopping rule is not whole");
	plan->n_judged = n_judged;
	return 0;
}

static int read_better(const json_t *array, struct plan *plan, struct error *err)
{
	plan->better = mem_array(json_array_size(array), sizeof(*plan->better));
	for (size_t i = 0; i < json_array_size(array); i++) {
		const json_t *object = json_array_get(array, i);
		struct better *better = &plan->better[plan->n_better++];
		if (!read_optional(object, "metric", &better->metric) ||
		    !read_boolean(object, "higher", &better->higher))
			return damaged(err, "a direction is not whole");
	}
	return json_is_array(array) ? 0 : damaged(err, "it has no directions");
}

static int read_plan(const json_t *root, struct plan *plan, struct error *err)
{
	uint64_t version;
	uint64_t n_subjects;
	uint64_t n_points;
	if (!text_equal(text_of(root, "format"), FORMAT))
		return damaged(err, "it does not say that it is one");
	if (!number_in(root, "version", INT64_MAX, &version) || version < 1)
		return damaged(err, "it has no version");
	if (version > VERSION)
		return error_set(err, EBADMSG,
				 "the plan is of format version %llu, this assay reads up to %d",
				 (unsigned long long)version, VERSION);
	if (!number_in(root, "seed", INT64_MAX, &plan->seed) ||
	    !number_in(root, "n_subjects", UINT32_MAX, &n_subjects) ||
	    !number_in(root, "n_points", UINT32_MAX, &n_points) ||
	    !read_optional(root, "name", &plan->name) ||
	    !read_optional(root, "question", &plan->question))
		return damaged(err, "its head is not whole");
	plan->n_subjects = n_subjects;
	plan->n_points = n_points;
	int answer = read_jobs(json_object_get(root, "jobs"), plan, err);
	if (answer == 0)
		answer = read_runs(json_object_get(root, "runs"), plan, err);
	if (answer == 0 && version < VERSION_STOPPING)
		read_fixed(plan);
	else if (answer == 0)
		answer = read_stopping(root, plan, err);
	if (answer == 0 && version >= VERSION_STOPPING)
		answer = read_better(json_object_get(root, "better"), plan, err);
	return answer;
}

int plan_from_json(const char *json, struct plan **ret_plan, struct error *err)
{
	json_error_t where;
	json_t *root AUTO(json) = json_loads(json, JSON_REJECT_DUPLICATES, &where);
	if (!root)
		return error_set(err, EBADMSG, "damaged plan: line %d, column %d: %s", where.line,
				 where.column, where.text);
	AUTO(plan) struct plan *plan = mem_zero(sizeof(*plan));
	const int answer = read_plan(root, plan, err);
	if (answer < 0)
		return answer;
	*ret_plan = KEEP(plan);
	return 0;
}
