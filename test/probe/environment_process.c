/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The facts of the process itself. */
#include "check.h"
#include "probe/environment_tree.h"

#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/resource.h>

static void clear_variables(void)
{
	(void)unsetenv("LD_PRELOAD");
	(void)unsetenv("MALLOC_ARENA_MAX");
	(void)unsetenv("TMPDIR");
}

static void variables_that_change_the_allocator_are_facts(void **state)
{
	struct environment_tree tree = environment_tree_make();
	(void)state;
	CHECK_INT(setenv("MALLOC_ARENA_MAX", "1", 1), 0);
	CHECK_INT(setenv("MALLOCATED", "no", 1), 0);
	CHECK_INT(setenv("GLIBC_TUNABLES", "glibc.malloc.check=3", 1), 0);
	struct run *run = environment_tree_facts(&tree, environment_process);
	CHECK_TEXT(environment_tree_text(run, "env.MALLOC_ARENA_MAX"), "1");
	CHECK_TEXT(environment_tree_text(run, "env.GLIBC_TUNABLES"), "glibc.malloc.check=3");
	CHECK_TEXT(environment_tree_text(run, "env.MALLOCATED"), "no such fact");
	CHECK_TEXT(environment_tree_text(run, "env.PATH"), "no such fact");
	run_free(run);
	(void)unsetenv("GLIBC_TUNABLES");
	clear_variables();
	environment_tree_remove(&tree);
}

static void preloads_come_from_variable_and_file(void **state)
{
	struct environment_tree tree = environment_tree_make();
	(void)state;
	clear_variables();
	struct run *run = environment_tree_facts(&tree, environment_process);
	CHECK_TEXT(environment_tree_text(run, "process.preload"), "none");
	run_free(run);
	environment_tree_file(&tree, "etc/ld.so.preload", "/usr/lib/libslow.so\n");
	run = environment_tree_facts(&tree, environment_process);
	CHECK_TEXT(environment_tree_text(run, "process.preload"), "/usr/lib/libslow.so");
	run_free(run);
	CHECK_INT(setenv("LD_PRELOAD", "libother.so", 1), 0);
	run = environment_tree_facts(&tree, environment_process);
	CHECK_TEXT(environment_tree_text(run, "process.preload"),
		   "libother.so /usr/lib/libslow.so");
	CHECK_TEXT(environment_tree_text(run, "env.LD_PRELOAD"), "libother.so");
	run_free(run);
	clear_variables();
	environment_tree_remove(&tree);
}

static void the_filesystem_is_that_of_the_deepest_mount(void **state)
{
	struct environment_tree tree = environment_tree_make();
	(void)state;
	environment_tree_file(
		&tree, "proc/self/mountinfo",
		"1 0 8:1 / / rw - ext4 /dev/sda rw\n2 1 0:5 / /scratch rw - xfs /dev/sdb rw\n"
		"3 2 0:6 / /scratch rw shared:1 - btrfs /dev/sdc rw\n4 1 0:7 / /scr rw - tmpfs tmpfs rw\n");
	CHECK_INT(setenv("TMPDIR", "/scratch/me", 1), 0);
	struct run *run = environment_tree_facts(&tree, environment_process);
	CHECK_TEXT(environment_tree_text(run, "tmp.directory"), "/scratch/me");
	CHECK_TEXT(environment_tree_text(run, "tmp.filesystem"), "btrfs");
	run_free(run);
	CHECK_INT(setenv("TMPDIR", "/scratchy", 1), 0);
	run = environment_tree_facts(&tree, environment_process);
	CHECK_TEXT(environment_tree_text(run, "tmp.filesystem"), "ext4");
	run_free(run);
	clear_variables();
	environment_tree_remove(&tree);
}

static void what_the_process_may_use_is_recorded(void **state)
{
	struct environment_tree tree = environment_tree_make();
	struct rlimit limit;
	cpu_set_t before;
	cpu_set_t one;
	char expected[32];
	(void)state;
	CHECK_INT(sched_getaffinity(0, sizeof(before), &before), 0);
	CHECK_INT(getrlimit(RLIMIT_NOFILE, &limit), 0);
	size_t cpu = 0;
	while (!CPU_ISSET(cpu, &before))
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	CHECK_INT(sched_setaffinity(0, sizeof(one), &one), 0);
	limit.rlim_cur = 123;
	CHECK_INT(setrlimit(RLIMIT_NOFILE, &limit), 0);
	struct run *run = environment_tree_facts(&tree, environment_process);
	(void)snprintf(expected, sizeof(expected), "%zu", cpu);
	CHECK_TEXT(environment_tree_text(run, "process.affinity"), expected);
	CHECK_TEXT(environment_tree_text(run, "limit.open_files"), "123");
	CHECK_TEXT(environment_tree_text(run, "process.user"),
		   geteuid() == 0 ? "root" : "not root");
	CHECK_HOLDS(environment_tree_text(run, "libc.version"), "glibc ");
	CHECK_HOLDS(environment_tree_text(run, "probe.flags"), "-std=");
	CHECK(run_fact_find(run, "probe.compiler")->text[0] != '\0');
	run_free(run);
	CHECK_INT(sched_setaffinity(0, sizeof(before), &before), 0);
	environment_tree_remove(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(variables_that_change_the_allocator_are_facts),
		cmocka_unit_test(preloads_come_from_variable_and_file),
		cmocka_unit_test(the_filesystem_is_that_of_the_deepest_mount),
		cmocka_unit_test(what_the_process_may_use_is_recorded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
