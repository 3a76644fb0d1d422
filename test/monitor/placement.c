/* SPDX-License-Identifier: GPL-2.0-or-later */
/* placement, on trees with 1, 2, 4 and 8 nodes: whom it follows, and what it makes of them. */
#include "base/text.h"
#include "check.h"
#include "monitor/tree.h"
#include "monitor/watch.h"

#include <stdio.h>
#include <unistd.h>

#define HARNESS 100

/* Nodes with two CPUs each: node i has the CPUs 2 i and 2 i + 1. */
static void put_nodes(const struct tree *tree, const unsigned *numbers, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		char path[96];
		char list[32];
		(void)snprintf(path, sizeof(path), "sys/devices/system/node/node%u/cpulist",
			       numbers[i]);
		(void)snprintf(list, sizeof(list), "%u-%u\n", 2 * i, 2 * i + 1);
		tree_put(tree, path, list);
	}
	tree_put(tree, "proc/uptime", "1 1\n"); /* The folder. */
	CHECK_INT(symlinkat("100", tree->fd, "proc/self"), 0);
}

static void put_stat(const struct tree *tree, const char *path, unsigned parent, unsigned ticks,
		     unsigned cpu)
{
	char text[256];
	(void)snprintf(text, sizeof(text),
		       "1 (w) R %u 0 0 0 0 0 0 0 0 0 %u 0 0 0 0 0 2 0 100 0 0 0 0 0 0 0 0 0 0 0 0 "
		       "0 0 0 17 %u 0 0\n",
		       parent, ticks, cpu);
	tree_put(tree, path, text);
}

static void put_task(const struct tree *tree, unsigned process, unsigned task, unsigned ticks,
		     unsigned cpu)
{
	char path[96];
	(void)snprintf(path, sizeof(path), "proc/%u/task/%u/stat", process, task);
	put_stat(tree, path, HARNESS, ticks, cpu);
	(void)snprintf(path, sizeof(path), "proc/%u/stat", process);
	put_stat(tree, path, HARNESS, ticks, cpu);
}

static void put_maps(const struct tree *tree, unsigned process, const char *maps)
{
	char path[96];
	(void)snprintf(path, sizeof(path), "proc/%u/numa_maps", process);
	tree_put(tree, path, maps);
}

/* As the probe: opened, then the workers are made, then it is told. */
static void follow(struct watch *watch, bool has_threads)
{
	watch_follow(watch, has_threads);
	watch_sample(watch);
}

static void a_pair_that_was_pulled_apart_is_local(void **state)
{
	static const unsigned numbers[] = { 0, 1 };
	struct tree tree;
	tree_make(&tree);
	put_nodes(&tree, numbers, 2);
	struct watch *watch = watch_must(tree.fd, "placement");
	put_task(&tree, 101, 101, 10, 0);
	put_task(&tree, 101, 111, 30, 1);
	put_task(&tree, 102, 102, 40, 3);
	put_maps(&tree, 101, "7f00 default anon=256 N0=256 kernelpagesize_kB=4\n");
	put_maps(&tree, 102,
		 "7f00 default anon=768 N1=768 kernelpagesize_kB=4\n"
		 "7f10 default\n");
	follow(watch, /* has_threads= */ false);
	CHECK_VALUE(watch, "placement.local", 100);
	CHECK_VALUE(watch, "placement.memory", 4);
	CHECK_VALUE(watch, "placement.tasks", 3);
	CHECK_VALUE(watch, "placement.node0.memory", 25);
	CHECK_VALUE(watch, "placement.node1.memory", 75);
	CHECK_VALUE(watch, "placement.node0.cpu", 50);
	CHECK_VALUE(watch, "placement.node1.cpu", 50);
	watch_close(watch);
	tree_done(&tree);
}

static void cpu_time_is_that_since_the_sample_before(void **state)
{
	static const unsigned numbers[] = { 0, 1 };
	struct tree tree;
	tree_make(&tree);
	put_nodes(&tree, numbers, 2);
	struct watch *watch = watch_must(tree.fd, "placement");
	put_task(&tree, 101, 101, 1000, 0);
	put_task(&tree, 101, 111, 1000, 0);
	put_maps(&tree, 101, "7f00 default N0=1 N1=3 kernelpagesize_kB=4\n");
	follow(watch, /* has_threads= */ false);
	CHECK_NEAR(watch_reading(watch, "node0.cpu").level, 100, 0);
	CHECK_NEAR(watch_reading(watch, "local").level, 25, 0);
	/* One has moved and run three times as long. */
	put_task(&tree, 101, 101, 1010, 0);
	put_task(&tree, 101, 111, 1030, 2);
	watch_sample(watch);
	CHECK_NEAR(watch_reading(watch, "node0.cpu").level, 25, 0);
	/* (1 * 1/4 + 3 * 3/4) of 4 pages. */
	CHECK_NEAR(watch_reading(watch, "local").level, 62.5, 0);
	/* Nobody has run: nothing is known of where, all of what is there. */
	watch_sample(watch);
	CHECK_INT(watch_reading(watch, "node0.cpu").state, VALUE_MISSING);
	CHECK_INT(watch_reading(watch, "local").state, VALUE_MISSING);
	CHECK_NEAR(watch_reading(watch, "node1.memory").level, 75, 0);
	CHECK_MISSING(watch, "placement.local_settled", MISSING_UNSETTLED);
	watch_close(watch);
	tree_done(&tree);
}

static void numbers_of_nodes_may_have_holes(void **state)
{
	static const unsigned numbers[] = { 0, 2, 3, 64 };
	struct tree tree;
	tree_make(&tree);
	put_nodes(&tree, numbers, 4);
	struct watch *watch = watch_must(tree.fd, "placement");
	put_task(&tree, 101, 101, 10, 7);
	/* A node that came later is none of the known ones. */
	put_maps(&tree, 101, "7f00 default N2=1 N64=2 N65=5 kernelpagesize_kB=2048\n");
	follow(watch, /* has_threads= */ false);
	CHECK_VALUE(watch, "placement.memory", 6);
	CHECK_VALUE(watch, "placement.node64.cpu", 100);
	CHECK_VALUE(watch, "placement.local", 100.0 * 2 / 3);
	CHECK_VALUE(watch, "placement.node0.memory", 0);
	CHECK(watch_metric(watch, "placement.node1.memory") == NULL);
	watch_close(watch);
	tree_done(&tree);
}

static void one_node_and_eight_are_the_same_to_it(void **state)
{
	static const unsigned numbers[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
	static const unsigned counts[] = { 1, 4, 8 };
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		struct tree tree;
		AUTO(text_buffer) struct text maps = { 0 };
		tree_make(&tree);
		put_nodes(&tree, numbers, counts[i]);
		struct watch *watch = watch_must(tree.fd, "placement");
		text_add(&maps, "7f00 interleave");
		for (unsigned node = 0; node < counts[i]; node++) {
			put_task(&tree, 101, 101 + node, 5, 2 * node);
			text_add(&maps, " N%u=16", node);
		}
		text_add(&maps, " kernelpagesize_kB=4\n");
		put_maps(&tree, 101, text_string(&maps));
		follow(watch, /* has_threads= */ false);
		/* Spread evenly, a page is local by chance. */
		CHECK_VALUE(watch, "placement.local", 100.0 / counts[i]);
		CHECK_VALUE(watch, "placement.node0.memory", 100.0 / counts[i]);
		CHECK_VALUE(watch, "placement.tasks", counts[i]);
		watch_close(watch);
		tree_done(&tree);
	}
}

static void with_threads_it_follows_the_harness_itself(void **state)
{
	static const unsigned numbers[] = { 0, 1 };
	struct tree tree;
	tree_make(&tree);
	put_nodes(&tree, numbers, 2);
	struct watch *watch = watch_must(tree.fd, "placement");
	put_task(&tree, HARNESS, 100, 0, 0);
	put_task(&tree, HARNESS, 105, 8, 3);
	put_task(&tree, 200, 200, 8, 0); /* Another child. */
	put_maps(&tree, HARNESS, "7f00 default N1=4 kernelpagesize_kB=4\n");
	put_maps(&tree, 200, "7f00 default N0=4 kernelpagesize_kB=4\n");
	follow(watch, /* has_threads= */ true);
	CHECK_VALUE(watch, "placement.tasks", 2);
	CHECK_VALUE(watch, "placement.node1.cpu", 100);
	CHECK_VALUE(watch, "placement.local", 100);
	watch_close(watch);
	tree_done(&tree);
}

static void children_of_workers_are_followed_and_strangers_are_not(void **state)
{
	static const unsigned numbers[] = { 0 };
	struct tree tree;
	tree_make(&tree);
	put_nodes(&tree, numbers, 1);
	struct watch *watch = watch_must(tree.fd, "placement");
	put_task(&tree, 101, 101, 1, 0);
	put_maps(&tree, 101, "7f00 default N0=256 kernelpagesize_kB=4\n");
	tree_put(&tree, "proc/101/task/101/children", "301 302 ");
	put_task(&tree, 301, 301, 1, 0);
	put_stat(&tree, "proc/301/stat", 101, 1, 0);
	put_maps(&tree, 301, "7f00 default N0=256 kernelpagesize_kB=4\n");
	/* 302 has ended; 400 is somebody else's. */
	put_task(&tree, 400, 400, 1, 0);
	put_stat(&tree, "proc/400/stat", 1, 1, 0);
	put_maps(&tree, 400, "7f00 default N0=256 kernelpagesize_kB=4\n");
	follow(watch, /* has_threads= */ false);
	CHECK_VALUE(watch, "placement.tasks", 2);
	CHECK_VALUE(watch, "placement.memory", 2);
	watch_close(watch);
	tree_done(&tree);
}

static void a_damaged_file_makes_memory_missing_and_not_the_tasks(void **state)
{
	static const unsigned numbers[] = { 0, 1 };
	static const char *const damaged[] = {
		"7f00 default N0=x kernelpagesize_kB=4\n",
		"7f00 default N0=5 kernelpagesize_kB=4\n7f10 default N1=", /* Cut. */
	};
	for (size_t i = 0; i < sizeof(damaged) / sizeof(*damaged); i++) {
		struct tree tree;
		tree_make(&tree);
		put_nodes(&tree, numbers, 2);
		struct watch *watch = watch_must(tree.fd, "placement");
		put_task(&tree, 101, 101, 5, 0);
		put_maps(&tree, 101, damaged[i]);
		follow(watch, /* has_threads= */ false);
		CHECK_MISSING(watch, "placement.local", MISSING_MALFORMED);
		CHECK_MISSING(watch, "placement.memory", MISSING_MALFORMED);
		CHECK_MISSING(watch, "placement.node1.memory", MISSING_MALFORMED);
		CHECK_VALUE(watch, "placement.node0.cpu", 100);
		watch_close(watch);
		tree_done(&tree);
	}
}

static void nobody_to_follow_is_missing_and_not_zero(void **state)
{
	static const unsigned numbers[] = { 0 };
	struct tree tree;
	tree_make(&tree);
	put_nodes(&tree, numbers, 1);
	struct watch *watch = watch_must(tree.fd, "placement");
	follow(watch, /* has_threads= */ false);
	CHECK_MISSING(watch, "placement.tasks", MISSING_ABSENT);
	CHECK_MISSING(watch, "placement.memory", MISSING_ABSENT);
	CHECK_MISSING(watch, "placement.local", MISSING_ABSENT);
	watch_close(watch);
	tree_done(&tree);
}

static void a_map_longer_than_the_buffer_is_read_whole(void **state)
{
	static const unsigned numbers[] = { 0, 1 };
	struct tree tree;
	AUTO(text_buffer) struct text maps = { 0 };
	tree_make(&tree);
	put_nodes(&tree, numbers, 2);
	struct watch *watch = watch_must(tree.fd, "placement");
	put_task(&tree, 101, 101, 5, 0);
	for (unsigned i = 0; i < 4096; i++)
		text_add(&maps, "7f%06x default file=/usr/lib/x N%u=1 kernelpagesize_kB=4\n", i,
			 i % 2);
	put_maps(&tree, 101, text_string(&maps));
	follow(watch, /* has_threads= */ false);
	CHECK_VALUE(watch, "placement.memory", 16);
	CHECK_VALUE(watch, "placement.node1.memory", 50);
	watch_close(watch);
	tree_done(&tree);
}

static void a_kernel_without_nodes_is_unavailable_with_the_reason(void **state)
{
	struct error reason = { 0 };
	struct tree tree;
	tree_make(&tree);
	CHECK(watch_open(tree.fd, "placement", &reason) == NULL);
	CHECK_HOLDS(reason.text, "sys/devices/system/node");
	tree_done(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pair_that_was_pulled_apart_is_local),
		cmocka_unit_test(cpu_time_is_that_since_the_sample_before),
		cmocka_unit_test(numbers_of_nodes_may_have_holes),
		cmocka_unit_test(one_node_and_eight_are_the_same_to_it),
		cmocka_unit_test(with_threads_it_follows_the_harness_itself),
		cmocka_unit_test(children_of_workers_are_followed_and_strangers_are_not),
		cmocka_unit_test(a_damaged_file_makes_memory_missing_and_not_the_tasks),
		cmocka_unit_test(nobody_to_follow_is_missing_and_not_zero),
		cmocka_unit_test(a_map_longer_than_the_buffer_is_read_whole),
		cmocka_unit_test(a_kernel_without_nodes_is_unavailable_with_the_reason),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
