/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The NUMA nodes and one file of each. */
#include "monitor/nodes.h"

#include "base/mem.h"
#include "check.h"
#include "monitor/tree.h"

#include <errno.h>
#include <stdlib.h>

static void describe(const struct key *key, struct metric *metric)
{
	metric->kind = METRIC_GAUGE;
	metric->unit = "1";
}

static const struct nodes_plan plan = { .file = "f", .separator = ' ', .describe = describe };

static const struct metric_rule *find_rule(const struct monitor_setup *setup, const char *name)
{
	uint32_t n;
	const struct metric_rule *rules = monitor_setup_rules(setup, &n);
	for (uint32_t i = 0; i < n; i++) {
		if (strcmp(rules[i].metric.name, name) == 0)
			return &rules[i];
	}
	return NULL;
}

static const struct metric_rule *rule_of(const struct monitor_setup *setup, const char *name)
{
	const struct metric_rule *rule = find_rule(setup, name);
	CHECK(rule);
	return rule;
}

static void numbers_are_sorted_and_may_have_holes_and_three_digits(void **state)
{
	struct tree tree;
	struct error err = { 0 };
	uint32_t *numbers;
	uint32_t n;
	tree_make(&tree);
	tree_put(&tree, "sys/devices/system/node/node128/f", "a 1\n");
	tree_put(&tree, "sys/devices/system/node/node2/f", "a 1\n");
	tree_put(&tree, "sys/devices/system/node/node10/f", "a 1\n");
	tree_put(&tree, "sys/devices/system/node/nodes/f", "a 1\n");
	tree_put(&tree, "sys/devices/system/node/has_cpu", "2\n");
	CHECK_INT(nodes_list(tree.fd, &numbers, &n, &err), 0);
	CHECK_INT(n, 3);
	CHECK_INT(numbers[0], 2);
	CHECK_INT(numbers[1], 10);
	CHECK_INT(numbers[2], 128);
	free(numbers);
	tree_done(&tree);
}

static void a_tree_without_nodes_says_why(void **state)
{
	struct tree tree;
	struct error err = { 0 };
	uint32_t *numbers;
	uint32_t n;
	tree_make(&tree);
	CHECK_INT(nodes_list(tree.fd, &numbers, &n, &err), -ENOENT);
	CHECK_HOLDS(err.text, "CONFIG_NUMA");
	tree_put(&tree, "sys/devices/system/node/node0/other", "a 1\n");
	struct monitor_setup *setup = monitor_setup_new(tree.fd, "numa-x", "w");
	void *opened;
	CHECK(nodes_open(setup, &plan, &opened, &err) == MONITOR_UNAVAILABLE);
	CHECK_HOLDS(err.text, "has a file 'f'");
	monitor_setup_free(setup);
	tree_done(&tree);
}

static void two_nodes_have_totals_even_of_a_key_that_one_of_them_lacks(void **state)
{
	struct tree tree;
	struct error err = { 0 };
	void *opened;
	tree_make(&tree);
	tree_put(&tree, "sys/devices/system/node/node0/f", "a 1\nb 2\n");
	tree_put(&tree, "sys/devices/system/node/node7/f", "b 3\nc 4\n");
	tree_put(&tree, "sys/devices/system/node/node9/other", "b 3\n");
	struct monitor_setup *setup = monitor_setup_new(tree.fd, "numa-x", "w");
	CHECK(nodes_open(setup, &plan, &opened, &err) == MONITOR_OPEN);
	uint32_t n;
	(void)monitor_setup_rules(setup, &n);
	CHECK_INT(n, 4 + 3);
	CHECK(find_rule(setup, "numa-x.node0.a") && find_rule(setup, "numa-x.node7.c"));
	CHECK_INT(rule_of(setup, "numa-x.a")->n_parts, 1);
	CHECK_INT(rule_of(setup, "numa-x.b")->n_parts, 2);
	CHECK_INT(rule_of(setup, "numa-x.b")->parts[0], 1);
	CHECK_INT(rule_of(setup, "numa-x.b")->parts[1], 2);
	CHECK_INT(rule_of(setup, "numa-x.c")->parts[0], 3);
	struct reading readings[4];
	nodes_sample(opened, readings);
	for (unsigned i = 0; i < 4; i++)
		CHECK_NEAR(readings[i].level, i + 1.0, 0);
	nodes_close(opened);
	monitor_setup_free(setup);
	tree_done(&tree);
}

static void one_node_has_no_total_beside_itself(void **state)
{
	struct tree tree;
	struct error err = { 0 };
	void *opened;
	tree_make(&tree);
	tree_put(&tree, "sys/devices/system/node/node3/f", "a 1\n");
	struct monitor_setup *setup = monitor_setup_new(tree.fd, "numa-x", "w");
	CHECK(nodes_open(setup, &plan, &opened, &err) == MONITOR_OPEN);
	uint32_t n;
	(void)monitor_setup_rules(setup, &n);
	CHECK_INT(n, 1);
	CHECK(find_rule(setup, "numa-x.node3.a") != NULL);
	nodes_close(opened);
	monitor_setup_free(setup);
	tree_done(&tree);
}

static void nodes_beyond_the_channels_of_a_monitor_are_left_out(void **state)
{
	struct tree tree;
	struct error err = { 0 };
	void *opened;
	char *text = mem_zero(KEYED_KEYS_MAX * 16);
	size_t length = 0;
	for (unsigned i = 0; i < KEYED_KEYS_MAX; i++)
		length += (size_t)sprintf(text + length, "key%u 1\n", i);
	tree_make(&tree);
	for (unsigned node = 0; node < 70; node++) {
		char path[64];
		(void)snprintf(path, sizeof(path), "sys/devices/system/node/node%u/f", node);
		tree_put_bytes(&tree, path, text, length);
	}
	struct monitor_setup *setup = monitor_setup_new(tree.fd, "numa-x", "w");
	CHECK(nodes_open(setup, &plan, &opened, &err) == MONITOR_OPEN);
	uint32_t n;
	(void)monitor_setup_channels(setup, &n);
	CHECK_INT(n, CHANNELS_PER_MONITOR_MAX / KEYED_KEYS_MAX * KEYED_KEYS_MAX);
	CHECK_INT(rule_of(setup, "numa-x.key0")->n_parts, 65);
	nodes_close(opened);
	monitor_setup_free(setup);
	free(text);
	tree_done(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_sorted_and_may_have_holes_and_three_digits),
		cmocka_unit_test(a_tree_without_nodes_says_why),
		cmocka_unit_test(two_nodes_have_totals_even_of_a_key_that_one_of_them_lacks),
		cmocka_unit_test(one_node_has_no_total_beside_itself),
		cmocka_unit_test(nodes_beyond_the_channels_of_a_monitor_are_left_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
