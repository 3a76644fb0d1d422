/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adapters' jobs out, their scores in. See harvest.h. */
#include "intake/harvest.h"

#include "base/mem.h"
#include "base/spawn.h"
#include "base/text.h"
#include "intake/adapter_start.h"
#include "intake/extract.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COMMAND "command"
#define COMMAND_TIME "command.time_sec"
#define WAYS_TO_PROGRAMS "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

/* ---- the adapters there are ---- */

const struct adapter *adapters_find(const struct adapters *adapters, const char *name)
{
	for (size_t i = 0; adapters && i < adapters->n; i++)
		if (strcmp(adapters->items[i]->name, name) == 0)
			return adapters->items[i];
	return NULL;
}

void adapters_put(struct adapters *adapters, struct adapter *adapter)
{
	size_t at = 0;
	while (at < adapters->n && strcmp(adapters->items[at]->name, adapter->name) < 0)
		at++;
	if (at < adapters->n && strcmp(adapters->items[at]->name, adapter->name) == 0) {
		adapter_free(adapters->items[at]);
		adapters->items[at] = adapter;
		return;
	}
	adapters->items = mem_grow(adapters->items, &adapters->capacity, adapters->n + 1,
				   sizeof(*adapters->items));
	memmove(adapters->items + at + 1, adapters->items + at,
		(adapters->n - at) * sizeof(*adapters->items));
	adapters->items[at] = adapter;
	adapters->n++;
}

void adapters_done(struct adapters *adapters)
{
	for (size_t i = 0; i < adapters->n; i++)
		adapter_free(adapters->items[i]);
	free(adapters->items);
	*adapters = (struct adapters) { 0 };
}

/* ---- out ---- */

static void replace(char **text, const char *with)
{
	free(*text);
	*text = mem_text(with);
}

static void drop_arguments(struct job *job)
{
	for (size_t i = 0; i < job->n_arguments; i++) {
		free(job->arguments[i].name);
		free(job->arguments[i].value);
		free(job->arguments[i].text);
	}
	free(job->arguments);
	job->arguments = NULL;
	job->n_arguments = 0;
}

int harvest_job(const struct adapters *adapters, const struct job *job, struct job **ret_job,
		struct error *err)
{
	const struct adapter *adapter = adapters_find(adapters, job->workload);
	AUTO(job) struct job *carried = job_copy(job);
	const char *words = adapter ? NULL : job_argument(job, "score");
	AUTO(adapter) struct adapter *own = NULL;
	if (words && strcmp(job->workload, COMMAND) == 0) {
		const int failed = adapter_from_words(words, &own, err);
		if (failed)
			return failed;
	}
	if (adapter && adapter->semantics != job->semantics)
		return error_set(err, EINVAL,
				 "the adapter '%s' (%s) has semantics version %u now, and this was "
				 "planned with version %u: begin anew",
				 adapter->name, adapter->path, adapter->semantics, job->semantics);
	for (size_t i = 0; adapter && i < adapter->n_parameters; i++)
		if (!job_argument(job, adapter->parameters[i].name))
			return error_set(err, EINVAL,
					 "the adapter '%s' (%s) has a parameter '%s' by now, which "
					 "was not there when this was planned: begin anew",
					 adapter->name, adapter->path, adapter->parameters[i].name);
	if (adapter) {
		char *program = start_program(adapter, job);
		drop_arguments(carried);
		replace(&carried->workload, COMMAND);
		carried->arguments = mem_array(1, sizeof(*carried->arguments));
		carried->arguments[0] = (struct argument) { .name = mem_text("program"),
							    .value = program,
							    .text = mem_text(program) };
		carried->n_arguments = 1;
	}
	*ret_job = KEEP(carried);
	return 0;
}

/* ---- in ---- */

static bool is_there(const char *program)
{
	const char *path = getenv("PATH");
	AUTO(text) char *file = spawn_find(program, path && *path ? path : WAYS_TO_PROGRAMS);
	return file != NULL;
}

static void say(struct run *run, enum run_outcome outcome, char *reason)
{
	run->outcome = outcome;
	free(run->reason);
	run->reason = reason;
}

static bool has_other_binary(const struct job *job)
{
	for (size_t i = 0; i < job->n_settings; i++)
		if (job->settings[i].kind == SETTING_BINARY)
			return true;
	return false;
}

/* `program` with the job's arguments in it: what is built by hand is named by a parameter. New string. */
static char *program_of(const struct adapter *adapter, const struct job *job)
{
	struct text program = { 0 };
	struct start_piece piece;
	for (const char *at = adapter->program; start_next(&at, &piece);) {
		AUTO(text) char *name = mem_text_n(piece.name ? piece.name : "", piece.name_length);
		const char *value = piece.kind == START_VALUE ? job_argument(job, name) : NULL;
		if (value)
			text_add(&program, "%s", value);
		else
			text_add_bytes(&program, piece.at, piece.length);
	}
	return text_take(&program);
}

/* That a program is not there is no failure of what is measured. */
static void explain_absence(const struct adapter *adapter, const struct job *job, struct run *run)
{
	if (run->outcome != RUN_FAILED || !adapter->program || has_other_binary(job))
		return;
	AUTO(text) char *program = program_of(adapter, job);
	if (is_there(program))
		return;
	say(run, RUN_UNSUPPORTED,
	    mem_format("'%s' is not installed%s%s", program,
		       adapter->package ? "; Debian has it in the package " : "",
		       adapter->package ? adapter->package : ""));
}

/* The probe's own time of the program: a score only where the adapter says so. */
static struct value take_time(struct run *run)
{
	for (size_t i = 0; i < run->n_metrics; i++) {
		struct measured *measured = &run->metrics[i];
		if (strcmp(measured->metric.name, COMMAND_TIME) != 0)
			continue;
		measured->metric.role = ROLE_EVIDENCE;
		measured->metric.better = BETTER_NONE;
		return measured->value;
	}
	return value_missing(MISSING_ABSENT);
}

static void add_metric(struct run *run, const char *name, const struct score *score,
		       struct value value)
{
	const struct metric metric = { .name = name,
				       .unit = score->unit,
				       .what = score->what,
				       .kind = METRIC_SCORE,
				       .better = score->better,
				       .role = score->role };
	for (size_t i = 0; i < run->n_metrics; i++)
		if (strcmp(run->metrics[i].metric.name, name) == 0) {
			run->metrics[i].metric.role = score->role;
			run->metrics[i].metric.better = score->better;
			return; /* The time itself. */
		}
	run_metric_add(run, &metric, value);
}

/* Of a run that came to its end: the scores, or why it has failed after all. */
static void take_scores(const struct adapter *adapter, struct value time, struct run *run)
{
	struct extraction extraction AUTO(extraction) = { 0 };
	extract_scores(adapter->scores, adapter->n_scores, run->log, time, &extraction);
	for (size_t i = 0; i < extraction.n; i++)
		add_metric(run, extraction.items[i].name, extraction.items[i].score,
			   value_known(extraction.items[i].number));
	if (extraction.wrong)
		say(run, RUN_FAILED, KEEP(extraction.wrong));
}

static void note_adapter(const struct adapter *adapter, struct run *run)
{
	replace(&run->workload, adapter->name);
	run->semantics = adapter->semantics;
	run_fact_add(run, "adapter.sha256", VALUE_KNOWN, MISSING_NOT, adapter->sha256);
	run_fact_add(run, "adapter.version_seen", VALUE_KNOWN, MISSING_NOT, adapter->seen);
}

static void read_run(const struct adapter *adapter, const struct job *job, struct run *run)
{
	const struct value time = take_time(run);
	explain_absence(adapter, job, run);
	if (run->outcome == RUN_COMPLETE)
		take_scores(adapter, time, run);
	run_sort(run);
}

int harvest_run(const struct adapters *adapters, const struct job *job, struct run *run,
		struct error *err)
{
	const struct adapter *adapter = adapters_find(adapters, job->workload);
	const char *words = job_argument(job, "score");
	AUTO(adapter) struct adapter *own = NULL;
	if (adapter) {
		note_adapter(adapter, run);
		read_run(adapter, job, run);
		return 0;
	}
	if (strcmp(job->workload, COMMAND) != 0 || !words)
		return 0;
	const int failed = adapter_from_words(words, &own, err);
	if (failed)
		return failed;
	assert(own);
	read_run(own, job, run);
	return 0;
}
