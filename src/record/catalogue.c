/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plug-in rows found by name. The tables are short and asked seldom: a walk is enough. */
#include "record/catalogue.h"

#include "base/auto.h"
#include "base/mem.h"
#include "base/text.h"

#include <assert.h>
#include <string.h>

const char *plugin_prefix(const struct plugin *plugin)
{
	return plugin->suite ? plugin->suite : plugin->name;
}

/* Is `name` "suite/name" of this row, or its name? */
static bool is_called(const struct plugin *plugin, const char *name)
{
	if (strcmp(plugin->name, name) == 0)
		return true;
	const char *slash = strchr(name, '/');
	if (!slash || strcmp(slash + 1, plugin->name) != 0)
		return false;
	const size_t length = (size_t)(slash - name);
	return plugin->suite && strlen(plugin->suite) == length &&
	       strncmp(plugin->suite, name, length) == 0;
}

static const struct plugin *find(const struct plugin *const *rows, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (is_called(rows[i], name))
			return rows[i];
	return NULL;
}

/* A name with a suite in front is compared by what stands behind the slash. */
static const char *nearest(const struct plugin *const *rows, size_t n, const char *name)
{
	const char **names = mem_array(n, sizeof(*names));
	for (size_t i = 0; i < n; i++)
		names[i] = rows[i]->name;
	const char *slash = strchr(name, '/');
	const char *found = text_nearest(slash ? slash + 1 : name, names, n);
	free(names);
	return found;
}

const struct plugin *catalogue_workload_find(const struct catalogue *catalogue, const char *name)
{
	return find(catalogue->workloads, catalogue->n_workloads, name);
}

const struct plugin *catalogue_monitor_find(const struct catalogue *catalogue, const char *name)
{
	return find(catalogue->monitors, catalogue->n_monitors, name);
}

const char *catalogue_workload_nearest(const struct catalogue *catalogue, const char *name)
{
	return nearest(catalogue->workloads, catalogue->n_workloads, name);
}

const char *catalogue_monitor_nearest(const struct catalogue *catalogue, const char *name)
{
	return nearest(catalogue->monitors, catalogue->n_monitors, name);
}

bool catalogue_is_beside(const struct plugin *workload, const struct plugin *monitor)
{
	return !monitor->on_request || text_equal(workload->monitor, monitor->name);
}

static size_t count_parameters(const struct plugin *plugin)
{
	size_t n = 0;
	while (plugin->parameters && plugin->parameters[n].name)
		n++;
	return n;
}

uint32_t plugin_semantics(const struct plugin *plugin, const char *word)
{
	if (!plugin->semantics_by)
		return plugin->semantics;
	const struct parameter *parameter = plugin_parameter_find(plugin, plugin->semantics_by);
	assert(parameter && parameter->type == PARAMETER_WORD && word);
	uint32_t place = 0;
	for (const char *at = parameter->words; at; at = strchr(at, ' '), place++) {
		at += *at == ' ';
		if (text_starts_with(at, word) &&
		    (at[strlen(word)] == ' ' || at[strlen(word)] == '\0'))
			return plugin->semantics + place;
	}
	assert(false); /* The word was checked by its row. */
	return plugin->semantics;
}

const struct parameter *plugin_parameter_find(const struct plugin *plugin, const char *name)
{
	const size_t n = count_parameters(plugin);
	for (size_t i = 0; i < n; i++)
		if (text_equal(plugin->parameters[i].name, name))
			return &plugin->parameters[i];
	for (size_t i = 0; i < n; i++)
		if (text_equal(plugin->parameters[i].alias, name))
			return &plugin->parameters[i];
	return NULL;
}

const char *plugin_parameter_nearest(const struct plugin *plugin, const char *name)
{
	const size_t n = count_parameters(plugin);
	const char **names = mem_array(n, sizeof(*names));
	for (size_t i = 0; i < n; i++)
		names[i] = plugin->parameters[i].name;
	const char *found = text_nearest(name, names, n);
	free(names);
	return found;
}
