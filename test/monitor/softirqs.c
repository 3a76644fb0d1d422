/* SPDX-License-Identifier: GPL-2.0-or-later */
/* softirqs. */
#include "check.h"
#include "monitor/tree.h"
#include "monitor/watch.h"

static void a_kind_is_the_sum_of_its_cpus_steps(void **state)
{
	struct tree tree;
	tree_make(&tree);
	tree_load(&tree, "two-nodes/t0");
	struct watch *watch = watch_must(tree.fd, "softirqs");
	watch_sample(watch);
	tree_load(&tree, "two-nodes/t1");
	watch_sample(watch);
	CHECK_VALUE(watch, "softirqs.TIMER", 300);
	CHECK_VALUE(watch, "softirqs.NET_RX", 15);
	CHECK_VALUE(watch, "softirqs.HI", 0);
	CHECK_INT(watch_reading(watch, "CPU130.TIMER").count, 3100);
	watch_close(watch);
	tree_done(&tree);
}

static void cpus_that_are_possible_but_not_plugged_in_have_no_channel(void **state)
{
	struct tree tree;
	tree_make(&tree);
	tree_load(&tree, "two-nodes/t0");
	struct watch *watch = watch_must(tree.fd, "softirqs");
	CHECK_INT(watch_channels(watch), 3 * 3);
	watch_close(watch);
	tree_done(&tree);
}

static uint64_t sum_of_kind(const char *file, const char *const *channels)
{
	char from[PATH_MAX];
	char full[PATH_MAX];
	struct tree tree;
	(void)snprintf(from, sizeof(from), "proc-sys/%s", file);
	CHECK(tree_case(from, full));
	tree_make(&tree);
	tree_copy_file(&tree, full, "proc/softirqs");
	struct watch *watch = watch_must(tree.fd, "softirqs");
	watch_sample(watch);
	uint64_t sum = 0;
	for (; *channels; channels++)
		sum += watch_reading(watch, *channels).count;
	watch_close(watch);
	tree_done(&tree);
	return sum;
}

static void the_recorded_machines_are_read_as_their_key_says(void **state)
{
	static const char *const timer[] = { "CPU0.TIMER", "CPU1.TIMER", NULL };
	static const char *const net[] = { "CPU0.NET_RX", "CPU1.NET_RX", NULL };
	char full[PATH_MAX];
	if (!tree_case("proc-sys", full))
		skip();
	CHECK_INT(sum_of_kind("node_exporter/softirqs", timer), 532533);
	CHECK_INT(sum_of_kind("node_exporter/softirqs", net), 147574);
	CHECK_INT(sum_of_kind("pcp/softirqs-8cpu-x86_64",
			      (const char *const[]) { "CPU0.HI", "CPU1.HI", "CPU2.HI", "CPU3.HI",
						      "CPU4.HI", "CPU5.HI", "CPU6.HI", "CPU7.HI",
						      NULL }),
		  18);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_kind_is_the_sum_of_its_cpus_steps),
		cmocka_unit_test(cpus_that_are_possible_but_not_plugged_in_have_no_channel),
		cmocka_unit_test(the_recorded_machines_are_read_as_their_key_says),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
