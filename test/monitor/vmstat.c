/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vmstat. */
#include "check.h"
#include "monitor/tree.h"
#include "monitor/watch.h"

#include <unistd.h>

static struct watch *start(struct tree *tree)
{
	tree_make(tree);
	tree_load(tree, "two-nodes/t0");
	struct watch *watch = watch_must(tree->fd, "vmstat");
	watch_sample(watch);
	return watch;
}

static void stop(struct tree *tree, struct watch *watch)
{
	watch_close(watch);
	tree_done(tree);
}

static void each_column_is_as_vmstat_shows_it(void **state)
{
	const long page_bytes = sysconf(_SC_PAGESIZE);
	const double page_kib = (double)page_bytes / 1024;
	struct tree tree;
	struct watch *watch = start(&tree);
	tree_load(&tree, "two-nodes/t1");
	watch_sample(watch);
	CHECK_VALUE(watch, "vmstat.procs.r", (2 + 4) / 2.0);
	CHECK_VALUE(watch, "vmstat.procs.b", 0.5);
	CHECK_VALUE(watch, "vmstat.memory.swpd", 100000);
	CHECK_VALUE(watch, "vmstat.memory.free", 5000000);
	CHECK_VALUE(watch, "vmstat.memory.buff", 10000);
	CHECK_VALUE(watch, "vmstat.memory.cache", 550000);
	CHECK_VALUE(watch, "vmstat.swap.si", 2 * page_kib);
	CHECK_VALUE(watch, "vmstat.swap.so", 0);
	CHECK_VALUE(watch, "vmstat.io.bi", 400);
	CHECK_VALUE(watch, "vmstat.io.bo", 100);
	CHECK_VALUE(watch, "vmstat.system.in", 1500);
	CHECK_VALUE(watch, "vmstat.system.cs", 2500);
	stop(&tree, watch);
}

static void cpu_shares_add_up_with_guests_apart(void **state)
{
	struct tree tree;
	struct watch *watch = start(&tree);
	tree_load(&tree, "two-nodes/t1");
	watch_sample(watch);
	CHECK_VALUE(watch, "vmstat.cpu.us", 100 * 150 / 396.0);
	CHECK_VALUE(watch, "vmstat.cpu.sy", 100 * 64 / 396.0);
	CHECK_VALUE(watch, "vmstat.cpu.id", 100 * 130 / 396.0);
	CHECK_VALUE(watch, "vmstat.cpu.wa", 100 * 2 / 396.0);
	CHECK_VALUE(watch, "vmstat.cpu.st", 0);
	CHECK_VALUE(watch, "vmstat.cpu.gu", 100 * 50 / 396.0);
	stop(&tree, watch);
}

static void an_idle_time_that_falls_with_a_cpu_is_missing_and_a_tick_is_held(void **state)
{
	struct tree tree;
	tree_make(&tree);
	tree_put(&tree, "proc/stat", "cpu  10 0 0 5000 70 0 0 0 0 0\n");
	struct watch *watch = watch_must(tree.fd, "vmstat");
	watch_sample(watch);
	tree_put(&tree, "proc/stat", "cpu  20 0 0 5090 69 0 0 0 0 0\n");
	watch_sample(watch);
	CHECK_VALUE(watch, "vmstat.cpu.wa", 0);
	CHECK_VALUE(watch, "vmstat.cpu.us", 10);
	tree_put(&tree, "proc/stat", "cpu  30 0 0 2000 69 0 0 0 0 0\n");
	watch_sample(watch);
	CHECK_MISSING(watch, "vmstat.cpu.id", MISSING_BACKWARDS);
	stop(&tree, watch);
}

static void what_cannot_be_had_is_missing_and_the_rest_is_there(void **state)
{
	struct tree tree;
	tree_make(&tree);
	tree_put(&tree, "proc/stat", "cpu  1 2 3\nintr -5\nctxt 7\nprocs_running 0\n");
	tree_put(&tree, "proc/meminfo", "MemFree: 5 kB\nSwapTotal: 1 kB\nSwapFree: 2 kB\n");
	struct watch *watch = watch_must(tree.fd, "vmstat");
	watch_sample(watch);
	CHECK_INT(watch_reading(watch, "cpu.us").why, MISSING_MALFORMED);
	CHECK_INT(watch_reading(watch, "system.in").why, MISSING_MALFORMED);
	CHECK_INT(watch_reading(watch, "system.cs").count, 7);
	CHECK_NEAR(watch_reading(watch, "procs.r").level, 0, 0);
	CHECK_INT(watch_reading(watch, "procs.b").why, MISSING_ABSENT);
	CHECK_NEAR(watch_reading(watch, "memory.free").level, 5, 0);
	CHECK_INT(watch_reading(watch, "memory.cache").why, MISSING_ABSENT);
	CHECK_INT(watch_reading(watch, "memory.swpd").why, MISSING_MALFORMED);
	CHECK_INT(watch_reading(watch, "io.bi").why, MISSING_ABSENT);
	stop(&tree, watch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_column_is_as_vmstat_shows_it),
		cmocka_unit_test(cpu_shares_add_up_with_guests_apart),
		cmocka_unit_test(an_idle_time_that_falls_with_a_cpu_is_missing_and_a_tick_is_held),
		cmocka_unit_test(what_cannot_be_had_is_missing_and_the_rest_is_there),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
