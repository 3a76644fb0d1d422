/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An experiment as data: its defaults, its end, and the check of the whole. */
#include "experiment/experiment.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"
#include "experiment/build.h"
#include "experiment/check.h"

#include <errno.h>
#include <stdlib.h>

struct experiment *experiment_new(void)
{
	struct experiment *experiment = mem_zero(sizeof(*experiment));
	experiment->place = mem_text("host");
	experiment->runs = EXPERIMENT_RUNS_PRESET;
	experiment->interval_ns = NS_PER_SEC;
	return experiment;
}

void experiment_free(struct experiment *experiment)
{
	if (!experiment)
		return;
	while (experiment->n_selected > 0)
		build_drop_selected(experiment);
	while (experiment->n_subjects > 0)
		build_drop_subject(experiment);
	for (size_t i = 0; i < experiment->n_monitors; i++)
		free(experiment->monitors[i]);
	for (size_t i = 0; i < experiment->n_better; i++)
		free(experiment->better[i].metric);
	free(experiment->better);
	free(experiment->selected);
	free(experiment->subjects);
	free(experiment->monitors);
	free(experiment->name);
	free(experiment->question);
	free(experiment->place);
	free(experiment);
}

static int check_values(const struct plugin *plugin, const struct values *values, struct error *err)
{
	const struct parameter *parameter = NULL;
	int answer = check_parameter(plugin, values->name, &parameter, err);
	if (answer == 0 && values->n_texts == 0)
		answer = error_set(err, EINVAL, "'%s' has no value", values->name);
	for (size_t i = 0; answer == 0 && i < values->n_texts; i++) {
		unsigned column;
		answer = check_value(parameter, values->texts[i], &column, err);
	}
	return answer;
}

static int check_workloads(const struct experiment *experiment, const struct catalogue *catalogue,
			   struct error *err)
{
	if (experiment->n_selected == 0)
		return error_set(err, EINVAL, "no workload is named");
	for (size_t i = 0; i < experiment->n_selected; i++) {
		const struct selected *selected = &experiment->selected[i];
		const struct plugin *plugin = NULL;
		int answer = check_workload(selected->workload, catalogue, &plugin, err);
		for (size_t j = 0; answer == 0 && j < selected->n_values; j++)
			answer = check_values(plugin, &selected->values[j], err);
		if (answer == 0)
			answer = check_selected(experiment, i, catalogue, err);
		if (answer < 0)
			return answer;
	}
	return 0;
}

static int check_setting(const struct experiment *experiment, const struct subject *subject,
			 size_t index, const struct catalogue *catalogue, struct error *err)
{
	const struct setting *setting = &subject->settings[index];
	int answer = check_setting_key(setting->kind, setting->key, err);
	if (answer == 0)
		answer = check_setting_value(setting->kind, setting->value, err);
	if (answer == 0 && setting->kind == SETTING_PARAM)
		answer = check_param(experiment, subject, index, catalogue, err);
	return answer;
}

static int check_name_is_new(const struct experiment *experiment, size_t index, struct error *err)
{
	for (size_t i = 0; i < index; i++)
		if (text_equal(experiment->subjects[i].name, experiment->subjects[index].name))
			return error_set(err, EINVAL, "two subjects are named '%s'",
					 experiment->subjects[i].name);
	return 0;
}

static int check_subjects(const struct experiment *experiment, const struct catalogue *catalogue,
			  struct error *err)
{
	if (experiment->n_subjects == 0)
		return error_set(err, EINVAL, "no subject is named");
	if (experiment->n_subjects > EXPERIMENT_SUBJECTS_MAX)
		return error_set(err, EINVAL, "%zu subjects, the most is %d",
				 experiment->n_subjects, EXPERIMENT_SUBJECTS_MAX);
	for (size_t i = 0; i < experiment->n_subjects; i++) {
		const struct subject *subject = &experiment->subjects[i];
		int answer = check_name("subject", subject->name, err);
		if (answer == 0)
			answer = check_name_is_new(experiment, i, err);
		for (size_t j = 0; answer == 0 && j < subject->n_settings; j++)
			answer = check_setting(experiment, subject, j, catalogue, err);
		if (answer == 0)
			answer = check_subject(experiment, i, err);
		if (answer < 0)
			return answer;
	}
	return 0;
}

static int check_monitors(const struct experiment *experiment, const struct catalogue *catalogue,
			  struct error *err)
{
	if (experiment->n_monitors == 1 && text_equal(experiment->monitors[0], "none"))
		return 0;
	for (size_t i = 0; i < experiment->n_monitors; i++) {
		const int answer = check_monitor(experiment->monitors[i], catalogue, err);
		if (answer < 0)
			return answer;
		for (size_t j = 0; j < i; j++)
			if (text_equal(experiment->monitors[j], experiment->monitors[i]))
				return error_set(err, EINVAL, "monitor '%s' is named twice",
						 experiment->monitors[i]);
	}
	return 0;
}

int experiment_check(const struct experiment *experiment, const struct catalogue *catalogue,
		     struct error *err)
{
	int answer = experiment->name ? check_name("experiment", experiment->name, err) : 0;
	if (answer == 0 && experiment->question)
		answer = check_question(experiment->question, err);
	if (answer == 0)
		answer = check_stopping(experiment, err);
	if (answer == 0)
		answer = check_seed(experiment->seed, err);
	if (answer == 0)
		answer = check_interval(experiment->interval_ns, err);
	if (answer == 0)
		answer = check_time_limit(experiment->time_limit_ns, err);
	if (answer == 0)
		answer = check_place(experiment->place, err);
	if (answer == 0)
		answer = check_workloads(experiment, catalogue, err);
	if (answer == 0)
		answer = check_subjects(experiment, catalogue, err);
	if (answer == 0)
		answer = check_monitors(experiment, catalogue, err);
	if (answer == 0)
		answer = check_until(experiment, err);
	return answer == 0 ? check_size(experiment, err) : answer;
}
