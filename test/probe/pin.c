/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/pin.h"

#include "check.h"
#include "tree.h"

#include <sched.h>

static void put(const struct tree *tree, unsigned cpu, const char *folder, const char *file,
		const char *list)
{
	char path[64];
	(void)snprintf(path, sizeof(path), "cpu/cpu%u/%s", cpu, folder);
	tree_put(tree, path, file, list);
}

/* Two sockets whose CPUs alternate, two cores each, two threads each: core siblings are N and N + 4. */
static void lay_alternating_sockets(const struct tree *tree)
{
	static const char *const cores[] = { "0,4\n", "1,5\n", "2,6\n", "3,7\n" };
	for (unsigned cpu = 0; cpu < 8; cpu++) {
		put(tree, cpu, "topology", "thread_siblings_list", cores[cpu % 4]);
		put(tree, cpu, "topology", "core_siblings_list",
		    cpu % 2 ? "1,3,5,7\n" : "0,2,4,6\n");
	}
}

static void one_cpu_of_each_core_socket_by_socket(void **state)
{
	(void)state;
	struct tree tree = tree_make();
	lay_alternating_sockets(&tree);
	unsigned cpus[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
	CHECK_INT(pin_keep_cores(tree.fd, cpus, 8), 4);
	CHECK_INT(cpus[0], 0);
	CHECK_INT(cpus[1], 2);
	CHECK_INT(cpus[2], 1);
	CHECK_INT(cpus[3], 3);
	tree_remove(&tree);
}

static void the_second_thread_stands_in_where_the_first_is_not_allowed(void **state)
{
	(void)state;
	struct tree tree = tree_make();
	lay_alternating_sockets(&tree);
	unsigned cpus[] = { 1, 4, 5, 6 };
	CHECK_INT(pin_keep_cores(tree.fd, cpus, 4), 3);
	CHECK_INT(cpus[0], 4);
	CHECK_INT(cpus[1], 6);
	CHECK_INT(cpus[2], 1);
	tree_remove(&tree);
}

static void cores_of_one_cache_stand_together(void **state)
{
	(void)state;
	struct tree tree = tree_make();
	for (unsigned cpu = 0; cpu < 4; cpu++)
		put(&tree, cpu, "cache/index3", "shared_cpu_list", cpu % 2 ? "1,3" : "0,2");
	unsigned cpus[] = { 0, 1, 2, 3 };
	CHECK_INT(pin_keep_cores(tree.fd, cpus, 4), 4);
	CHECK_INT(cpus[1], 2);
	CHECK_INT(cpus[2], 1);
	tree_remove(&tree);
}

static void without_topology_each_cpu_is_a_core(void **state)
{
	(void)state;
	struct tree tree = tree_make();
	unsigned cpus[] = { 2, 3, 9 };
	CHECK_INT(pin_keep_cores(tree.fd, cpus, 3), 3);
	CHECK_INT(cpus[0], 2);
	CHECK_INT(cpus[2], 9);
	tree_remove(&tree);
}

static void a_pinned_task_stands_on_one_cpu_and_gets_its_mask_back(void **state)
{
	(void)state;
	struct pin *pin = NULL;
	struct error err = { 0 };
	cpu_set_t before;
	cpu_set_t now;
	CHECK_INT(sched_getaffinity(0, sizeof(before), &before), 0);
	CHECK_INT(pin_new("cpu", &pin, &err), 0);
	CHECK(pin);
	for (unsigned i = 0; i < 5; i++) {
		CHECK_INT(pin_set(pin, i, &err), 0);
		CHECK_INT(sched_getaffinity(0, sizeof(now), &now), 0);
		CHECK_INT(CPU_COUNT(&now), 1);
	}
	/* It wraps: the CPU after the last is the first again. */
	cpu_set_t first;
	CHECK_INT(pin_set(pin, 0, &err), 0);
	CHECK_INT(sched_getaffinity(0, sizeof(first), &first), 0);
	CHECK_INT(pin_set(pin, (unsigned)CPU_COUNT(&before), &err), 0);
	CHECK_INT(sched_getaffinity(0, sizeof(now), &now), 0);
	CHECK(CPU_EQUAL(&now, &first));
	pin_restore(pin);
	CHECK_INT(sched_getaffinity(0, sizeof(now), &now), 0);
	CHECK(CPU_EQUAL(&now, &before));
	pin_free(pin);
}

static void none_changes_nothing(void **state)
{
	(void)state;
	struct pin *pin = NULL;
	struct error err = { 0 };
	cpu_set_t before;
	cpu_set_t now;
	CHECK_INT(sched_getaffinity(0, sizeof(before), &before), 0);
	CHECK_INT(pin_new("none", &pin, &err), 0);
	CHECK(!pin);
	CHECK_INT(pin_set(pin, 1, &err), 0);
	pin_restore(pin);
	CHECK_INT(sched_getaffinity(0, sizeof(now), &now), 0);
	CHECK(CPU_EQUAL(&now, &before));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_cpu_of_each_core_socket_by_socket),
		cmocka_unit_test(the_second_thread_stands_in_where_the_first_is_not_allowed),
		cmocka_unit_test(cores_of_one_cache_stand_together),
		cmocka_unit_test(without_topology_each_cpu_is_a_core),
		cmocka_unit_test(a_pinned_task_stands_on_one_cpu_and_gets_its_mask_back),
		cmocka_unit_test(none_changes_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
