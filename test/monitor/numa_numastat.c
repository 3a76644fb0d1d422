/* SPDX-License-Identifier: GPL-2.0-or-later */
/* numa-numastat. */
#include "check.h"
#include "monitor/tree.h"
#include "monitor/watch.h"

static void each_node_and_their_sum_are_differences(void **state)
{
	struct tree tree;
	tree_make(&tree);
	tree_load(&tree, "two-nodes/t0");
	struct watch *watch = watch_must(tree.fd, "numa-numastat");
	watch_sample(watch);
	tree_load(&tree, "two-nodes/t1");
	watch_sample(watch);
	CHECK_INT(watch_channels(watch), 12);
	CHECK_VALUE(watch, "numa-numastat.node0.local_node", 250);
	CHECK_VALUE(watch, "numa-numastat.node2.local_node", 150);
	CHECK_VALUE(watch, "numa-numastat.local_node", 400);
	CHECK_VALUE(watch, "numa-numastat.node0.interleave_hit", 0);
	watch_close(watch);
	tree_done(&tree);
}

static void all_of_it_is_missing_while_it_is_switched_off(void **state)
{
	struct tree tree;
	tree_make(&tree);
	tree_load(&tree, "two-nodes/t0");
	tree_put(&tree, "proc/sys/vm/numa_stat", "0\n");
	struct watch *watch = watch_must(tree.fd, "numa-numastat");
	watch_sample(watch);
	watch_sample(watch);
	CHECK_MISSING(watch, "numa-numastat.node0.numa_hit", MISSING_SWITCHED_OFF);
	CHECK_MISSING(watch, "numa-numastat.node2.other_node", MISSING_SWITCHED_OFF);
	CHECK_MISSING(watch, "numa-numastat.interleave_hit", MISSING_SWITCHED_OFF);
	watch_close(watch);
	tree_done(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_node_and_their_sum_are_differences),
		cmocka_unit_test(all_of_it_is_missing_while_it_is_switched_off),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
