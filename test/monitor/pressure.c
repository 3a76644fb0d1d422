/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pressure. */
#include "check.h"
#include "monitor/tree.h"
#include "monitor/watch.h"

static void totals_are_differences_and_averages_are_means(void **state)
{
	struct tree tree;
	tree_make(&tree);
	tree_load(&tree, "two-nodes/t0");
	struct watch *watch = watch_must(tree.fd, "pressure");
	watch_sample(watch);
	tree_load(&tree, "two-nodes/t1");
	watch_sample(watch);
	CHECK_VALUE(watch, "pressure.cpu.some.total_us", 250000);
	CHECK_VALUE(watch, "pressure.cpu.some.avg10", (1.25 + 100) / 2);
	CHECK_VALUE(watch, "pressure.cpu.full.total_us", 0);
	CHECK_VALUE(watch, "pressure.memory.some.total_us", 300);
	CHECK_VALUE(watch, "pressure.io.full.total_us", 50);
	CHECK_VALUE(watch, "pressure.io.full.avg10", 0.025);
	watch_close(watch);
	tree_done(&tree);
}

static void a_file_or_line_that_the_kernel_lacks_is_absent(void **state)
{
	struct tree tree;
	tree_make(&tree);
	tree_put(&tree, "proc/pressure/cpu", "some avg10=0.00 avg60=0.00 avg300=0.00 total=14\n");
	struct watch *watch = watch_must(tree.fd, "pressure");
	watch_sample(watch);
	CHECK_INT(watch_reading(watch, "cpu.some.total_us").count, 14);
	CHECK_INT(watch_reading(watch, "cpu.full.total_us").why, MISSING_ABSENT);
	CHECK_INT(watch_reading(watch, "irq.full.avg10").why, MISSING_ABSENT);
	CHECK_INT(watch_channels(watch), 14);
	watch_close(watch);
	tree_done(&tree);
}

static void a_kernel_without_it_is_named_as_the_reason(void **state)
{
	struct tree tree;
	struct error reason = { 0 };
	tree_make(&tree);
	CHECK(watch_open(tree.fd, "pressure", &reason) == NULL);
	CHECK_HOLDS(reason.text, "kernel without CONFIG_PSI");
	tree_done(&tree);
}

static void damaged_fields_are_malformed(void **state)
{
	struct tree tree;
	tree_make(&tree);
	tree_put(&tree, "proc/pressure/io",
		 "some avg10=x avg60=0.00 avg300=0.00 total= 14\nfull avg10=1 total=5\n");
	tree_put(&tree, "proc/pressure/cpu",
		 "some avg60=0.00 avg10=99.99 total=18446744073709551616\nfull total=");
	struct watch *watch = watch_must(tree.fd, "pressure");
	watch_sample(watch);
	CHECK_INT(watch_reading(watch, "io.some.avg10").why, MISSING_MALFORMED);
	CHECK_INT(watch_reading(watch, "io.some.total_us").why, MISSING_MALFORMED);
	CHECK_INT(watch_reading(watch, "io.full.avg10").why, MISSING_MALFORMED);
	CHECK_INT(watch_reading(watch, "io.full.total_us").count, 5);
	CHECK_NEAR(watch_reading(watch, "cpu.some.avg10").level, 99.99, 1e-12);
	CHECK_INT(watch_reading(watch, "cpu.some.total_us").why, MISSING_MALFORMED);
	CHECK_INT(watch_reading(watch, "cpu.full.total_us").why, MISSING_MALFORMED);
	watch_close(watch);
	tree_done(&tree);
}

static void the_recorded_machine_is_read(void **state)
{
	char from[PATH_MAX];
	if (!tree_case("proc-sys/node_exporter/pressure/irq", from))
		skip();
	struct tree tree;
	tree_make(&tree);
	tree_copy_file(&tree, from, "proc/pressure/irq");
	CHECK(tree_case("proc-sys/node_exporter/pressure/cpu", from));
	tree_copy_file(&tree, from, "proc/pressure/cpu");
	struct watch *watch = watch_must(tree.fd, "pressure");
	watch_sample(watch);
	CHECK_INT(watch_reading(watch, "irq.full.total_us").count, 8494);
	CHECK_INT(watch_reading(watch, "cpu.some.total_us").count, 14036781);
	watch_close(watch);
	tree_done(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(totals_are_differences_and_averages_are_means),
		cmocka_unit_test(a_file_or_line_that_the_kernel_lacks_is_absent),
		cmocka_unit_test(a_kernel_without_it_is_named_as_the_reason),
		cmocka_unit_test(damaged_fields_are_malformed),
		cmocka_unit_test(the_recorded_machine_is_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
