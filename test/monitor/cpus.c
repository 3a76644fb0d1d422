/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of CPU numbers. */
#include "monitor/cpus.h"

#include "check.h"
#include "monitor/tree.h"

static void numbers_are_kept_ascending_and_once(void **state)
{
	struct cpus cpus = { 0 };
	static const uint32_t added[] = { 5, 0, 130, 5, 2, CPUS_MAX, CPUS_MAX - 1 };
	for (unsigned i = 0; i < sizeof(added) / sizeof(added[0]); i++)
		cpus_add(&cpus, added[i]);
	CHECK_INT(cpus.n, 5);
	CHECK_INT(cpus.numbers[0], 0);
	CHECK_INT(cpus.numbers[1], 2);
	CHECK_INT(cpus.numbers[2], 5);
	CHECK_INT(cpus.numbers[3], 130);
	CHECK_INT(cpus.numbers[4], CPUS_MAX - 1);
	cpus_done(&cpus);
	CHECK_INT(cpus.n, 0);
}

static void a_slot_is_found_whatever_was_expected(void **state)
{
	struct cpus cpus = { 0 };
	cpus_add(&cpus, 4);
	cpus_add(&cpus, 9);
	CHECK_INT(cpus_slot(&cpus, 9, 1), 1);
	CHECK_INT(cpus_slot(&cpus, 9, 0), 1);
	CHECK_INT(cpus_slot(&cpus, 4, 77), 0);
	CHECK_INT(cpus_slot(&cpus, 5, 0), -1);
	cpus_done(&cpus);
}

static void the_tree_says_which_are_plugged_in(void **state)
{
	struct tree tree;
	struct cpus cpus;
	tree_make(&tree);
	CHECK(!cpus_present(&cpus, tree.fd));
	CHECK_INT(cpus.n, 0);
	tree_put(&tree, "sys/devices/system/cpu/present", "0-2,128\n");
	CHECK(cpus_present(&cpus, tree.fd));
	CHECK_INT(cpus.n, 4);
	CHECK_INT(cpus.numbers[3], 128);
	cpus_done(&cpus);
	tree_put(&tree, "sys/devices/system/cpu/present", "0-2,x\n");
	CHECK(!cpus_present(&cpus, tree.fd));
	CHECK_INT(cpus.n, 0);
	tree_done(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_kept_ascending_and_once),
		cmocka_unit_test(a_slot_is_found_whatever_was_expected),
		cmocka_unit_test(the_tree_says_which_are_plugged_in),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
