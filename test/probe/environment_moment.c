/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was going on when the run began. */
#include "check.h"
#include "probe/environment_tree.h"

#define CPU "sys/devices/system/cpu/"

static void load_steal_and_pressure_are_read(void **state)
{
	struct environment_tree tree = environment_tree_make();
	(void)state;
	environment_tree_file(&tree, "proc/loadavg", "0.50 1.25 2.00 1/234 5678\n");
	environment_tree_file(&tree, "proc/stat",
			      "cpu  1 2 3 4 5 6 7 89 0 0\ncpu0 1 2 3 4 5 6 7 1 0 0\n");
	environment_tree_file(&tree, "proc/pressure/cpu",
			      "some avg10=1.50 avg60=0.00 avg300=0.00 total=9\n");
	environment_tree_file(&tree, "proc/pressure/io", "rubbish\n");
	struct run *run = environment_tree_facts(&tree, environment_moment);
	CHECK_TEXT(environment_tree_text(run, "load.1"), "0.50");
	CHECK_TEXT(environment_tree_text(run, "load.5"), "1.25");
	CHECK_TEXT(environment_tree_text(run, "load.15"), "2.00");
	CHECK_TEXT(environment_tree_text(run, "steal.ticks"), "89");
	CHECK_TEXT(environment_tree_text(run, "psi.cpu.some_avg10"), "1.50");
	CHECK_TEXT(environment_tree_text(run, "psi.io.some_avg10"), "missing: malformed");
	CHECK_TEXT(environment_tree_text(run, "psi.memory.some_avg10"), "missing: absent");
	CHECK_TEXT(environment_tree_text(run, "throttle.core"), "missing: absent");
	run_free(run);
	environment_tree_file(&tree, "proc/stat", "cpu  1 2 3 4\n");
	environment_tree_file(&tree, "proc/loadavg", "0.50\n");
	run = environment_tree_facts(&tree, environment_moment);
	CHECK_TEXT(environment_tree_text(run, "steal.ticks"), "missing: absent");
	CHECK_TEXT(environment_tree_text(run, "load.1"), "missing: malformed");
	run_free(run);
	environment_tree_remove(&tree);
}

static void a_count_that_siblings_share_is_taken_once(void **state)
{
	struct environment_tree tree = environment_tree_make();
	(void)state;
	environment_tree_file(&tree, CPU "online",
			      "1-3\n"); /* CPU 0, the lowest of its package, is offline. */
	for (int cpu = 1; cpu < 4; cpu++) {
		char path[128];
		(void)snprintf(path, sizeof(path),
			       CPU "cpu%d/thermal_throttle/package_throttle_count", cpu);
		environment_tree_file(&tree, path, "7\n");
		(void)snprintf(path, sizeof(path), CPU "cpu%d/topology/core_siblings", cpu);
		environment_tree_file(&tree, path, "f\n");
		(void)snprintf(path, sizeof(path), CPU "cpu%d/thermal_throttle/core_throttle_count",
			       cpu);
		environment_tree_file(&tree, path, cpu == 1 ? "1\n" : "10\n");
		(void)snprintf(path, sizeof(path), CPU "cpu%d/topology/thread_siblings", cpu);
		environment_tree_file(&tree, path, cpu == 1 ? "3\n" : "c\n");
	}
	struct run *run = environment_tree_facts(&tree, environment_moment);
	CHECK_TEXT(environment_tree_text(run, "throttle.package"), "7");
	CHECK_TEXT(environment_tree_text(run, "throttle.core"), "11");
	run_free(run);
	environment_tree_remove(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(load_steal_and_pressure_are_read),
		cmocka_unit_test(a_count_that_siblings_share_is_taken_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
