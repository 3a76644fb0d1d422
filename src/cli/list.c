/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `assay list`: workloads, monitors and metrics from their rows, and the experiments that are ready. */
#include "base/text.h"
#include "cli/command.h"
#include "cli/ready.h"
#include "cli/rows.h"
#include "cli/say.h"
#include "cli/told_direction.h"

#include <stdio.h>
#include <string.h>

static json_t *metric_json(const struct metric *metric)
{
	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "name", metric->name, "unit",
			 metric->unit, "what", metric->what ? metric->what : "", "kind",
			 metric_kind_text(metric->kind), "better",
			 metric_better_text(metric->better), "role",
			 metric_role_text(metric->role));
}

static json_t *parameter_json(const struct parameter *parameter)
{
	return json_pack("{s:s, s:s?, s:s, s:s?, s:s?}", "name", parameter->name, "alias",
			 parameter->alias, "what", parameter->what, "default", parameter->preset,
			 "words", parameter->words);
}

static json_t *plugin_json(const struct plugin *plugin)
{
	json_t *parameters = json_array();
	json_t *metrics = json_array();
	const struct adapter *adapter = adapters_find(rows_adapters(), plugin->name);
	for (const struct parameter *at = plugin->parameters; at && at->name; at++)
		(void)json_array_append_new(parameters, parameter_json(at));
	for (const struct metric *at = plugin->metrics; at && at->name; at++)
		(void)json_array_append_new(metrics, metric_json(at));
	return json_pack("{s:s, s:s?, s:s, s:s, s:i, s:b, s:o, s:o, s:s?}", "name", plugin->name,
			 "suite", plugin->suite, "what", plugin->what, "stands", plugin->stands,
			 "semantics", (int)plugin->semantics, "metrics_open", plugin->metrics_open,
			 "parameters", parameters, "metrics", metrics, "adapter",
			 adapter ? adapter->path : NULL);
}

static void list_broken(const char *pattern, json_t *list, bool json)
{
	const char *sentence = NULL;
	const char *name;
	for (size_t i = 0; (name = rows_broken_at(i, &sentence)); i++) {
		if (!text_matches(name, pattern))
			continue;
		if (json)
			(void)json_array_append_new(
				list, json_pack("{s:s, s:s}", "name", name, "broken", sentence));
		else
			(void)printf("%-24s cannot be read: %s\n", name, sentence);
	}
}

static int list_plugins(const struct plugin *const *plugins, size_t n, const char *pattern,
			bool json)
{
	json_t *list = json_array();
	for (size_t i = 0; i < n; i++) {
		const struct plugin *plugin = plugins[i];
		if (!text_matches(plugin->name, pattern) &&
		    !(plugin->suite && text_matches(plugin->suite, pattern)))
			continue;
		if (json)
			(void)json_array_append_new(list, plugin_json(plugin));
		else
			(void)printf("%-24s %s%s%s%s\n", plugin->name, plugin->what,
				     plugin->suite ? " [" : "", plugin->suite ? plugin->suite : "",
				     plugin->suite ? "]" : "");
	}
	if (plugins == rows_catalogue()->workloads)
		list_broken(pattern, list, json);
	if (json)
		return say_json(list);
	json_decref(list);
	return say_done(EXIT_NO_REGRESSION);
}

struct metric_list {
	const char *pattern;
	bool json;
	json_t *list;
};

/* A suite's metrics stand in the rows of all its tests: they are listed once. */
static bool is_listed(const struct plugin *const *plugins, size_t index)
{
	const char *suite = plugins[index]->suite;
	for (size_t i = 0; suite && i < index; i++)
		if (text_equal(plugins[i]->suite, suite))
			return true;
	return false;
}

static void list_metrics_of(const struct metric_list *at, const struct plugin *const *plugins,
			    size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (is_listed(plugins, i))
			continue;
		for (const struct metric *metric = plugins[i]->metrics; metric && metric->name;
		     metric++) {
			if (!text_matches(metric->name, at->pattern))
				continue;
			if (at->json)
				(void)json_array_append_new(at->list, metric_json(metric));
			else
				(void)printf("%-44s %-8s %-8s %s\n", metric->name, metric->unit,
					     metric_kind_text(metric->kind),
					     metric_better_text(metric->better));
		}
	}
}

/* Of programs that have no row: what is known when their numbers come from elsewhere. */
static void list_told(const struct metric_list *at)
{
	const struct metric *metric;
	for (size_t i = 0; (metric = told_direction_at(i)); i++) {
		if (!text_matches(metric->name, at->pattern))
			continue;
		if (at->json)
			(void)json_array_append_new(at->list, metric_json(metric));
		else
			(void)printf("%-44s %-8s %-8s %s\n", metric->name, metric->unit,
				     metric_kind_text(metric->kind),
				     metric_better_text(metric->better));
	}
}

static int list_metrics(const char *pattern, bool json)
{
	const struct catalogue *catalogue = rows_catalogue();
	struct metric_list at = { .pattern = pattern, .json = json, .list = json_array() };
	list_metrics_of(&at, catalogue->workloads, catalogue->n_workloads);
	list_metrics_of(&at, catalogue->monitors, catalogue->n_monitors);
	list_told(&at);
	if (json)
		return say_json(at.list);
	json_decref(at.list);
	for (size_t i = 0; i < catalogue->n_monitors; i++)
		if (catalogue->monitors[i]->metrics_open &&
		    text_matches(catalogue->monitors[i]->name, pattern))
			(void)printf("%s.*%*s as the running kernel names them\n",
				     catalogue->monitors[i]->name,
				     (int)(42 - strlen(catalogue->monitors[i]->name)), "");
	return say_done(EXIT_NO_REGRESSION);
}

static int list_experiments(const char *pattern, bool json)
{
	struct ready_list ready AUTO(ready_list) = { 0 };
	json_t *list = json_array();
	ready_list_read(&ready);
	for (size_t i = 0; i < ready.n; i++) {
		const struct ready *item = &ready.items[i];
		if (!text_matches(item->name, pattern))
			continue;
		if (json)
			(void)json_array_append_new(
				list, json_pack("{s:s, s:s, s:s}", "name", item->name, "question",
						item->question, "file", item->path));
		else
			(void)printf("%-24s %s\n", item->name, item->question);
	}
	if (json)
		return say_json(list);
	json_decref(list);
	return say_done(EXIT_NO_REGRESSION);
}

static int run(const struct parsed *parsed)
{
	static const char *const kinds[] = { "workloads", "monitors", "metrics", "experiments" };
	const struct catalogue *catalogue = rows_catalogue();
	const bool json = options_has(parsed, "json");
	if (parsed->n_words < 1 || parsed->n_words > 2)
		return say_usage(
			"list what? workloads, monitors, metrics or experiments, and a pattern if "
			"you like");
	const char *kind = parsed->words[0];
	const char *pattern = parsed->n_words == 2 ? parsed->words[1] : NULL;
	if (strcmp(kind, "workloads") == 0)
		return list_plugins(catalogue->workloads, catalogue->n_workloads, pattern, json);
	if (strcmp(kind, "monitors") == 0)
		return list_plugins(catalogue->monitors, catalogue->n_monitors, pattern, json);
	if (strcmp(kind, "metrics") == 0)
		return list_metrics(pattern, json);
	if (strcmp(kind, "experiments") == 0)
		return list_experiments(pattern, json);
	const char *near = text_nearest(kind, kinds, ARRAY_SIZE(kinds));
	return say_usage("cannot list '%s'%s%s%s", kind, near ? ", did you mean '" : "",
			 near ? near : "",
			 near ? "'?" : ": workloads, monitors, metrics or experiments");
}

static const struct option_row options[] = { OPTION_ADAPTER, OPTION_JSON, { 0 } };

const struct command_row command_list = {
	.name = "list",
	.words = "workloads|monitors|metrics|experiments [PATTERN]",
	.what = "list what can be run and read",
	.options = options,
	.run = run,
	.completes = "list",
};
