/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sysctl vm.numa_stat. */
#include "monitor/numa_switch.h"

#include "check.h"
#include "monitor/tree.h"

static void it_is_off_only_when_it_says_0(void **state)
{
	struct tree tree;
	struct numa_switch numa_switch;
	tree_make(&tree);
	numa_switch_open(&numa_switch, tree.fd);
	CHECK(!numa_switch_is_off(&numa_switch));
	numa_switch_done(&numa_switch);
	tree_put(&tree, "proc/sys/vm/numa_stat", "0\n");
	numa_switch_open(&numa_switch, tree.fd);
	CHECK(numa_switch_is_off(&numa_switch));
	tree_put(&tree, "proc/sys/vm/numa_stat", "1\n");
	CHECK(!numa_switch_is_off(&numa_switch));
	tree_put(&tree, "proc/sys/vm/numa_stat", "");
	CHECK(!numa_switch_is_off(&numa_switch));
	numa_switch_done(&numa_switch);
	numa_switch_done(&numa_switch);
	tree_done(&tree);
}

static void it_governs_the_allocation_counters_and_nothing_else(void **state)
{
	CHECK(numa_switch_governs("numa_hit"));
	CHECK(numa_switch_governs("numa_interleave"));
	CHECK(numa_switch_governs("interleave_hit"));
	CHECK(numa_switch_governs("other_node"));
	CHECK(!numa_switch_governs("numa_hint_faults"));
	CHECK(!numa_switch_governs("numa_pte_updates"));
	CHECK(!numa_switch_governs("numa_hits"));
	CHECK(!numa_switch_governs("pgfault"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_off_only_when_it_says_0),
		cmocka_unit_test(it_governs_the_allocation_counters_and_nothing_else),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
