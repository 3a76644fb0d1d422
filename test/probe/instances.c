/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/instances.h"

#include "check.h"
#include "tree.h"

#include <sched.h>

static struct error err;

static struct instances *made(const char *text, const struct tree *tree)
{
	struct instances_wish wish;
	struct instances *instances = NULL;
	CHECK(instances_parse(text, &wish));
	CHECK_INT(instances_new(&wish, tree->fd, &instances, &err), 0);
	return instances;
}

static void the_forms_are_known_and_others_are_not(void **state)
{
	(void)state;
	struct instances_wish wish = { .number = 77 };
	static const char *const wrong[] = { "",   "0",   "1025",   "core",   "node:",
					     "-1", "3:b", ":bound", "2:free", "node:bound:bound" };
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		CHECK(!instances_parse(wrong[i], &wish));
	CHECK_INT(wish.number, 77);
	CHECK(instances_parse("node", &wish));
	CHECK(wish.per == INSTANCES_NODE && !wish.bound);
	CHECK(instances_parse("socket:bound", &wish));
	CHECK(wish.per == INSTANCES_SOCKET && wish.bound);
	CHECK(instances_parse("1024", &wish));
	CHECK(wish.per == INSTANCES_NUMBER && wish.number == 1024 && !wish.bound);
	CHECK(instances_parse("3:bound", &wish));
	CHECK(wish.number == 3 && wish.bound);
}

/* The first CPU that this test may use; the trees are built around it. */
static unsigned first_cpu(void)
{
	cpu_set_t allowed;
	CHECK_INT(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
	unsigned cpu = 0;
	while (!CPU_ISSET(cpu, &allowed))
		cpu++;
	return cpu;
}

/* Two nodes: the first has only our first CPU, the second a CPU that no machine here has. */
static struct tree two_nodes(void)
{
	struct tree tree = tree_make();
	char list[32];
	(void)snprintf(list, sizeof(list), "%u\n", first_cpu());
	tree_put(&tree, "node", "online", "0-1\n");
	tree_put(&tree, "node/node0", "cpulist", list);
	tree_put(&tree, "node/node1", "cpulist", "8000\n");
	return tree;
}

static void nodes_without_an_allowed_cpu_get_no_copy(void **state)
{
	(void)state;
	struct tree tree = two_nodes();
	struct instances *instances = made("node:bound", &tree);
	CHECK_INT(instances_count(instances), 1);
	CHECK_INT(instances_cpus(instances, 0), 1);
	instances_free(instances);
	tree_remove(&tree);
}

static void without_topology_all_is_one_place(void **state)
{
	(void)state;
	struct tree tree = tree_make();
	cpu_set_t allowed;
	CHECK_INT(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
	static const char *const forms[] = { "node:bound", "socket:bound" };
	for (unsigned i = 0; i < 2; i++) {
		struct instances *instances = made(forms[i], &tree);
		CHECK_INT(instances_count(instances), 1);
		CHECK_INT(instances_cpus(instances, 0), CPU_COUNT(&allowed));
		instances_free(instances);
	}
	tree_remove(&tree);
}

static void a_socket_is_counted_once(void **state)
{
	(void)state;
	struct tree tree = tree_make();
	for (unsigned cpu = 0; cpu < 64; cpu++) {
		char folder[64];
		(void)snprintf(folder, sizeof(folder), "cpu/cpu%u/topology", cpu);
		tree_put(&tree, folder, "core_siblings_list", "0-63\n");
	}
	struct instances *instances = made("socket", &tree);
	CHECK_INT(instances_count(instances), 1);
	CHECK_INT(instances_cpus(instances, 0), 0); /* It is free. */
	instances_free(instances);
	tree_remove(&tree);
}

static void copies_at_one_place_stand_behind_each_other(void **state)
{
	(void)state;
	struct tree tree = two_nodes();
	struct instances *bound = made("3:bound", &tree);
	struct instances *unbound = made("3", &tree);
	CHECK_INT(instances_count(bound), 3);
	for (unsigned copy = 0; copy < 3; copy++) {
		CHECK_INT(instances_before(bound, copy), copy); /* One place, so all are there. */
		CHECK_INT(instances_before(unbound, copy), copy);
	}
	CHECK_INT(instances_count(NULL), 1);
	CHECK_INT(instances_before(NULL, 0), 0);
	instances_free(bound);
	instances_free(unbound);
	tree_remove(&tree);
}

static void binding_is_undone_by_release(void **state)
{
	(void)state;
	struct tree tree = two_nodes();
	struct instances *instances = made("node:bound", &tree);
	cpu_set_t before;
	cpu_set_t now;
	CHECK_INT(sched_getaffinity(0, sizeof(before), &before), 0);
	CHECK_INT(instances_bind(instances, 0, &err), 0);
	CHECK_INT(sched_getaffinity(0, sizeof(now), &now), 0);
	CHECK_INT(CPU_COUNT(&now), 1);
	CHECK(CPU_ISSET(first_cpu(), &now));
	instances_release(instances);
	CHECK_INT(sched_getaffinity(0, sizeof(now), &now), 0);
	CHECK(CPU_EQUAL(&now, &before));
	instances_free(instances);
	tree_remove(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_forms_are_known_and_others_are_not),
		cmocka_unit_test(nodes_without_an_allowed_cpu_get_no_copy),
		cmocka_unit_test(without_topology_all_is_one_place),
		cmocka_unit_test(a_socket_is_counted_once),
		cmocka_unit_test(copies_at_one_place_stand_behind_each_other),
		cmocka_unit_test(binding_is_undone_by_release),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
