/* SPDX-License-Identifier: GPL-2.0-or-later */
/* buddyinfo. */
#include "check.h"
#include "monitor/tree.h"
#include "monitor/watch.h"

static void free_blocks_are_a_level_for_each_zone(void **state)
{
	struct tree tree;
	tree_make(&tree);
	tree_load(&tree, "two-nodes/t0");
	struct watch *watch = watch_must(tree.fd, "buddyinfo");
	watch_sample(watch);
	tree_load(&tree, "two-nodes/t1");
	watch_sample(watch);
	CHECK_VALUE(watch, "buddyinfo.node0.Normal.order0", 80);
	CHECK_VALUE(watch, "buddyinfo.node0.Normal.order3", 6);
	CHECK_VALUE(watch, "buddyinfo.node4.Movable.order3", 7);
	CHECK(watch_metric(watch, "buddyinfo.node0.Normal.order4") == NULL);
	watch_close(watch);
	tree_done(&tree);
}

static void a_node_that_goes_is_missing(void **state)
{
	struct tree tree;
	tree_make(&tree);
	tree_load(&tree, "two-nodes/t0");
	struct watch *watch = watch_must(tree.fd, "buddyinfo");
	watch_sample(watch);
	tree_load(&tree, "two-nodes/t2");
	watch_sample(watch);
	CHECK_INT(watch_reading(watch, "node4.Movable.order0").state, VALUE_MISSING);
	CHECK_NEAR(watch_reading(watch, "node0.DMA.order2").level, 2, 0);
	watch_close(watch);
	tree_done(&tree);
}

static void the_recorded_zones_have_eleven_orders(void **state)
{
	char full[PATH_MAX];
	struct tree tree;
	if (!tree_case("proc-sys/node_exporter/buddyinfo", full))
		skip();
	tree_make(&tree);
	tree_copy_file(&tree, full, "proc/buddyinfo");
	struct watch *watch = watch_must(tree.fd, "buddyinfo");
	watch_sample(watch);
	CHECK_INT(watch_channels(watch), 3 * 11);
	CHECK_NEAR(watch_reading(watch, "node0.Normal.order0").level, 4381, 0);
	CHECK_NEAR(watch_reading(watch, "node0.DMA.order10").level, 3, 0);
	watch_close(watch);
	tree_done(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(free_blocks_are_a_level_for_each_zone),
		cmocka_unit_test(a_node_that_goes_is_missing),
		cmocka_unit_test(the_recorded_zones_have_eleven_orders),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
