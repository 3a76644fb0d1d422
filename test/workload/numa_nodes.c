/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes of trees typed here: holes, nodes with memory only, with CPUs only, odd numbers of them. */
#include "workload/numa_nodes.h"

#include "base/text.h"
#include "check.h"
#include "monitor/tree.h"

#include <errno.h>
#include <sched.h>
#include <unistd.h>

#include <sys/wait.h>

struct machine {
	struct tree tree;
	struct numa_nodes nodes;
};

/* A node line: number, CPUs, distances. A NULL number of CPUs ends the list. */
struct line {
	unsigned number;
	const char *cpus;
	const char *distances;
};

static void build(struct machine *machine, const char *online, const char *has_memory,
		  const struct line *lines)
{
	struct error err = { 0 };
	tree_make(&machine->tree);
	tree_put(&machine->tree, "sys/devices/system/node/online", online);
	if (has_memory)
		tree_put(&machine->tree, "sys/devices/system/node/has_memory", has_memory);
	for (; lines->cpus; lines++) {
		char path[96];
		(void)snprintf(path, sizeof(path), "sys/devices/system/node/node%u/cpulist",
			       lines->number);
		tree_put(&machine->tree, path, lines->cpus);
		(void)snprintf(path, sizeof(path), "sys/devices/system/node/node%u/distance",
			       lines->number);
		tree_put(&machine->tree, path, lines->distances);
	}
	if (numa_nodes_read(machine->tree.fd, &machine->nodes, &err) < 0)
		fail_msg("%s", err.text);
}

static void done(struct machine *machine)
{
	numa_nodes_done(&machine->nodes);
	tree_done(&machine->tree);
}

/* The bits as a list "0-1,4" would be tiresome: plain numbers. */
static void check_mask(const struct numa_mask *mask, const char *want)
{
	AUTO(text_buffer) struct text have = { 0 };
	for (unsigned bit = 0; bit < NUMA_BITS; bit++)
		if (numa_mask_has(mask, bit))
			text_add(&have, "%s%u", have.length ? " " : "", bit);
	CHECK_TEXT(text_string(&have), want);
}

static void two_nodes_are_two_halves(void **state)
{
	struct machine machine;
	struct numa_half halves[2];
	build(&machine, "0-1\n", "0-1\n",
	      (const struct line[]) {
		      { 0, "0-1\n", "10 21\n" }, { 1, "2-3\n", "21 10\n" }, { 0 } });
	CHECK_INT(numa_nodes_with_cpus(&machine.nodes), 2);
	CHECK_INT(numa_nodes_with_memory(&machine.nodes), 2);
	CHECK(numa_nodes_halves(&machine.nodes, halves));
	check_mask(&halves[0].cpus, "0 1");
	check_mask(&halves[0].memory, "0");
	check_mask(&halves[1].cpus, "2 3");
	check_mask(&halves[1].memory, "1");
	done(&machine);
}

static void of_three_nodes_with_holes_the_first_half_is_one(void **state)
{
	struct machine machine;
	struct numa_half halves[2];
	build(&machine, "0,2,8\n", "0,2,8\n",
	      (const struct line[]) { { 0, "0\n", "10 20 30\n" },
				      { 2, "1\n", "20 10 20\n" },
				      { 8, "2\n", "30 20 10\n" },
				      { 0 } });
	CHECK(numa_nodes_halves(&machine.nodes, halves));
	check_mask(&halves[0].memory, "0");
	check_mask(&halves[1].memory, "2 8");
	check_mask(&halves[1].cpus, "1 2");
	done(&machine);
}

static void eight_nodes_are_four_and_four(void **state)
{
	struct machine machine;
	struct numa_half halves[2];
	struct line lines[9] = { { 0 } };
	char cpus[8][8];
	for (unsigned i = 0; i < 8; i++) {
		(void)snprintf(cpus[i], sizeof(cpus[i]), "%u\n", 7 - i);
		lines[i] = (struct line) { i, cpus[i], "10 10 10 10 10 10 10 10\n" };
	}
	build(&machine, "0-7\n", "0-7\n", lines);
	CHECK(numa_nodes_halves(&machine.nodes, halves));
	check_mask(&halves[0].memory, "0 1 2 3");
	check_mask(&halves[0].cpus, "4 5 6 7");
	check_mask(&halves[1].memory, "4 5 6 7");
	done(&machine);
}

static void memory_without_cpus_goes_to_the_nearest_half(void **state)
{
	struct machine machine;
	struct numa_half halves[2];
	/* Node 2 hangs on node 1, node 3 on node 0; node 4 is as far from both. */
	build(&machine, "0-4\n", "0-4\n",
	      (const struct line[]) { { 0, "0\n", "10 20 30 17 25\n" },
				      { 1, "1\n", "20 10 17 30 25\n" },
				      { 2, "\n", "30 17 10 40 40\n" },
				      { 3, "\n", "17 30 40 10 40\n" },
				      { 4, "\n", "25 25 40 40 10\n" },
				      { 0 } });
	CHECK_INT(numa_nodes_with_cpus(&machine.nodes), 2);
	CHECK_INT(numa_nodes_with_memory(&machine.nodes), 5);
	CHECK(numa_nodes_halves(&machine.nodes, halves));
	check_mask(&halves[0].memory, "0 3 4");
	check_mask(&halves[1].memory, "1 2");
	check_mask(&halves[1].cpus, "1");
	done(&machine);
}

static void a_half_without_memory_is_no_half(void **state)
{
	struct machine machine;
	struct numa_half halves[2];
	build(&machine, "0-1\n", "0\n",
	      (const struct line[]) { { 0, "0\n", "10 20\n" }, { 1, "1\n", "20 10\n" }, { 0 } });
	CHECK_INT(numa_nodes_with_cpus(&machine.nodes), 2);
	CHECK_INT(numa_nodes_with_memory(&machine.nodes), 1);
	CHECK(!numa_nodes_halves(&machine.nodes, halves));
	done(&machine);
}

static void what_may_not_be_used_is_dropped(void **state)
{
	struct machine machine;
	struct numa_half halves[2];
	struct numa_mask cpus = { { 0 } };
	struct numa_mask memory = { { 0 } };
	build(&machine, "0-2\n", "0-2\n",
	      (const struct line[]) { { 0, "0\n", "10 20 20\n" },
				      { 1, "1\n", "20 10 20\n" },
				      { 2, "2\n", "20 20 10\n" },
				      { 0 } });
	numa_mask_set(&cpus, 0);
	numa_mask_set(&cpus, 2);
	numa_mask_set(&memory, 0);
	numa_mask_set(&memory, 2);
	numa_nodes_keep(&machine.nodes, &cpus, &memory);
	CHECK_INT(machine.nodes.n, 2);
	CHECK(numa_nodes_halves(&machine.nodes, halves));
	check_mask(&halves[1].cpus, "2");
	check_mask(&halves[1].memory, "2");
	/* One node is left: no halves. */
	cpus = (struct numa_mask) { { 1 } };
	numa_nodes_keep(&machine.nodes, &cpus, &cpus);
	CHECK_INT(machine.nodes.n, 1);
	CHECK(!numa_nodes_halves(&machine.nodes, halves));
	done(&machine);
}

static void a_kernel_that_does_not_say_which_nodes_have_memory_is_believed_for_all(void **state)
{
	struct machine machine;
	build(&machine, "0-1\n", /* has_memory= */ NULL,
	      (const struct line[]) { { 0, "0\n", "10 20\n" }, { 1, "\n", "20 10\n" }, { 0 } });
	CHECK_INT(numa_nodes_with_memory(&machine.nodes), 2);
	CHECK_INT(numa_nodes_with_cpus(&machine.nodes), 1);
	done(&machine);
}

static void a_kernel_without_numa_is_one_node(void **state)
{
	struct tree tree;
	struct numa_nodes nodes;
	struct numa_half halves[2];
	struct error err = { 0 };
	tree_make(&tree);
	tree_put(&tree, "sys/devices/system/cpu/online", "0-3\n");
	CHECK_INT(numa_nodes_read(tree.fd, &nodes, &err), 0);
	CHECK_INT(nodes.n, 1);
	CHECK_INT(nodes.nodes[0].number, 0);
	check_mask(&nodes.nodes[0].cpus, "0 1 2 3");
	CHECK(!numa_nodes_halves(&nodes, halves));
	numa_nodes_done(&nodes);
	tree_done(&tree);
}

static void a_tree_without_cpus_is_refused_with_the_reason(void **state)
{
	struct tree tree;
	struct numa_nodes nodes;
	struct error err = { 0 };
	tree_make(&tree);
	CHECK_INT(numa_nodes_read(tree.fd, &nodes, &err), -ENOENT);
	CHECK_HOLDS(err.text, "sys/devices/system/cpu/online");
	tree_done(&tree);
}

static void lists_and_distances_that_make_no_sense_are_passed_over(void **state)
{
	struct machine machine;
	build(&machine, "0-1\n", "what\n",
	      (const struct line[]) { { 0, "0-\n", "\n" }, { 1, "1\n", "x 10\n" }, { 0 } });
	CHECK_INT(numa_nodes_with_cpus(&machine.nodes), 1);
	CHECK_INT(numa_nodes_with_memory(&machine.nodes), 2);
	done(&machine);
}

/* In a child, whose binding ends with it. */
static void a_thread_is_bound_to_the_cpus_it_was_given(void **state)
{
	struct numa_mask cpus;
	struct numa_mask memory;
	struct error err = { 0 };
	CHECK_INT(numa_nodes_allowed(&cpus, &memory, &err), 0);
	CHECK(!numa_mask_is_empty(&cpus) && !numa_mask_is_empty(&memory));
	unsigned last = 0;
	for (unsigned cpu = 0; cpu < NUMA_BITS; cpu++)
		if (numa_mask_has(&cpus, cpu))
			last = cpu;
	struct numa_mask one = { { 0 } };
	numa_mask_set(&one, last);
	const pid_t child = fork();
	CHECK(child >= 0);
	if (child == 0) {
		const int failed = numa_bind_cpus(&one, &err);
		_exit(failed || sched_getcpu() != (int)last);
	}
	int status;
	CHECK_INT(waitpid(child, &status, 0), child);
	CHECK_INT(status, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_nodes_are_two_halves),
		cmocka_unit_test(of_three_nodes_with_holes_the_first_half_is_one),
		cmocka_unit_test(eight_nodes_are_four_and_four),
		cmocka_unit_test(memory_without_cpus_goes_to_the_nearest_half),
		cmocka_unit_test(a_half_without_memory_is_no_half),
		cmocka_unit_test(what_may_not_be_used_is_dropped),
		cmocka_unit_test(
			a_kernel_that_does_not_say_which_nodes_have_memory_is_believed_for_all),
		cmocka_unit_test(a_kernel_without_numa_is_one_node),
		cmocka_unit_test(a_tree_without_cpus_is_refused_with_the_reason),
		cmocka_unit_test(lists_and_distances_that_make_no_sense_are_passed_over),
		cmocka_unit_test(a_thread_is_bound_to_the_cpus_it_was_given),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
