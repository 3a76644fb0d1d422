/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Directions by name. See told_direction.h. */
#include "cli/told_direction.h"

#include "base/auto.h"
#include "base/fs.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/yaml.h"
#include "cli/paths.h"
#include "cli/rows.h"
#include "intake/directions.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <string.h>

/* An absent or wrong table is as one that is empty: directions stay unknown. */
static const struct directions *table(void)
{
	static struct directions *directions; /* Read at the first call. */
	static bool tried;
	if (tried)
		return directions;
	tried = true;
	AUTO(text) char *directory = paths_data_directory("ASSAY_DATA", "data", ".");
	AUTO(text) char *path = mem_format("%s/directions.yaml", directory);
	AUTO(text) char *bytes = NULL;
	size_t length = 0;
	struct error err = { 0 };
	if (fs_read_whole_at(AT_FDCWD, path, YAML_BYTES_MAX, &bytes, &length, &err) ||
	    directions_parse(bytes, length, path, &directions, &err))
		log_debug("directions: %s", err.text);
	return directions;
}

static const struct metric *find_in_rows(const char *name)
{
	const struct catalogue *catalogue = rows_catalogue();
	for (size_t i = 0; i < catalogue->n_workloads; i++)
		for (const struct metric *metric = catalogue->workloads[i]->metrics;
		     metric && metric->name; metric++)
			if (metric->better != BETTER_UNKNOWN && fnmatch(metric->name, name, 0) == 0)
				return metric;
	return NULL;
}

const struct metric *told_direction(const char *name)
{
	/* A plain word is a column of somebody's table, not a metric. */
	if (!strchr(name, '.'))
		return NULL;
	const struct metric *found = find_in_rows(name);
	return found ? found : directions_find(table(), name);
}

const struct metric *told_direction_at(size_t index)
{
	const struct directions *directions = table();
	return directions && index < directions->n ? &directions->rows[index] : NULL;
}
