/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Growing arrays of an experiment. They are short: each piece moves the array it joins. */
#include "experiment/build.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>

/* Room for one more behind `n` elements; the new one is not cleared. */
static void *append(void *array, size_t n, size_t element_size)
{
	size_t capacity = n;
	return mem_grow(array, &capacity, n + 1, element_size);
}

struct selected *build_selected(struct experiment *experiment, const char *workload)
{
	experiment->selected =
		append(experiment->selected, experiment->n_selected, sizeof(*experiment->selected));
	struct selected *selected = &experiment->selected[experiment->n_selected++];
	*selected = (struct selected) { .workload = mem_text(workload) };
	return selected;
}

struct values *build_values(struct selected *selected, const char *name)
{
	selected->values = append(selected->values, selected->n_values, sizeof(*selected->values));
	struct values *values = &selected->values[selected->n_values++];
	*values = (struct values) { .name = mem_text(name) };
	return values;
}

void build_text(struct values *values, const char *text)
{
	values->texts = append(values->texts, values->n_texts, sizeof(char *));
	values->texts[values->n_texts++] = mem_text(text);
}

struct subject *build_subject(struct experiment *experiment, const char *name)
{
	experiment->subjects =
		append(experiment->subjects, experiment->n_subjects, sizeof(*experiment->subjects));
	struct subject *subject = &experiment->subjects[experiment->n_subjects++];
	*subject = (struct subject) { .name = mem_text(name) };
	return subject;
}

void build_setting(struct subject *subject, enum setting_kind kind, const char *key,
		   const char *value)
{
	subject->settings =
		append(subject->settings, subject->n_settings, sizeof(*subject->settings));
	subject->settings[subject->n_settings++] = (struct setting) {
		.kind = kind,
		.key = mem_text(key),
		.value = mem_text(value),
	};
}

void build_monitor(struct experiment *experiment, const char *name)
{
	experiment->monitors = append(experiment->monitors, experiment->n_monitors, sizeof(char *));
	experiment->monitors[experiment->n_monitors++] = mem_text(name);
}

void build_better(struct experiment *experiment, const char *metric, bool higher)
{
	experiment->better =
		append(experiment->better, experiment->n_better, sizeof(*experiment->better));
	experiment->better[experiment->n_better++] =
		(struct better) { .metric = mem_text(metric), .higher = higher };
}

void build_string(char **string, const char *text)
{
	char *copy = mem_text(text);
	free(*string);
	*string = copy;
}

static void selected_done(struct selected *selected)
{
	for (size_t i = 0; i < selected->n_values; i++) {
		for (size_t j = 0; j < selected->values[i].n_texts; j++)
			free(selected->values[i].texts[j]);
		free(selected->values[i].texts);
		free(selected->values[i].name);
	}
	free(selected->values);
	free(selected->workload);
}

static void subject_done(struct subject *subject)
{
	for (size_t i = 0; i < subject->n_settings; i++) {
		free(subject->settings[i].key);
		free(subject->settings[i].value);
	}
	free(subject->settings);
	free(subject->name);
}

void build_drop_subject(struct experiment *experiment)
{
	assert(experiment->n_subjects > 0);
	subject_done(&experiment->subjects[--experiment->n_subjects]);
}

void build_drop_selected(struct experiment *experiment)
{
	assert(experiment->n_selected > 0);
	selected_done(&experiment->selected[--experiment->n_selected]);
}
