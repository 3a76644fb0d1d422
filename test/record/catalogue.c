/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/catalogue.h"

#include "base/macros.h"
#include "check.h"

static const struct parameter parameters[] = {
	{ .name = "groups", .alias = "g", .what = "groups" },
	{ .name = "loops", .alias = "l", .what = "messages" },
	{ .name = "g2", .what = "no alias" },
	{ 0 },
};
static const struct plugin hackbench = { .name = "hackbench", .parameters = parameters };
static const struct plugin page_fault1 = { .name = "page_fault1", .suite = "will-it-scale" };
static const struct plugin vmstat = { .name = "vmstat" };
static const struct plugin proc_vmstat = { .name = "proc-vmstat" };
static const struct plugin *const workloads[] = { &hackbench, &page_fault1 };
static const struct plugin *const monitors[] = { &proc_vmstat, &vmstat };
static const struct catalogue catalogue = { workloads, ARRAY_SIZE(workloads), monitors,
					    ARRAY_SIZE(monitors) };

static void the_prefix_is_the_suite_or_else_the_name(void **state)
{
	CHECK_TEXT(plugin_prefix(&hackbench), "hackbench");
	CHECK_TEXT(plugin_prefix(&page_fault1), "will-it-scale");
}

static void a_workload_is_found_by_name_and_by_suite_and_name(void **state)
{
	CHECK(catalogue_workload_find(&catalogue, "hackbench") == &hackbench);
	CHECK(catalogue_workload_find(&catalogue, "page_fault1") == &page_fault1);
	CHECK(catalogue_workload_find(&catalogue, "will-it-scale/page_fault1") == &page_fault1);
}

static void a_name_that_is_only_near_is_not_found(void **state)
{
	const char *const wrong[] = { "",
				      "hack",
				      "hackbench2",
				      "/page_fault1",
				      "will-it/page_fault1",
				      "will-it-scale-2/page_fault1",
				      "will-it-scale/",
				      "will-it-scale/hackbench",
				      "x/hackbench",
				      "vmstat" };
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		CHECK(catalogue_workload_find(&catalogue, wrong[i]) == NULL);
}

static void each_word_of_the_parameter_that_says_it_has_a_semantics_of_its_own(void **state)
{
	static const struct parameter words[] = {
		{ .name = "rng", .type = PARAMETER_WORD, .words = "original real really" },
		{ 0 },
	};
	const struct plugin plugin = { .parameters = words, .semantics = 3, .semantics_by = "rng" };
	CHECK_INT(plugin_semantics(&plugin, "original"), 3);
	CHECK_INT(plugin_semantics(&plugin, "real"), 4);
	CHECK_INT(plugin_semantics(&plugin, "really"), 5);
}

static void without_such_a_parameter_there_is_one_semantics(void **state)
{
	const struct plugin plugin = { .parameters = parameters, .semantics = 7 };
	CHECK_INT(plugin_semantics(&plugin, NULL), 7);
}

static void monitors_and_workloads_are_not_mixed(void **state)
{
	CHECK(catalogue_monitor_find(&catalogue, "vmstat") == &vmstat);
	CHECK(catalogue_monitor_find(&catalogue, "hackbench") == NULL);
	CHECK(catalogue_monitor_nearest(&catalogue, "hackbench") == NULL);
}

static void what_is_on_request_is_beside_the_workload_that_names_it(void **state)
{
	const struct plugin dear = { .name = "placement", .on_request = true };
	const struct plugin wants = { .name = "numa01", .monitor = "placement" };
	const struct plugin wants_other = { .name = "idle", .monitor = "power" };
	CHECK(catalogue_is_beside(&hackbench, &vmstat));
	CHECK(!catalogue_is_beside(&hackbench, &dear));
	CHECK(catalogue_is_beside(&wants, &dear));
	CHECK(catalogue_is_beside(&wants, &vmstat));
	CHECK(!catalogue_is_beside(&wants_other, &dear));
}

static void the_nearest_name_is_offered_for_a_typing_error(void **state)
{
	CHECK_TEXT(catalogue_workload_nearest(&catalogue, "hackbnech"), "hackbench");
	CHECK_TEXT(catalogue_workload_nearest(&catalogue, "page-fault1"), "page_fault1");
	CHECK_TEXT(catalogue_workload_nearest(&catalogue, "will-it-scale/page_falt1"),
		   "page_fault1");
	CHECK_TEXT(catalogue_monitor_nearest(&catalogue, "proc_vmstat"), "proc-vmstat");
	CHECK(catalogue_workload_nearest(&catalogue, "specjbb") == NULL);
}

static void a_parameter_is_found_by_name_and_by_alias(void **state)
{
	CHECK(plugin_parameter_find(&hackbench, "groups") == &parameters[0]);
	CHECK(plugin_parameter_find(&hackbench, "l") == &parameters[1]);
	CHECK(plugin_parameter_find(&hackbench, "g2") == &parameters[2]);
	CHECK(plugin_parameter_find(&hackbench, "") == NULL);
	CHECK(plugin_parameter_find(&hackbench, "pin") == NULL);
}

static void a_workload_without_parameters_has_none(void **state)
{
	CHECK(plugin_parameter_find(&page_fault1, "groups") == NULL);
	CHECK(plugin_parameter_nearest(&page_fault1, "groups") == NULL);
}

static void the_nearest_parameter_is_offered(void **state)
{
	CHECK_TEXT(plugin_parameter_nearest(&hackbench, "gruops"), "groups");
	CHECK_TEXT(plugin_parameter_nearest(&hackbench, "loop"), "loops");
	CHECK(plugin_parameter_nearest(&hackbench, "duration") == NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_prefix_is_the_suite_or_else_the_name),
		cmocka_unit_test(a_workload_is_found_by_name_and_by_suite_and_name),
		cmocka_unit_test(a_name_that_is_only_near_is_not_found),
		cmocka_unit_test(
			each_word_of_the_parameter_that_says_it_has_a_semantics_of_its_own),
		cmocka_unit_test(without_such_a_parameter_there_is_one_semantics),
		cmocka_unit_test(monitors_and_workloads_are_not_mixed),
		cmocka_unit_test(what_is_on_request_is_beside_the_workload_that_names_it),
		cmocka_unit_test(the_nearest_name_is_offered_for_a_typing_error),
		cmocka_unit_test(a_parameter_is_found_by_name_and_by_alias),
		cmocka_unit_test(a_workload_without_parameters_has_none),
		cmocka_unit_test(the_nearest_parameter_is_offered),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
