/* SPDX-License-Identifier: GPL-2.0-or-later */
/* numa01 and its kin: what is refused, what is done, where the memory would be on another machine. */
#include "workload/numa_bench.h"

#include "base/fs.h"
#include "base/text.h"
#include "check.h"
#include "monitor/tree.h"
#include "workload/drive.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static const char *const names[] = { "numa01", "numa01_THREAD_ALLOC", "numa02", "numa02_SMT" };

/* A machine of two nodes of which this one may use the first: its CPUs are this machine's. */
static void put_nodes(const struct tree *tree, bool has_second)
{
	tree_put(tree, "sys/devices/system/node/online", has_second ? "0-1\n" : "0\n");
	tree_put(tree, "sys/devices/system/node/has_memory", has_second ? "0-1\n" : "0\n");
	tree_put(tree, "sys/devices/system/node/node0/cpulist", "0-8191\n");
	tree_put(tree, "sys/devices/system/node/node0/distance", "10 20\n");
	if (has_second) {
		tree_put(tree, "sys/devices/system/node/node1/cpulist", "\n");
		tree_put(tree, "sys/devices/system/node/node1/distance", "20 10\n");
	}
}

static void one_node_is_refused_unless_it_is_allowed(void **state)
{
	struct tree tree;
	tree_make(&tree);
	put_nodes(&tree, /* has_second= */ false);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct error err = { 0 };
		struct work *work = drive_work(names[i], "memory_mib=1", NULL);
		work_set_root(work, tree.fd);
		CHECK_INT(work_row(work)->prepare(work, &err), -EOPNOTSUPP);
		CHECK_HOLDS(err.text, "needs 2 nodes");
		CHECK_HOLDS(err.text, "--allow-one-node");
		CHECK(!work_shared(work));
		work_free(work);
		work = drive_work(names[i], "memory_mib=1", "one_node=allow", "bind=inverse", NULL);
		work_set_root(work, tree.fd);
		CHECK_INT(work_row(work)->prepare(work, &err), 0);
		work_row(work)->retire(work);
		work_free(work);
	}
	tree_done(&tree);
}

static void memory_that_is_not_there_is_refused(void **state)
{
	struct tree tree;
	struct error err = { 0 };
	tree_make(&tree);
	put_nodes(&tree, /* has_second= */ false);
	tree_put(&tree, "proc/meminfo", "MemTotal:       9999 kB\nMemAvailable:    4096 kB\n");
	struct work *work = drive_work("numa01", "memory_mib=3", "one_node=allow", NULL);
	work_set_root(work, tree.fd);
	CHECK_INT(work_row(work)->prepare(work, &err), -EOPNOTSUPP);
	CHECK_HOLDS(err.text, "2 process(es) of 3 MiB do not fit into the 4 MiB");
	work_free(work);
	work = drive_work("numa01", "memory_mib=2", "one_node=allow", NULL);
	work_set_root(work, tree.fd);
	CHECK_INT(work_row(work)->prepare(work, &err), 0);
	work_row(work)->retire(work);
	work_free(work);
	tree_done(&tree);
}

/* This process may not use a node 1 that is in the tree only, so one node is what there is. */
static void nodes_that_may_not_be_used_do_not_count(void **state)
{
	struct tree tree;
	struct error err = { 0 };
	if (fs_exists_at(AT_FDCWD, "/sys/devices/system/node/node1")) {
		print_message("this machine has a node 1\n");
		skip();
	}
	tree_make(&tree);
	put_nodes(&tree, /* has_second= */ true);
	struct work *work = drive_work("numa01", "memory_mib=1", NULL);
	work_set_root(work, tree.fd);
	CHECK_INT(work_row(work)->prepare(work, &err), -EOPNOTSUPP);
	CHECK_HOLDS(err.text, "1 with memory");
	work_free(work);
	tree_done(&tree);
}

static void an_operation_is_one_clearing_by_one_thread(void **state)
{
	static const struct {
		const char *name;
		unsigned processes;
	} cases[] = {
		{ "numa01", 2 },
		{ "numa01_THREAD_ALLOC", 2 },
		{ "numa02", 1 },
		{ "numa02_SMT", 1 },
	};
	static const char *const binds[] = { "bind=free", "bind=hard", "bind=inverse" };
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		for (size_t j = 0; j < ARRAY_SIZE(binds); j++) {
			struct work *work =
				drive_work(cases[i].name, "memory_mib=1", "loops=5", "threads=3",
					   "one_node=allow", binds[j], NULL);
			struct drive run = { .batches = 1 };
			if (drive(work, &run) < 0)
				fail_msg("%s %s: %s", cases[i].name, binds[j], run.err.text);
			CHECK_INT(run.tally.operations, cases[i].processes * 3 * 5);
			CHECK(value_is_known(run.values[0]) && run.values[0].number > 0);
			work_free(work);
		}
	}
}

static void a_run_on_one_node_is_marked_by_the_number_of_nodes(void **state)
{
	struct tree tree;
	struct error err = { 0 };
	struct value values[2];
	const struct tally tally = { .elapsed_ns = 1500000000 };
	tree_make(&tree);
	put_nodes(&tree, /* has_second= */ false);
	struct work *work = drive_work("numa02", "memory_mib=1", "one_node=allow", NULL);
	work_set_root(work, tree.fd);
	CHECK_INT(work_row(work)->prepare(work, &err), 0);
	work_row(work)->score(work, &tally, values);
	CHECK_NEAR(values[0].number, 1.5, 0.0);
	CHECK_NEAR(values[1].number, 1, 0.0);
	work_row(work)->retire(work);
	work_free(work);
	tree_done(&tree);
}

static void an_end_without_time_has_no_score(void **state)
{
	struct work *work = drive_work("numa01", NULL);
	const struct tally tally = { .elapsed_ns = 0 };
	struct value values[2];
	work_row(work)->score(work, &tally, values);
	CHECK_INT(values[0].state, VALUE_MISSING);
	CHECK_INT(values[1].state, VALUE_MISSING);
	work_free(work);
}

static void the_presets_are_the_originals(void **state)
{
	struct work *work = drive_work("numa01", NULL);
	CHECK_INT(work_workers(work), 2);
	CHECK_INT(work_number(work, "memory_mib"), 3072);
	CHECK_INT(work_number(work, "loops"), 50);
	work_free(work);
	work = drive_work("numa01_THREAD_ALLOC", NULL);
	CHECK_INT(work_number(work, "loops"), 1000);
	work_free(work);
	work = drive_work("numa02", NULL);
	CHECK_INT(work_workers(work), 1);
	CHECK_INT(work_number(work, "memory_mib"), 1024);
	CHECK_INT(work_number(work, "loops"), 800);
	CHECK_INT(work_number(work, "threads"), sysconf(_SC_NPROCESSORS_ONLN));
	work_free(work);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_node_is_refused_unless_it_is_allowed),
		cmocka_unit_test(memory_that_is_not_there_is_refused),
		cmocka_unit_test(nodes_that_may_not_be_used_do_not_count),
		cmocka_unit_test(an_operation_is_one_clearing_by_one_thread),
		cmocka_unit_test(a_run_on_one_node_is_marked_by_the_number_of_nodes),
		cmocka_unit_test(an_end_without_time_has_no_score),
		cmocka_unit_test(the_presets_are_the_originals),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
