/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The facts of memory and nodes. */
#include "check.h"
#include "probe/environment_tree.h"

#include <stdlib.h>

#define NODE "sys/devices/system/node/"
#define THP "sys/kernel/mm/transparent_hugepage/"

static void sizes_are_in_mebibytes(void **state)
{
	struct environment_tree tree = environment_tree_make();
	(void)state;
	environment_tree_file(
		&tree, "proc/meminfo",
		"MemTotal:       16384000 kB\nMemFree:  1 kB\nMemAvailable:    2048 kB\n"
		"SwapCached:  5 kB\nSwapTotal:       4096 kB\nSwapFree:  0 kB\n");
	struct run *run = environment_tree_facts(&tree, environment_memory);
	CHECK_TEXT(environment_tree_text(run, "memory.total_mib"), "16000");
	CHECK_TEXT(environment_tree_text(run, "free.memory_mib"), "2");
	CHECK_TEXT(environment_tree_text(run, "swap.total_mib"), "4");
	CHECK_TEXT(environment_tree_text(run, "free.swap_mib"), "0");
	CHECK_TEXT(environment_tree_text(run, "node.count"), "missing: absent");
	run_free(run);
	/* Kernels before 3.14 do not say what is available; free is something else. */
	environment_tree_file(&tree, "proc/meminfo", "MemTotal:  1024 kB\nMemFree:  1024 kB\n");
	run = environment_tree_facts(&tree, environment_memory);
	CHECK_TEXT(environment_tree_text(run, "free.memory_mib"), "missing: absent");
	run_free(run);
	environment_tree_remove(&tree);
}

static void nodes_have_cpus_memory_and_distances(void **state)
{
	struct environment_tree tree = environment_tree_make();
	(void)state;
	environment_tree_file(&tree, NODE "node0/cpulist", "0-1\n");
	environment_tree_file(&tree, NODE "node0/distance", "10  20\n");
	environment_tree_file(&tree, NODE "node0/meminfo", "\nNode 0 MemTotal:  2097152 kB\n");
	environment_tree_file(&tree, NODE "node2/cpumap", "0000000c\n");
	environment_tree_file(&tree, NODE "node2/distance", "20 10\n");
	struct run *run = environment_tree_facts(&tree, environment_memory);
	CHECK_TEXT(environment_tree_text(run, "node.count"), "2");
	CHECK_TEXT(environment_tree_text(run, "node.distances"), "10 20;20 10");
	CHECK_TEXT(environment_tree_text(run, "node.0.cpus"), "0-1");
	CHECK_TEXT(environment_tree_text(run, "node.0.memory_mib"), "2048");
	CHECK_TEXT(environment_tree_text(run, "node.2.cpus"), "2-3");
	CHECK_TEXT(environment_tree_text(run, "node.2.memory_mib"), "missing: absent");
	CHECK_TEXT(environment_tree_text(run, "node.1.cpus"), "no such fact");
	run_free(run);
	environment_tree_remove(&tree);
}

static void huge_pages_are_named_by_their_size(void **state)
{
	struct environment_tree tree = environment_tree_make();
	(void)state;
	environment_tree_file(&tree, "sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages",
			      "512\n");
	environment_tree_file(&tree, THP "enabled", "[always] madvise never\n");
	environment_tree_file(&tree, THP "hugepages-64kB/enabled",
			      "always inherit madvise [never]\n");
	environment_tree_file(&tree, THP "hugepages-8kB/shmem_enabled", "[never]\n");
	struct run *run = environment_tree_facts(&tree, environment_memory);
	CHECK_TEXT(environment_tree_text(run, "memory.hugepages.2048kB"), "512");
	CHECK_TEXT(environment_tree_text(run, "thp.enabled"), "always");
	CHECK_TEXT(environment_tree_text(run, "thp.64kB.enabled"), "never");
	CHECK_TEXT(environment_tree_text(run, "thp.8kB.enabled"), "no such fact");
	CHECK_TEXT(environment_tree_text(run, "thp.defrag"), "missing: absent");
	run_free(run);
	environment_tree_remove(&tree);
}

static void an_eight_node_machine_is_read_whole(void **state)
{
	struct environment_tree tree =
		environment_tree_unpack("proc-sys/hwloc/16amd64-8n2c.tar.bz2");
	unsigned long total_mib = 0;
	(void)state;
	if (tree.fd < 0)
		skip();
	struct run *run = environment_tree_facts(&tree, environment_memory);
	CHECK_TEXT(environment_tree_text(run, "node.count"), "8");
	CHECK_HOLDS(environment_tree_text(run, "node.distances"),
		    "10 20 20 20 20 20 20 20;20 10 20 20 20 20 20 20;");
	for (int node = 0; node < 8; node++) {
		char name[32];
		char cpus[16];
		(void)snprintf(name, sizeof(name), "node.%d.cpus", node);
		(void)snprintf(cpus, sizeof(cpus), "%d-%d", 2 * node, 2 * node + 1);
		CHECK_TEXT(environment_tree_text(run, name), cpus);
		(void)snprintf(name, sizeof(name), "node.%d.memory_mib", node);
		total_mib += strtoul(environment_tree_text(run, name), NULL, 10);
	}
	CHECK_NEAR((double)total_mib, 67106960.0 / 1024, 8); /* Each node is rounded down. */
	run_free(run);
	environment_tree_remove(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_are_in_mebibytes),
		cmocka_unit_test(nodes_have_cpus_memory_and_distances),
		cmocka_unit_test(huge_pages_are_named_by_their_size),
		cmocka_unit_test(an_eight_node_machine_is_read_whole),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
