/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs as plain data: made, copied, named. See job.h. */
#include "record/job.h"

#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"

#include <assert.h>
#include <string.h>

static const char *const kind_texts[] = {
	[SETTING_SYSCTL] = "sysctl",
	[SETTING_SYSFS] = "sysfs",
	[SETTING_ENV] = "env",
	[SETTING_PARAM] = "param",
	[SETTING_CGROUP] = "cgroup",
	[SETTING_PREFIX] = "prefix",
	[SETTING_BINARY] = "binary",
	[SETTING_KERNEL] = "kernel",
	[SETTING_IDLE] = "idle",
	[SETTING_GOVERNOR] = "governor",
	[SETTING_INSTANCES] = "instances",
};

static_assert(ARRAY_SIZE(kind_texts) == SETTING_KIND_COUNT, "each kind has its word");

struct job *job_new(void)
{
	return mem_zero(sizeof(struct job));
}

void job_free(struct job *job)
{
	if (!job)
		return;
	for (size_t i = 0; i < job->n_arguments; i++) {
		free(job->arguments[i].name);
		free(job->arguments[i].value);
		free(job->arguments[i].text);
	}
	for (size_t i = 0; i < job->n_settings; i++) {
		free(job->settings[i].key);
		free(job->settings[i].value);
	}
	for (size_t i = 0; i < job->n_monitors; i++)
		free(job->monitors[i]);
	free(job->arguments);
	free(job->settings);
	free(job->monitors);
	free(job->workload);
	free(job->subject);
	free(job->place);
	free(job->point);
	free(job);
}

struct job *job_copy(const struct job *job)
{
	struct job *copy = job_new();
	*copy = *job;
	copy->workload = mem_text(job->workload);
	copy->subject = mem_text(job->subject);
	copy->place = mem_text(job->place);
	copy->point = mem_text(job->point);
	copy->arguments = mem_array(job->n_arguments, sizeof(*copy->arguments));
	for (size_t i = 0; i < job->n_arguments; i++)
		copy->arguments[i] = (struct argument) {
			.name = mem_text(job->arguments[i].name),
			.value = mem_text(job->arguments[i].value),
			.text = mem_text(job->arguments[i].text),
		};
	copy->settings = mem_array(job->n_settings, sizeof(*copy->settings));
	for (size_t i = 0; i < job->n_settings; i++)
		copy->settings[i] = (struct setting) {
			.kind = job->settings[i].kind,
			.key = mem_text(job->settings[i].key),
			.value = mem_text(job->settings[i].value),
		};
	copy->monitors = mem_array(job->n_monitors, sizeof(*copy->monitors));
	for (size_t i = 0; i < job->n_monitors; i++)
		copy->monitors[i] = mem_text(job->monitors[i]);
	return copy;
}

const char *job_argument(const struct job *job, const char *name)
{
	for (size_t i = 0; i < job->n_arguments; i++)
		if (strcmp(job->arguments[i].name, name) == 0)
			return job->arguments[i].value;
	return NULL;
}

/* Slashes inside a value are marked, so that two different jobs never have one key. */
static void add_marked(struct text *point, const char *value)
{
	for (const char *at = value; *at; at++) {
		if (*at == '/' || *at == '\\')
			text_add_bytes(point, "\\", 1);
		text_add_bytes(point, at, 1);
	}
}

char *job_point(const struct job *job)
{
	if (job->point)
		return mem_text(job->point);
	struct text point = { 0 };
	text_add(&point, "%s", job->workload ? job->workload : "");
	for (size_t i = 0; i < job->n_arguments; i++) {
		const struct argument *argument = &job->arguments[i];
		text_add(&point, "/%s=", argument->name);
		add_marked(&point, argument->text ? argument->text : argument->value);
	}
	return text_take(&point);
}

const char *setting_kind_text(enum setting_kind kind)
{
	assert(kind < SETTING_KIND_COUNT);
	return kind_texts[kind];
}

enum setting_kind setting_kind_find(const char *word)
{
	for (size_t i = 0; i < SETTING_KIND_COUNT; i++)
		if (strcmp(kind_texts[i], word) == 0)
			return (enum setting_kind)i;
	return SETTING_KIND_COUNT;
}
