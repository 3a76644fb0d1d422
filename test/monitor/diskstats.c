/* SPDX-License-Identifier: GPL-2.0-or-later */
/* diskstats. */
#include "check.h"
#include "monitor/tree.h"
#include "monitor/watch.h"

static void lines_of_14_18_and_20_numbers_are_read(void **state)
{
	struct tree tree;
	tree_make(&tree);
	tree_load(&tree, "two-nodes/t0");
	struct watch *watch = watch_must(tree.fd, "diskstats");
	watch_sample(watch);
	tree_load(&tree, "two-nodes/t1");
	watch_sample(watch);
	CHECK_VALUE(watch, "diskstats.read_ios.sda", 30);
	CHECK_VALUE(watch, "diskstats.write_sectors.sda", 200);
	CHECK_VALUE(watch, "diskstats.flush_ios.sda", 1);
	CHECK_VALUE(watch, "diskstats.discard_sectors.sda1", 0);
	CHECK_MISSING(watch, "diskstats.flush_ios.sda1", MISSING_ABSENT);
	CHECK_TEXT(missing_text(watch_reading(watch, "flush_ios.sda1").why),
		   missing_text(MISSING_ABSENT));
	CHECK_VALUE(watch, "diskstats.io_ticks.loop0", 1);
	CHECK_INT(watch_reading(watch, "discard_ios.loop0").state, VALUE_MISSING);
	watch_close(watch);
	tree_done(&tree);
}

static void a_disk_that_goes_takes_no_others_numbers(void **state)
{
	struct tree tree;
	tree_make(&tree);
	tree_load(&tree, "two-nodes/t0");
	struct watch *watch = watch_must(tree.fd, "diskstats");
	watch_sample(watch);
	tree_load(&tree, "two-nodes/t2");
	watch_sample(watch);
	CHECK_VALUE(watch, "diskstats.read_ios.sda", 31);
	CHECK_INT(watch_reading(watch, "read_ios.sda1").state, VALUE_MISSING);
	CHECK(watch_metric(watch, "diskstats.read_ios.sdb") == NULL);
	watch_close(watch);
	tree_done(&tree);
}

static void the_recorded_disks_are_all_read(void **state)
{
	char full[PATH_MAX];
	struct tree tree;
	if (!tree_case("proc-sys/node_exporter/diskstats", full))
		skip();
	tree_make(&tree);
	tree_copy_file(&tree, full, "proc/diskstats");
	struct watch *watch = watch_must(tree.fd, "diskstats");
	watch_sample(watch);
	CHECK_INT(watch_channels(watch), 51 * 17);
	CHECK_INT(watch_reading(watch, "read_ios.sda").count, 25354637);
	CHECK_INT(watch_reading(watch, "time_in_queue.dm-0").count, 1206301256);
	watch_close(watch);
	tree_done(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_of_14_18_and_20_numbers_are_read),
		cmocka_unit_test(a_disk_that_goes_takes_no_others_numbers),
		cmocka_unit_test(the_recorded_disks_are_all_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
