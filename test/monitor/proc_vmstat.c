/* SPDX-License-Identifier: GPL-2.0-or-later */
/* proc-vmstat. */
#include "check.h"
#include "monitor/tree.h"
#include "monitor/watch.h"

static struct watch *start(struct tree *tree)
{
	tree_make(tree);
	tree_load(tree, "two-nodes/t0");
	struct watch *watch = watch_must(tree->fd, "proc-vmstat");
	watch_sample(watch);
	return watch;
}

static void stop(struct tree *tree, struct watch *watch)
{
	watch_close(watch);
	tree_done(tree);
}

static void counters_are_differences_and_levels_are_means(void **state)
{
	struct tree tree;
	struct watch *watch = start(&tree);
	tree_load(&tree, "two-nodes/t1");
	watch_sample(watch);
	CHECK_VALUE(watch, "proc-vmstat.pgfault", 100);
	CHECK_VALUE(watch, "proc-vmstat.nr_free_pages", 1250000);
	CHECK_VALUE(watch, "proc-vmstat.numa_hint_faults_local", 90);
	CHECK_VALUE(watch, "proc-vmstat.workingset_refault_file", 50);
	CHECK_VALUE(watch, "proc-vmstat.workingset_nodes", 40);
	CHECK_VALUE(watch, "proc-vmstat.nr_dirtied", 600);
	CHECK_VALUE(watch, "proc-vmstat.nr_dirty", 20);
	CHECK_VALUE(watch, "proc-vmstat.pgpgin", 400);
	CHECK_VALUE(watch, "proc-vmstat.numa_hit", 500);
	CHECK_VALUE(watch, "proc-vmstat.pgmajfault", 0);
	stop(&tree, watch);
}

static void each_name_has_its_kind_and_an_unknown_one_says_so(void **state)
{
	struct tree tree;
	struct watch *watch = start(&tree);
	CHECK_INT(watch_metric(watch, "proc-vmstat.pgfault")->kind, METRIC_COUNTER);
	CHECK_INT(watch_metric(watch, "proc-vmstat.nr_dirty")->kind, METRIC_GAUGE);
	CHECK_TEXT(watch_metric(watch, "proc-vmstat.pgpgout")->unit, "KiB");
	CHECK_TEXT(watch_metric(watch, "proc-vmstat.nr_a_name_of_the_future")->what,
		   "kind not listed, taken as gauge");
	stop(&tree, watch);
}

static void counters_that_are_switched_off_are_missing_and_not_zero(void **state)
{
	struct tree tree;
	tree_make(&tree);
	tree_load(&tree, "two-nodes/t0");
	tree_put(&tree, "proc/sys/vm/numa_stat", "0\n");
	struct watch *watch = watch_must(tree.fd, "proc-vmstat");
	watch_sample(watch);
	watch_sample(watch);
	CHECK_MISSING(watch, "proc-vmstat.numa_hit", MISSING_SWITCHED_OFF);
	CHECK_MISSING(watch, "proc-vmstat.numa_other", MISSING_SWITCHED_OFF);
	CHECK_VALUE(watch, "proc-vmstat.numa_hint_faults", 0);
	CHECK_VALUE(watch, "proc-vmstat.pgfault", 0);
	stop(&tree, watch);
}

static void counters_switched_off_in_the_window_give_no_frozen_difference(void **state)
{
	struct tree tree;
	struct watch *watch = start(&tree);
	tree_put(&tree, "proc/sys/vm/numa_stat", "0\n");
	watch_sample(watch);
	CHECK_MISSING(watch, "proc-vmstat.numa_local", MISSING_SWITCHED_OFF);
	stop(&tree, watch);
}

static void a_counter_that_runs_backwards_is_missing(void **state)
{
	struct tree tree;
	struct watch *watch = start(&tree);
	tree_put(&tree, "proc/vmstat", "pgfault 5\n");
	watch_sample(watch);
	CHECK_MISSING(watch, "proc-vmstat.pgfault", MISSING_BACKWARDS);
	CHECK_INT(watch_reading(watch, "nr_mlock").why, MISSING_ABSENT);
	stop(&tree, watch);
}

static void the_recorded_kernels_are_read_as_their_key_says(void **state)
{
	char folder[PATH_MAX];
	if (!tree_case("proc-sys/sysstat/root1", folder))
		skip();
	struct tree tree;
	tree_make(&tree);
	CHECK(tree_copy(&tree, folder));
	struct watch *watch = watch_must(tree.fd, "proc-vmstat");
	watch_sample(watch);
	CHECK_INT(watch_channels(watch), 142);
	CHECK_INT(watch_reading(watch, "pgfault").count, 60863302);
	CHECK_INT(watch_reading(watch, "pgmajfault").count, 10715);
	CHECK_INT(watch_reading(watch, "numa_hit").count, 50693668);
	CHECK_NEAR(watch_reading(watch, "nr_free_pages").level, 335580, 0);
	stop(&tree, watch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counters_are_differences_and_levels_are_means),
		cmocka_unit_test(each_name_has_its_kind_and_an_unknown_one_says_so),
		cmocka_unit_test(counters_that_are_switched_off_are_missing_and_not_zero),
		cmocka_unit_test(counters_switched_off_in_the_window_give_no_frozen_difference),
		cmocka_unit_test(a_counter_that_runs_backwards_is_missing),
		cmocka_unit_test(the_recorded_kernels_are_read_as_their_key_says),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
