/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slabinfo. */
#include "check.h"
#include "monitor/tree.h"
#include "monitor/watch.h"

static void each_cache_has_its_objects_and_slabs(void **state)
{
	struct tree tree;
	tree_make(&tree);
	tree_load(&tree, "two-nodes/t0");
	struct watch *watch = watch_must(tree.fd, "slabinfo");
	watch_sample(watch);
	tree_load(&tree, "two-nodes/t1");
	watch_sample(watch);
	CHECK_VALUE(watch, "slabinfo.kmalloc-64.active_objs", 650);
	CHECK_VALUE(watch, "slabinfo.kmalloc-64.num_objs", 704);
	CHECK_VALUE(watch, "slabinfo.kmalloc-64.active_slabs", 11);
	CHECK_VALUE(watch, "slabinfo.kmalloc-64k.num_slabs", 3);
	CHECK_INT(watch_channels(watch), 2 * 4);
	watch_close(watch);
	tree_done(&tree);
}

static void a_cache_whose_name_begins_like_another_is_not_taken_for_it(void **state)
{
	struct tree tree;
	tree_make(&tree);
	tree_load(&tree, "two-nodes/t0");
	struct watch *watch = watch_must(tree.fd, "slabinfo");
	watch_sample(watch);
	tree_load(&tree, "two-nodes/t2");
	watch_sample(watch);
	CHECK_INT(watch_reading(watch, "kmalloc-64.active_objs").state, VALUE_MISSING);
	CHECK_NEAR(watch_reading(watch, "kmalloc-64k.active_objs").level, 4, 0);
	watch_close(watch);
	tree_done(&tree);
}

static void the_recorded_caches_are_read_as_their_key_says(void **state)
{
	char full[PATH_MAX];
	struct tree tree;
	if (!tree_case("proc-sys/node_exporter/slabinfo", full))
		skip();
	tree_make(&tree);
	tree_copy_file(&tree, full, "proc/slabinfo");
	struct watch *watch = watch_must(tree.fd, "slabinfo");
	watch_sample(watch);
	CHECK_INT(watch_channels(watch), 4 * 4);
	CHECK_NEAR(watch_reading(watch, "tw_sock_TCP.active_objs").level, 704, 0);
	CHECK_NEAR(watch_reading(watch, "kmalloc-8192.num_slabs").level, 37, 0);
	watch_close(watch);
	tree_done(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_cache_has_its_objects_and_slabs),
		cmocka_unit_test(a_cache_whose_name_begins_like_another_is_not_taken_for_it),
		cmocka_unit_test(the_recorded_caches_are_read_as_their_key_says),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
