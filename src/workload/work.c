/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A run's parameters, checked once against the row and then only read. See work.h. */
#include "workload/work.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"
#include "workload/janitor.h"
#include "workload/scratch.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORKERS_MAX 1000000

struct setting {
	bool given;      /* By an argument, not by the preset. */
	char *text;      /* NULL until it is known. */
	uint64_t number; /* PARAMETER_NUMBER: the value; PARAMETER_SECONDS: nanoseconds. */
};

struct work {
	const struct workload *row; /* Borrowed; rows are constant. */
	struct setting *settings;   /* One a parameter, in the row's order. */
	size_t n_settings;
	char *directory;
	char *scratch;           /* NULL unless the row has names. */
	pid_t scratch_owner;     /* A forked copy of this leaves the names alone. */
	struct janitor *janitor; /* Removes them when that was killed; NULL without a scratch. */
	void *shared;            /* The workload's own. */
	unsigned n_workers;
	int root_fd; /* Borrowed; -1 until it is said. */
};

static const struct parameter *parameters_of(const struct workload *row)
{
	static const struct parameter none[] = { { 0 } };
	return row->about.parameters ? row->about.parameters : none;
}

static size_t count_parameters(const struct workload *row)
{
	size_t count = 0;
	while (parameters_of(row)[count].name)
		count++;
	return count;
}

/* Index of the parameter with this name or alias, n_settings when there is none. */
static size_t find_index(const struct work *work, const char *name)
{
	const struct parameter *parameters = parameters_of(work->row);
	size_t i = 0;
	while (i < work->n_settings && !text_equal(parameters[i].name, name) &&
	       !text_equal(parameters[i].alias, name))
		i++;
	return i;
}

/* ---- checking ---- */

static int refuse_name(const struct work *work, const char *name, struct error *err)
{
	const char *workload = work->row->about.name;
	const char *nearest = plugin_parameter_nearest(&work->row->about, name);
	if (nearest)
		return error_set(err, EINVAL,
				 "workload '%s' has no parameter '%s'; did you mean '%s'?",
				 workload, name, nearest);
	AUTO(text_buffer) struct text known = { 0 };
	for (const struct parameter *one = parameters_of(work->row); one->name; one++)
		text_add(&known, " %s", one->name);
	if (known.length == 0)
		return error_set(err, EINVAL, "workload '%s' has no parameter '%s', it takes none",
				 workload, name);
	return error_set(err, EINVAL, "workload '%s' has no parameter '%s'; it has:%s", workload,
			 name, text_string(&known));
}

static int refuse_value(const struct work *work, const struct parameter *parameter,
			const char *value, const char *allowed, struct error *err)
{
	return error_set(err, EINVAL, "parameter '%s' of workload '%s' cannot be '%s'; use %s",
			 parameter->name, work->row->about.name, value, allowed);
}

/* "50%" of the online CPUs, rounded down, at least one. */
static bool parse_percent(const char *value, uint64_t *ret_number)
{
	const size_t length = strlen(value);
	if (length < 2 || value[length - 1] != '%')
		return false;
	AUTO(text) char *digits = mem_text_n(value, length - 1);
	uint64_t percent;
	if (!text_parse_u64(digits, &percent) || percent == 0 || percent > 1000000)
		return false;
	const long online = sysconf(_SC_NPROCESSORS_ONLN);
	const uint64_t cpus = online > 0 ? (uint64_t)online : 1;
	const uint64_t number = cpus * percent / 100;
	*ret_number = number ? number : 1;
	return true;
}

static int check_number(const struct work *work, const struct parameter *parameter,
			const char *value, uint64_t *ret_number, struct error *err)
{
	uint64_t number = 0;
	const bool parsed = (parameter->percent_of_cpus && parse_percent(value, &number)) ||
			    text_parse_u64(value, &number);
	if (!parsed || number < parameter->min || number > parameter->max) {
		const char *share =
			parameter->percent_of_cpus ? ", or a share of the CPUs: 50%" : "";
		char allowed[128];
		(void)snprintf(allowed, sizeof(allowed),
			       "a whole number from %" PRIu64 " to %" PRIu64 "%s", parameter->min,
			       parameter->max, share);
		return refuse_value(work, parameter, value, allowed, err);
	}
	*ret_number = number;
	return 0;
}

static int check_seconds(const struct work *work, const struct parameter *parameter,
			 const char *value, uint64_t *ret_ns, struct error *err)
{
	double seconds;
	if (!text_parse_f64(value, &seconds) || seconds < (double)parameter->min ||
	    seconds > (double)parameter->max) {
		char allowed[128];
		(void)snprintf(allowed, sizeof(allowed),
			       "seconds from %" PRIu64 " to %" PRIu64 ", such as 0.5",
			       parameter->min, parameter->max);
		return refuse_value(work, parameter, value, allowed, err);
	}
	*ret_ns = (uint64_t)llround(seconds * (double)NS_PER_SEC);
	return 0;
}

static bool is_one_of(const char *words, const char *word)
{
	const size_t length = strlen(word);
	for (const char *at = words; length && at; at = strchr(at, ' ')) {
		at += *at == ' ';
		if (strncmp(at, word, length) == 0 && (at[length] == ' ' || !at[length]))
			return true;
	}
	return false;
}

static int check_word(const struct work *work, const struct parameter *parameter, const char *value,
		      struct error *err)
{
	if (!strchr(value, ' ') && is_one_of(parameter->words, value))
		return 0;
	AUTO(text) char *allowed = mem_format("one of: %s", parameter->words);
	return refuse_value(work, parameter, value, allowed, err);
}

/* Checks the value and keeps it; the setting is untouched when it is refused. */
static int set(struct work *work, size_t index, const char *value, struct error *err)
{
	const struct parameter *parameter = &parameters_of(work->row)[index];
	struct setting *setting = &work->settings[index];
	int failed = 0;
	switch (parameter->type) {
	case PARAMETER_NUMBER:
		failed = check_number(work, parameter, value, &setting->number, err);
		break;
	case PARAMETER_SECONDS:
		failed = check_seconds(work, parameter, value, &setting->number, err);
		break;
	case PARAMETER_WORD:
		failed = check_word(work, parameter, value, err);
		break;
	case PARAMETER_TEXT:
		break;
	}
	if (failed)
		return failed;
	free(setting->text);
	setting->text = mem_text(value);
	return 0;
}

static int set_arguments(struct work *work, const struct work_argument *arguments,
			 size_t n_arguments, struct error *err)
{
	for (size_t i = 0; i < n_arguments; i++) {
		const size_t index = find_index(work, arguments[i].name);
		if (index == work->n_settings)
			return refuse_name(work, arguments[i].name, err);
		if (work->settings[index].given)
			return error_set(
				err, EINVAL, "parameter '%s' of workload '%s' is given twice",
				parameters_of(work->row)[index].name, work->row->about.name);
		const int failed = set(work, index, arguments[i].value, err);
		if (failed)
			return failed;
		work->settings[index].given = true;
	}
	return 0;
}

static int set_presets(struct work *work, struct error *err)
{
	for (size_t i = 0; i < work->n_settings; i++) {
		const struct parameter *parameter = &parameters_of(work->row)[i];
		if (work->settings[i].given)
			continue;
		if (!parameter->preset)
			return error_set(err, EINVAL, "workload '%s' needs the parameter '%s': %s",
					 work->row->about.name, parameter->name, parameter->what);
		const int failed = set(work, i, parameter->preset, err);
		if (failed)
			return failed;
	}
	return 0;
}

static int set_workers(struct work *work, struct error *err)
{
	const unsigned count =
		work->row->count ? work->row->count(work) : (unsigned)work_number(work, "nr_task");
	assert(count > 0);
	if (count > WORKERS_MAX)
		return error_set(
			err, EINVAL,
			"workload '%s' would need %u workers, more than %d; use smaller parameters",
			work->row->about.name, count, WORKERS_MAX);
	work->n_workers = count;
	return 0;
}

static int check_duration(const struct work *work, struct error *err)
{
	if (work->row->shape != WORK_LOOP || work_duration_ns(work) > 0)
		return 0;
	return error_set(err, EINVAL,
			 "parameter 'duration' of workload '%s' must be more than 0 seconds",
			 work->row->about.name);
}

int work_new(const struct workload *row, const struct work_argument *arguments, size_t n_arguments,
	     struct work **ret_work, struct error *err)
{
	assert(row && (arguments || !n_arguments));
	const char *directory = getenv("TMPDIR");
	struct work *work = mem_zero(sizeof(*work));
	work->row = row;
	work->root_fd = -1;
	work->n_settings = count_parameters(row);
	work->settings = mem_array(work->n_settings, sizeof(*work->settings));
	work->directory = mem_text(directory && *directory ? directory : "/tmp");
	int failed = set_arguments(work, arguments, n_arguments, err);
	if (!failed)
		failed = set_presets(work, err);
	if (!failed)
		failed = check_duration(work, err);
	if (!failed && row->check)
		failed = row->check(work, err);
	if (!failed)
		failed = set_workers(work, err);
	if (!failed && row->has_names) {
		failed = scratch_new(work->directory, &work->scratch, err);
		work->scratch_owner = getpid();
		if (!failed)
			failed = janitor_new(work->scratch, &work->janitor, err);
	}
	if (failed) {
		work_free(work);
		return failed;
	}
	*ret_work = work;
	return 0;
}

void work_free(struct work *work)
{
	if (!work)
		return;
	for (size_t i = 0; i < work->n_settings; i++)
		free(work->settings[i].text);
	free(work->settings);
	if (work->scratch && work->scratch_owner == getpid()) {
		scratch_remove(work->scratch);
		janitor_free(work->janitor);
	}
	free(work->scratch);
	free(work->directory);
	free(work);
}

/* ---- readers ---- */

static bool has_parameter(const struct work *work, const char *name)
{
	return find_index(work, name) < work->n_settings;
}

/* The setting of a parameter that the row must have. */
static const struct setting *setting_of(const struct work *work, const char *name,
					enum parameter_type type, enum parameter_type or_type)
{
	const size_t index = find_index(work, name);
	assert(index < work->n_settings);
	const enum parameter_type have = parameters_of(work->row)[index].type;
	assert(have == type || have == or_type);
	assert(work->settings[index].text);
	return &work->settings[index];
}

void work_set_root(struct work *work, int root_fd)
{
	work->root_fd = root_fd;
}

int work_root(const struct work *work)
{
	assert(work->root_fd >= 0);
	return work->root_fd;
}

const struct workload *work_row(const struct work *work)
{
	return work->row;
}

static uint64_t loop_seconds(const struct work *work, const char *name)
{
	if (work->row->shape != WORK_LOOP)
		return 0;
	return work_seconds_ns(work, name);
}

uint64_t work_warmup_ns(const struct work *work)
{
	return loop_seconds(work, "warmup");
}

uint64_t work_duration_ns(const struct work *work)
{
	return loop_seconds(work, "duration");
}

const char *work_pin(const struct work *work)
{
	return has_parameter(work, "pin") ? work_word(work, "pin") : "none";
}

unsigned work_workers(const struct work *work)
{
	return work->n_workers;
}

bool work_has_threads(const struct work *work)
{
	return has_parameter(work, "mode") && text_equal(work_word(work, "mode"), "thread");
}

uint64_t work_number(const struct work *work, const char *parameter)
{
	return setting_of(work, parameter, PARAMETER_NUMBER, PARAMETER_NUMBER)->number;
}

uint64_t work_seconds_ns(const struct work *work, const char *parameter)
{
	return setting_of(work, parameter, PARAMETER_SECONDS, PARAMETER_SECONDS)->number;
}

const char *work_word(const struct work *work, const char *parameter)
{
	return setting_of(work, parameter, PARAMETER_WORD, PARAMETER_TEXT)->text;
}

const char *work_directory(const struct work *work)
{
	return work->directory;
}

const char *work_scratch(const struct work *work)
{
	assert(work->scratch);
	return work->scratch;
}

void *work_shared(const struct work *work)
{
	return work->shared;
}

void work_share(struct work *work, void *shared)
{
	work->shared = shared;
}

int work_file(const struct work *work, uint64_t size, struct error *err)
{
	AUTO(fd) int fd = scratch_nameless(work->directory, err);
	if (fd < 0)
		return fd;
	if (ftruncate(fd, (off_t)size) < 0)
		return error_errno(err, errno, "cannot give a file in '%s' %" PRIu64 " bytes",
				   work->directory, size);
	return KEEP_FD(fd);
}
