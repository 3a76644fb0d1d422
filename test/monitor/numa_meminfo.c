/* SPDX-License-Identifier: GPL-2.0-or-later */
/* numa-meminfo. */
#include "check.h"
#include "monitor/tree.h"
#include "monitor/watch.h"

static void each_node_and_their_sum_are_metrics(void **state)
{
	struct tree tree;
	tree_make(&tree);
	tree_load(&tree, "two-nodes/t0");
	struct watch *watch = watch_must(tree.fd, "numa-meminfo");
	watch_sample(watch);
	tree_load(&tree, "two-nodes/t1");
	watch_sample(watch);
	CHECK_VALUE(watch, "numa-meminfo.node0.MemFree", 2750000);
	CHECK_VALUE(watch, "numa-meminfo.node2.MemFree", 2250000);
	CHECK_VALUE(watch, "numa-meminfo.MemFree", 5000000);
	CHECK_TEXT(watch_metric(watch, "numa-meminfo.node2.MemFree")->unit, "KiB");
	CHECK_TEXT(watch_metric(watch, "numa-meminfo.node2.HugePages_Total")->unit, "1");
	watch_close(watch);
	tree_done(&tree);
}

static void three_recorded_nodes_are_read_as_their_key_says(void **state)
{
	char folder[PATH_MAX];
	if (!tree_case("proc-sys/node_exporter", folder))
		skip();
	struct tree tree;
	tree_make(&tree);
	CHECK(tree_copy(&tree, folder));
	struct watch *watch = watch_must(tree.fd, "numa-meminfo");
	watch_sample(watch);
	CHECK_INT(watch_channels(watch), 3 * 29);
	CHECK_VALUE(watch, "numa-meminfo.node0.MemTotal", 134182340);
	CHECK_VALUE(watch, "numa-meminfo.node1.MemTotal", 134217728);
	CHECK_VALUE(watch, "numa-meminfo.node2.MemTotal", 134217728);
	CHECK_VALUE(watch, "numa-meminfo.MemTotal", 134182340.0 + 134217728 + 134217728);
	watch_close(watch);
	tree_done(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_node_and_their_sum_are_metrics),
		cmocka_unit_test(three_recorded_nodes_are_read_as_their_key_says),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
