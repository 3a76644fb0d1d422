/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPUs, cores, sockets and nodes: made trees, and recorded machines. */
#include "probe/environment_topology.h"

#include "base/text.h"
#include "check.h"
#include "probe/environment_tree.h"

#include <errno.h>
#include <stdlib.h>

#define CPU "sys/devices/system/cpu/"

static void a_mask_gives_its_members_in_order(void **state)
{
	struct environment_cpus cpus;
	(void)state;
	CHECK_INT(environment_mask_parse("00000000,0000000f", &cpus), 4);
	CHECK_INT(cpus.numbers[0], 0);
	CHECK_INT(cpus.numbers[3], 3);
	CHECK_INT(environment_mask_parse("1,00000000\n", &cpus), 1);
	CHECK_INT(cpus.numbers[0], 32);
	CHECK_INT(environment_mask_parse("Aa", &cpus), 4);
	CHECK_INT(cpus.numbers[0], 1);
	CHECK_INT(cpus.numbers[3], 7);
	CHECK_INT(environment_mask_parse("0", &cpus), 0);
	CHECK_INT(cpus.count, 0);
}

static void what_is_no_mask_is_refused(void **state)
{
	(void)state;
	CHECK_INT(environment_mask_parse("", NULL), -EINVAL);
	CHECK_INT(environment_mask_parse("\n", NULL), -EINVAL);
	CHECK_INT(environment_mask_parse("0x3", NULL), -EINVAL);
	CHECK_INT(environment_mask_parse("0-3", NULL), -EINVAL);
}

static void members_beyond_the_limit_are_not_kept(void **state)
{
	struct environment_cpus cpus;
	char mask[3000];
	(void)state;
	memset(mask, 'f', sizeof(mask) - 1);
	mask[sizeof(mask) - 1] = '\0';
	CHECK_INT(environment_mask_parse(mask, &cpus), ENVIRONMENT_CPUS_MAX);
	CHECK_INT(cpus.count, ENVIRONMENT_CPUS_MAX);
	CHECK_INT(cpus.numbers[cpus.count - 1], ENVIRONMENT_CPUS_MAX - 1);
}

static void a_list_is_shown_as_the_kernel_prints_it(void **state)
{
	struct environment_cpus cpus;
	struct text text = { 0 };
	(void)state;
	CHECK_INT(environment_mask_parse("137", &cpus), 6);
	environment_cpus_show(&cpus, &text);
	CHECK_TEXT(text_string(&text), "0-2,4-5,8");
	text_done(&text);
}

static void siblings_with_repeating_package_ids_are_two_sockets(void **state)
{
	struct environment_tree tree = environment_tree_make();
	struct environment_topology topology;
	(void)state;
	environment_tree_file(&tree, CPU "online", "0-3\n");
	for (int cpu = 0; cpu < 4; cpu++) {
		char path[96];
		(void)snprintf(path, sizeof(path), CPU "cpu%d/topology/physical_package_id", cpu);
		environment_tree_file(&tree, path, "-1\n");
		(void)snprintf(path, sizeof(path), CPU "cpu%d/topology/core_siblings", cpu);
		environment_tree_file(&tree, path, cpu < 2 ? "3\n" : "c\n");
		(void)snprintf(path, sizeof(path), CPU "cpu%d/topology/thread_siblings", cpu);
		environment_tree_file(&tree, path, cpu < 2 ? "3\n" : cpu == 2 ? "4\n" : "8\n");
	}
	environment_topology_read(tree.fd, &topology);
	CHECK_INT(topology.online.count, 4);
	CHECK_INT(topology.sockets, 2);
	CHECK_INT(topology.cores, 3);
	CHECK_INT(topology.threads_per_core, 2);
	environment_tree_remove(&tree);
}

static void an_empty_tree_has_no_counts(void **state)
{
	struct environment_tree tree = environment_tree_make();
	struct environment_topology topology;
	struct environment_nodes nodes;
	(void)state;
	environment_topology_read(tree.fd, &topology);
	CHECK_INT(topology.online.count, 0);
	CHECK_INT(topology.cores, 0);
	CHECK_INT(topology.sockets, 0);
	const enum missing why = environment_nodes_read(tree.fd, &nodes);
	CHECK_INT(why, MISSING_ABSENT);
	environment_tree_remove(&tree);
}

static void without_a_list_the_folders_are_asked(void **state)
{
	struct environment_tree tree = environment_tree_make();
	struct environment_topology topology;
	(void)state;
	environment_tree_file(&tree, CPU "cpu0/cpufreq/scaling_driver", "none\n");
	environment_tree_file(&tree, CPU "cpu2/online", "1\n");
	environment_tree_file(&tree, CPU "cpu10/online", "1\n");
	environment_tree_file(&tree, CPU "cpu3/online", "0\n");
	environment_tree_file(&tree, CPU "cpufreq/boost", "1\n");
	environment_topology_read(tree.fd, &topology);
	CHECK_INT(topology.online.count, 3);
	CHECK_INT(topology.online.numbers[0], 0);
	CHECK_INT(topology.online.numbers[1], 2);
	CHECK_INT(topology.online.numbers[2], 10);
	environment_tree_remove(&tree);
}

/* Counts as hwloc and lscpu print them for these machines. */
static const struct {
	const char *archive;
	unsigned cpus, cores, sockets, threads, nodes;
} machines[] = {
	{ "proc-sys/hwloc/16amd64-8n2c.tar.bz2", 16, 16, 8, 1, 8 },
	{ "proc-sys/hwloc/16em64t-4s2c2t-offlines.tar.bz2", 12, 7, 4, 2, 1 },
	{ "proc-sys/hwloc/96em64t-4no4pa3ca2co.tar.bz2", 96, 96, 16, 1, 4 },
	{ "proc-sys/lscpu/s390-lpar.tar.gz", 17, 17, 7, 1, 0 },
	{ "proc-sys/lscpu/x86_64-64cpu-linux6.2.tar.gz", 8, 4, 1, 2, 1 },
	{ "proc-sys/lscpu/x86_64-epyc_7451.tar.gz", 96, 48, 2, 2, 8 },
};

static void recorded_machines_are_counted_as_others_count_them(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		struct environment_tree tree = environment_tree_unpack(machines[i].archive);
		struct environment_topology topology;
		struct environment_nodes nodes;
		if (tree.fd < 0)
			skip();
		environment_topology_read(tree.fd, &topology);
		print_message("%s\n", machines[i].archive);
		CHECK_INT(topology.online.count, machines[i].cpus);
		CHECK_INT(topology.cores, machines[i].cores);
		CHECK_INT(topology.sockets, machines[i].sockets);
		CHECK_INT(topology.threads_per_core, machines[i].threads);
		const enum missing why = environment_nodes_read(tree.fd, &nodes);
		CHECK_INT(why, machines[i].nodes > 0 ? MISSING_NOT : MISSING_ABSENT);
		CHECK_INT(nodes.count, machines[i].nodes);
		environment_tree_remove(&tree);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_mask_gives_its_members_in_order),
		cmocka_unit_test(what_is_no_mask_is_refused),
		cmocka_unit_test(members_beyond_the_limit_are_not_kept),
		cmocka_unit_test(a_list_is_shown_as_the_kernel_prints_it),
		cmocka_unit_test(siblings_with_repeating_package_ids_are_two_sockets),
		cmocka_unit_test(an_empty_tree_has_no_counts),
		cmocka_unit_test(without_a_list_the_folders_are_asked),
		cmocka_unit_test(recorded_machines_are_counted_as_others_count_them),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
