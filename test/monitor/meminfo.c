/* SPDX-License-Identifier: GPL-2.0-or-later */
/* meminfo. */
#include "check.h"
#include "monitor/tree.h"
#include "monitor/watch.h"

static void levels_are_means_and_the_largest_use_is_a_true_maximum(void **state)
{
	struct tree tree;
	tree_make(&tree);
	tree_load(&tree, "two-nodes/t0");
	struct watch *watch = watch_must(tree.fd, "meminfo");
	watch_sample(watch);
	tree_load(&tree, "two-nodes/t1");
	watch_sample(watch);
	tree_load(&tree, "two-nodes/t2");
	watch_sample(watch);
	CHECK_VALUE(watch, "meminfo.MemTotal", 8000000);
	CHECK_VALUE(watch, "meminfo.MemFree", (6000000 + 4000000 + 5500000) / 3.0);
	CHECK_VALUE(watch, "meminfo.Memused", (2000000 + 4000000 + 2500000) / 3.0);
	CHECK_VALUE(watch, "meminfo.max_used_kB", 4000000);
	CHECK_VALUE(watch, "meminfo.Active(anon)", 100000);
	watch_close(watch);
	tree_done(&tree);
}

static void each_key_has_the_unit_that_the_file_gives_it(void **state)
{
	struct tree tree;
	tree_make(&tree);
	tree_load(&tree, "two-nodes/t0");
	struct watch *watch = watch_must(tree.fd, "meminfo");
	CHECK_TEXT(watch_metric(watch, "meminfo.MemFree")->unit, "KiB");
	CHECK_TEXT(watch_metric(watch, "meminfo.Hugepagesize")->unit, "KiB");
	CHECK_TEXT(watch_metric(watch, "meminfo.HugePages_Free")->unit, "1");
	CHECK_INT(watch_metric(watch, "meminfo.max_used_kB")->kind, METRIC_MAXIMUM);
	watch_close(watch);
	tree_done(&tree);
}

static void use_is_missing_when_a_half_of_it_is(void **state)
{
	struct tree tree;
	tree_make(&tree);
	tree_put(&tree, "proc/meminfo", "MemTotal: 10 kB\nMemFree: 4 kB\n");
	struct watch *watch = watch_must(tree.fd, "meminfo");
	watch_sample(watch);
	CHECK_VALUE(watch, "meminfo.max_used_kB", 6);
	tree_put(&tree, "proc/meminfo", "MemTotal: 10 kB\n");
	watch_sample(watch);
	CHECK_INT(watch_reading(watch, "Memused").why, MISSING_ABSENT);
	tree_put(&tree, "proc/meminfo", "MemTotal: 10 kB\nMemFree: 11 kB\n");
	watch_sample(watch);
	CHECK_INT(watch_reading(watch, "Memused").why, MISSING_MALFORMED);
	tree_put(&tree, "proc/meminfo", "MemTotal: ten kB\nMemFree: 1 kB\n");
	watch_sample(watch);
	CHECK_INT(watch_reading(watch, "Memused").why, MISSING_MALFORMED);
	CHECK_VALUE(watch, "meminfo.max_used_kB", 6);
	watch_close(watch);
	tree_put(&tree, "proc/meminfo", "Buffers: 10 kB\n");
	watch = watch_must(tree.fd, "meminfo");
	watch_sample(watch);
	CHECK_MISSING(watch, "meminfo.Memused", MISSING_ABSENT);
	watch_close(watch);
	tree_done(&tree);
}

static void the_recorded_machine_is_read_as_its_key_says(void **state)
{
	char folder[PATH_MAX];
	if (!tree_case("proc-sys/sysstat/root2", folder))
		skip();
	struct tree tree;
	tree_make(&tree);
	CHECK(tree_copy(&tree, folder));
	struct watch *watch = watch_must(tree.fd, "meminfo");
	watch_sample(watch);
	CHECK_INT(watch_channels(watch), 50 + 1);
	CHECK_VALUE(watch, "meminfo.MemTotal", 8144960);
	watch_close(watch);
	tree_done(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(levels_are_means_and_the_largest_use_is_a_true_maximum),
		cmocka_unit_test(each_key_has_the_unit_that_the_file_gives_it),
		cmocka_unit_test(use_is_missing_when_a_half_of_it_is),
		cmocka_unit_test(the_recorded_machine_is_read_as_its_key_says),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
