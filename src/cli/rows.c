/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The catalogue from the plug-in tables. See rows.h. */
#include "cli/rows.h"

#include "base/mem.h"
#include "monitor/monitor.h"
#include "workload/workload.h"

const struct catalogue *rows_catalogue(void)
{
	static struct catalogue
		catalogue; /* Made at the first call; lives as long as the program. */
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
