/* SPDX-License-Identifier: GPL-2.0-or-later */
/* numa-vmstat. */
#include "check.h"
#include "monitor/tree.h"
#include "monitor/watch.h"

static void each_node_and_their_sum_are_metrics(void **state)
{
	struct tree tree;
	tree_make(&tree);
	tree_load(&tree, "two-nodes/t0");
	struct watch *watch = watch_must(tree.fd, "numa-vmstat");
	watch_sample(watch);
	tree_load(&tree, "two-nodes/t1");
	watch_sample(watch);
	CHECK_VALUE(watch, "numa-vmstat.node0.numa_hit", 300);
	CHECK_VALUE(watch, "numa-vmstat.node2.numa_hit", 200);
	CHECK_VALUE(watch, "numa-vmstat.numa_hit", 500);
	CHECK_VALUE(watch, "numa-vmstat.node2.nr_free_pages", (750000 + 375000) / 2.0);
	CHECK_VALUE(watch, "numa-vmstat.nr_mlock", 6);
	CHECK(watch_metric(watch, "numa-vmstat.node1.numa_hit") == NULL);
	watch_close(watch);
	tree_done(&tree);
}

static void allocation_counters_that_are_switched_off_are_missing_on_every_node(void **state)
{
	struct tree tree;
	tree_make(&tree);
	tree_load(&tree, "two-nodes/t0");
	tree_put(&tree, "proc/sys/vm/numa_stat", "0\n");
	struct watch *watch = watch_must(tree.fd, "numa-vmstat");
	watch_sample(watch);
	watch_sample(watch);
	CHECK_MISSING(watch, "numa-vmstat.node0.numa_hit", MISSING_SWITCHED_OFF);
	CHECK_MISSING(watch, "numa-vmstat.node2.numa_interleave", MISSING_SWITCHED_OFF);
	CHECK_MISSING(watch, "numa-vmstat.numa_local", MISSING_SWITCHED_OFF);
	CHECK_VALUE(watch, "numa-vmstat.node0.nr_dirtied", 0);
	watch_close(watch);
	tree_done(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_node_and_their_sum_are_metrics),
		cmocka_unit_test(
			allocation_counters_that_are_switched_off_are_missing_on_every_node),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
