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
	const struct catalogue *catalogue = rows_catalogue();

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_catalogue_is_made_once),
		cmocka_unit_test(every_workload_and_monitor_is_in_it_and_is_found),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
