/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The catalogue from the plug-in tables and the adapters. See rows.h. */
#include "cli/rows.h"

#include "base/mem.h"
#include "cli/adapter_files.h"
#include "monitor/monitor.h"
#include "workload/workload.h"

#include <stdlib.h>
#include <string.h>

/* All that is static below is made at the first call and lives as long as the program. */
struct rows {
	struct catalogue catalogue;
	struct adapters adapters;
	struct adapter_files_broken broken;
	bool made;
};

const struct catalogue *rows_built_in(void)
{
	static struct catalogue catalogue;
	if (catalogue.workloads)
		return &catalogue;
	const struct plugin **workloads = mem_array(workload_table_count, sizeof(struct plugin *));
	const struct plugin **monitors = mem_array(monitor_table_count, sizeof(struct plugin *));
	for (size_t i = 0; i < workload_table_count; i++)
		workloads[i] = &workload_table[i]->about;
	for (size_t i = 0; i < monitor_table_count; i++)
		monitors[i] = &monitor_table[i]->about;
	catalogue = (struct catalogue) { .workloads = workloads,
					 .n_workloads = workload_table_count,
					 .monitors = monitors,
					 .n_monitors = monitor_table_count };
	return &catalogue;
}

/* Two sorted lists become one. */
static void join(struct rows *rows)
{
	const struct catalogue *own = rows_built_in();
	const size_t n = own->n_workloads + rows->adapters.n;
	const struct plugin **workloads = mem_array(n, sizeof(struct plugin *));
	size_t mine = 0;
	size_t theirs = 0;
	for (size_t i = 0; i < n; i++) {
		const struct plugin *adapter =
			theirs < rows->adapters.n ? &rows->adapters.items[theirs]->plugin : NULL;
		const bool take_own =
			mine < own->n_workloads &&
			(!adapter || strcmp(own->workloads[mine]->name, adapter->name) < 0);
		workloads[i] = take_own ? own->workloads[mine] : adapter;
		mine += take_own;
		theirs += !take_own;
	}
	mem_free_const(rows->catalogue.workloads);
	rows->catalogue = *own;
	rows->catalogue.workloads = workloads;
	rows->catalogue.n_workloads = n;
}

static struct rows *all(void)
{
	static struct rows rows;
	if (rows.made)
		return &rows;
	rows.made = true;
	adapter_files_read(rows_built_in(), &rows.adapters, &rows.broken);
	join(&rows);
	return &rows;
}

const struct catalogue *rows_catalogue(void)
{
	return &all()->catalogue;
}

const struct adapters *rows_adapters(void)
{
	return &all()->adapters;
}

int rows_adapter_add(const char *path, struct error *err)
{
	struct rows *rows = all();
	struct adapter *adapter = NULL;
	int failed = adapter_files_load(path, rows_built_in(), &adapter, err);
	if (!failed && adapter)
		failed = adapter_files_put(&rows->adapters, adapter, ADAPTER_GIVEN, err);
	if (!failed)
		join(rows);
	return failed;
}

const char *rows_broken_at(size_t index, const char **ret_sentence)
{
	const struct adapter_files_broken *broken = &all()->broken;
	if (index >= broken->n)
		return NULL;
	*ret_sentence = broken->items[index].sentence;
	return broken->items[index].name;
}

const char *rows_broken(const char *name)
{
	const char *sentence = NULL;
	const char *found;
	for (size_t i = 0; (found = rows_broken_at(i, &sentence)); i++)
		if (strcmp(found, name) == 0)
			return sentence;
	return NULL;
}
