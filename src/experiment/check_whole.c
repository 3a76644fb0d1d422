/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The checks against the catalogue and between the pieces of an experiment. See check.h. */
#include "base/text.h"
#include "experiment/check.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

static int unknown_plugin(const char *what, const char *name, const char *near, const char *list,
			  struct error *err)
{
	if (near)
		return error_set(err, EINVAL, "unknown %s '%s', did you mean '%s'?", what, name,
				 near);
	return error_set(err, EINVAL, "unknown %s '%s', see 'assay list %s'", what, name, list);
}

int check_workload(const char *name, const struct catalogue *catalogue,
		   const struct plugin **ret_plugin, struct error *err)
{
	const struct plugin *plugin = catalogue_workload_find(catalogue, name);
	if (!plugin)
		return unknown_plugin("workload", name, catalogue_workload_nearest(catalogue, name),
				      "workloads", err);
	*ret_plugin = plugin;
	return 0;
}

int check_monitor(const char *name, const struct catalogue *catalogue, struct error *err)
{
	if (catalogue_monitor_find(catalogue, name))
		return 0;
	return unknown_plugin("monitor", name, catalogue_monitor_nearest(catalogue, name),
			      "monitors", err);
}

int check_parameter(const struct plugin *plugin, const char *name,
		    const struct parameter **ret_parameter, struct error *err)
{
	const struct parameter *parameter = plugin_parameter_find(plugin, name);
	if (parameter) {
		*ret_parameter = parameter;
		return 0;
	}
	const char *near = plugin_parameter_nearest(plugin, name);
	if (near)
		return error_set(err, EINVAL, "%s has no parameter '%s', did you mean '%s'?",
				 plugin->name, name, near);
	struct text known AUTO(text_buffer) = { 0 };
	for (parameter = plugin->parameters; parameter && parameter->name; parameter++)
		text_add(&known, "%s%s", known.length > 0 ? ", " : "", parameter->name);
	return error_set(err, EINVAL, "%s has no parameter '%s', it has %s", plugin->name, name,
			 known.length > 0 ? text_string(&known) : "none");
}

static const struct values *find_values(const struct selected *selected, const char *name)
{
	for (size_t i = 0; i < selected->n_values; i++)
		if (text_equal(selected->values[i].name, name))
			return &selected->values[i];
	return NULL;
}

/* Does one of the subject's first `n` settings set the parameter, under its name or its alias? */
static bool sets_param(const struct subject *subject, size_t n, const struct plugin *plugin,
		       const struct parameter *parameter)
{
	for (size_t i = 0; i < n; i++)
		if (subject->settings[i].kind == SETTING_PARAM &&
		    plugin_parameter_find(plugin, subject->settings[i].key) == parameter)
			return true;
	return false;
}

static int check_param_of(const struct selected *selected, const struct parameter *parameter,
			  const char *value, struct error *err)
{
	unsigned column;
	const struct values *values = find_values(selected, parameter->name);
	if (values && values->n_texts > 1)
		return error_set(err, EINVAL,
				 "the matrix lists %zu values of '%s' for %s, so a subject cannot "
				 "set it too",
				 values->n_texts, parameter->name, selected->workload);
	return check_value(parameter, value, &column, err);
}

int check_param(const struct experiment *experiment, const struct subject *subject, size_t index,
		const struct catalogue *catalogue, struct error *err)
{
	const struct setting *setting = &subject->settings[index];
	const struct plugin *plugin = NULL;
	const struct plugin *having = NULL;
	const struct plugin *lacking = NULL;
	for (size_t i = 0; i < experiment->n_selected; i++) {
		const struct selected *selected = &experiment->selected[i];
		int answer = check_workload(selected->workload, catalogue, &plugin, err);
		if (answer < 0)
			return answer;
		assert(plugin);
		const struct parameter *parameter = plugin_parameter_find(plugin, setting->key);
		if (!parameter) {
			lacking = plugin;
			continue;
		}
		having = plugin;
		if (sets_param(subject, index, plugin, parameter))
			return error_set(err, EINVAL,
					 "subject '%s' sets the parameter '%s' of %s twice",
					 subject->name, parameter->name, plugin->name);
		answer = check_param_of(selected, parameter, setting->value, err);
		if (answer < 0)
			return answer;
	}
	if (!lacking)
		return 0;
	/* Left out where it is unknown, it would make a comparison of a thing with itself. */
	if (having)
		return error_set(
			err, EINVAL,
			"subject '%s' sets the parameter '%s', which %s has but %s has not; "
			"give each workload an experiment of its own",
			subject->name, setting->key, having->name, lacking->name);
	const struct parameter *none;
	return check_parameter(lacking, setting->key, &none, err);
}

int check_subject(const struct experiment *experiment, size_t index, struct error *err)
{
	const struct subject *subject = &experiment->subjects[index];
	for (size_t i = 0; i < subject->n_settings; i++) {
		const struct setting *setting = &subject->settings[i];
		for (size_t j = 0; j < i; j++)
			if (subject->settings[j].kind == setting->kind &&
			    text_equal(subject->settings[j].key, setting->key))
				return error_set(err, EINVAL, "subject '%s' sets %s%s%s twice",
						 subject->name, setting_kind_text(setting->kind),
						 *setting->key ? "." : "", setting->key);
	}
	return 0;
}

static int check_given(const struct experiment *experiment, const struct selected *selected,
		       const struct plugin *plugin, const struct parameter *parameter,
		       struct error *err)
{
	if (parameter->preset || find_values(selected, parameter->name))
		return 0;
	for (size_t i = 0; i < experiment->n_subjects; i++) {
		const struct subject *subject = &experiment->subjects[i];
		if (!sets_param(subject, subject->n_settings, plugin, parameter))
			return error_set(err, EINVAL, "%s needs a value for '%s' (%s)",
					 plugin->name, parameter->name, parameter->what);
	}
	return 0;
}

int check_selected(const struct experiment *experiment, size_t index,
		   const struct catalogue *catalogue, struct error *err)
{
	const struct selected *selected = &experiment->selected[index];
	const struct plugin *plugin = NULL;
	int answer = check_workload(selected->workload, catalogue, &plugin, err);
	if (answer < 0)
		return answer;
	assert(plugin);
	const struct parameter *parameter = plugin->parameters;
	for (; answer == 0 && parameter && parameter->name; parameter++)
		answer = check_given(experiment, selected, plugin, parameter, err);
	return answer;
}

/* Points of one workload; EXPERIMENT_POINTS_MAX + 1 stands for all that is more. */
static uint64_t count_points(const struct selected *selected)
{
	uint64_t points = 1;
	for (size_t i = 0; i < selected->n_values; i++) {
		points *= selected->values[i].n_texts;
		if (points > EXPERIMENT_POINTS_MAX)
			return EXPERIMENT_POINTS_MAX + 1;
	}
	return points;
}

int check_size(const struct experiment *experiment, struct error *err)
{
	uint64_t points = 0;
	for (size_t i = 0; i < experiment->n_selected && points <= EXPERIMENT_POINTS_MAX; i++)
		points += count_points(&experiment->selected[i]);
	if (points > EXPERIMENT_POINTS_MAX)
		return error_set(err, EINVAL,
				 "the matrix has more than %d points, shorten the lists of values",
				 EXPERIMENT_POINTS_MAX);
	const struct stopping stopping = experiment_stopping(experiment);
	const uint64_t runs = points * experiment->n_subjects * stopping.runs_max;
	if (runs > EXPERIMENT_RUNS_MAX)
		return error_set(err, EINVAL,
				 "%" PRIu64 " points, %zu subjects and %" PRIu64
				 " runs of each make %" PRIu64 " runs, the most is %d",
				 points, experiment->n_subjects, stopping.runs_max, runs,
				 EXPERIMENT_RUNS_MAX);
	return 0;
}
