/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The catalogue holds every plug-in, in order. */
#include "cli/rows.h"

#include "check.h"
#include "monitor/monitor.h"
#include "workload/workload.h"

static void the_catalogue_is_made_once(void **state)
{
	CHECK(rows_catalogue() == rows_catalogue());
	CHECK(rows_catalogue()->workloads != NULL);
}

static void every_workload_and_monitor_is_in_it_and_is_found(void **state)
{
	const struct catalogue *catalogue = rows_built_in();

	CHECK_INT(catalogue->n_workloads, workload_table_count);
	CHECK_INT(catalogue->n_monitors, monitor_table_count);
	for (size_t i = 0; i < workload_table_count; i++) {
		const struct plugin *about = &workload_table[i]->about;

		CHECK(catalogue->workloads[i] == about);
		CHECK(catalogue_workload_find(catalogue, about->name) == about);
		CHECK(i == 0 || strcmp(catalogue->workloads[i - 1]->name, about->name) < 0);
	}
	for (size_t i = 0; i < monitor_table_count; i++) {
		const struct plugin *about = &monitor_table[i]->about;

		CHECK(catalogue->monitors[i] == about);
		CHECK(catalogue_monitor_find(catalogue, about->name) == about);
		CHECK(i == 0 || strcmp(catalogue->monitors[i - 1]->name, about->name) < 0);
	}
}

static void adapters_stand_among_the_workloads_in_order(void **state)
{
	const struct catalogue *catalogue = rows_catalogue();
	const struct adapters *adapters = rows_adapters();
	const char *sentence = NULL;

	CHECK(adapters->n > 0);
	CHECK_INT(catalogue->n_workloads, workload_table_count + adapters->n);
	for (size_t i = 1; i < catalogue->n_workloads; i++)
		CHECK(strcmp(catalogue->workloads[i - 1]->name, catalogue->workloads[i]->name) < 0);
	for (size_t i = 0; i < adapters->n; i++)
		CHECK(catalogue_workload_find(catalogue, adapters->items[i]->name) ==
		      &adapters->items[i]->plugin);
	if (rows_broken_at(0, &sentence))
		CHECK_FAIL("%s", sentence);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_catalogue_is_made_once),
		cmocka_unit_test(every_workload_and_monitor_is_in_it_and_is_found),
		cmocka_unit_test(adapters_stand_among_the_workloads_in_order),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
