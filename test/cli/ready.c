/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Experiments found by their names. */
#include "cli/ready.h"

#include "base/auto.h"
#include "base/mem.h"
#include "base/text.h"
#include "check.h"
#include "workload/workload.h"

static void use_the_trees_own(void)
{
	const char *directory = getenv("ASSAY_TEST_EXPERIMENTS");
	CHECK(directory);
	CHECK_INT(setenv("ASSAY_EXPERIMENTS", directory, 1), 0);
}

static void an_experiment_is_found_by_its_name(void **state)
{
	use_the_trees_own();
	AUTO(text) char *path = ready_find("numa-stat");
	CHECK_HOLDS(path, "/numa-stat.yaml");
	CHECK(ready_find("no-such-experiment") == NULL);
	CHECK(ready_find("../experiments/numa-stat") == NULL);
	CHECK(ready_find("") == NULL);
}

static void the_list_is_sorted_and_each_asks_its_question(void **state)
{
	struct ready_list list;
	use_the_trees_own();
	ready_list_read(&list);
	CHECK(list.n >= 5);
	for (size_t i = 0; i < list.n; i++) {
		CHECK(i == 0 || strcmp(list.items[i - 1].name, list.items[i].name) < 0);
		CHECK(*list.items[i].question);
		if (text_starts_with(list.items[i].question, "cannot be read"))
			fail_msg("%s: %s", list.items[i].path, list.items[i].question);
	}
	ready_list_done(&list);
}

/* Else it could not be run by its name. */
static void none_is_called_like_a_workload(void **state)
{
	struct ready_list list;
	use_the_trees_own();
	ready_list_read(&list);
	for (size_t i = 0; i < list.n; i++)
		CHECK(workload_find(list.items[i].name) == NULL);
	ready_list_done(&list);
}

static void a_directory_that_is_not_there_has_none(void **state)
{
	struct ready_list list;
	CHECK_INT(setenv("ASSAY_EXPERIMENTS", "/nonexistent", 1), 0);
	ready_list_read(&list);
	CHECK_INT(list.n, 0);
	CHECK(ready_find("numa-stat") == NULL);
	ready_list_done(&list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_experiment_is_found_by_its_name),
		cmocka_unit_test(the_list_is_sorted_and_each_asks_its_question),
		cmocka_unit_test(none_is_called_like_a_workload),
		cmocka_unit_test(a_directory_that_is_not_there_has_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
