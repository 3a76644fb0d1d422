/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits of control groups: both versions, both together, nested and in a container. */
#include "check.h"
#include "probe/environment_tree.h"

#define V2_MOUNT "29 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"
#define V2 "sys/fs/cgroup/"

static struct run *facts_of(const struct environment_tree *tree, const char *groups,
			    const char *mounts)
{
	environment_tree_file(tree, "proc/self/cgroup", groups);
	environment_tree_file(tree, "proc/self/mountinfo", mounts);
	return environment_tree_facts(tree, environment_cgroup);
}

static void the_tightest_limit_on_the_way_up_holds(void **state)
{
	struct environment_tree tree = environment_tree_make();
	(void)state;
	environment_tree_file(&tree, V2 "a/cpu.max", "150000 100000\n");
	environment_tree_file(&tree, V2 "a/b/cpu.max", "max 100000\n");
	environment_tree_file(&tree, V2 "a/b/c/cpu.max", "200000 100000\n");
	environment_tree_file(&tree, V2 "a/memory.max", "max\n");
	environment_tree_file(&tree, V2 "a/b/memory.max", "1073741824\n");
	environment_tree_file(&tree, V2 "a/cpuset.cpus.effective", "0-3\n");
	environment_tree_file(&tree, V2 "cpuset.cpus.effective", "0-7\n");
	struct run *run = facts_of(&tree, "0::/a/b/c\n", V2_MOUNT);
	CHECK_TEXT(environment_tree_text(run, "cgroup.version"), "2");
	CHECK_TEXT(environment_tree_text(run, "cgroup.path"), "/a/b/c");
	CHECK_TEXT(environment_tree_text(run, "cgroup.cpu.max"), "150000 100000");
	CHECK_TEXT(environment_tree_text(run, "cgroup.memory.max"), "1073741824");
	CHECK_TEXT(environment_tree_text(run, "cgroup.cpuset.cpus"), "0-3");
	CHECK_TEXT(environment_tree_text(run, "cgroup.cpuset.mems"), "missing: absent");
	run_free(run);
	environment_tree_remove(&tree);
}

static void a_tree_without_limits_says_max(void **state)
{
	struct environment_tree tree = environment_tree_make();
	(void)state;
	environment_tree_file(&tree, V2 "cgroup.procs", "1\n");
	struct run *run = facts_of(&tree, "0::/\n", V2_MOUNT);
	CHECK_TEXT(environment_tree_text(run, "cgroup.path"), "/");
	CHECK_TEXT(environment_tree_text(run, "cgroup.cpu.max"), "max");
	CHECK_TEXT(environment_tree_text(run, "cgroup.memory.max"), "max");
	run_free(run);
	environment_tree_remove(&tree);
}

static void version_1_gives_the_same_form(void **state)
{
	struct environment_tree tree = environment_tree_make();
	(void)state;
	environment_tree_file(&tree, V2 "cpu,cpuacct/box/cpu.cfs_quota_us", "50000\n");
	environment_tree_file(&tree, V2 "cpu,cpuacct/box/cpu.cfs_period_us", "100000\n");
	environment_tree_file(&tree, V2 "cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
	environment_tree_file(&tree, V2 "cpu,cpuacct/cpu.cfs_period_us", "100000\n");
	environment_tree_file(&tree, V2 "memory/box/memory.limit_in_bytes",
			      "9223372036854771712\n");
	environment_tree_file(&tree, V2 "cpuset/box/cpuset.cpus", "2\n");
	struct run *run = facts_of(
		&tree, "4:memory:/box\n3:cpuset:/box\n2:cpu,cpuacct:/box\n",
		"30 29 0:1 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct\n"
		"31 29 0:2 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
		"32 29 0:3 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n");
	CHECK_TEXT(environment_tree_text(run, "cgroup.version"), "1");
	CHECK_TEXT(environment_tree_text(run, "cgroup.path"), "/box");
	CHECK_TEXT(environment_tree_text(run, "cgroup.cpu.max"), "50000 100000");
	CHECK_TEXT(environment_tree_text(run, "cgroup.memory.max"), "max");
	CHECK_TEXT(environment_tree_text(run, "cgroup.cpuset.cpus"), "2");
	run_free(run);
	environment_tree_remove(&tree);
}

static void a_container_sees_only_its_part_of_the_tree(void **state)
{
	struct environment_tree tree = environment_tree_make();
	(void)state;
	environment_tree_file(&tree, V2 "cpu.max", "25000 100000\n");
	struct run *run =
		facts_of(&tree, "0::/docker/abc\n",
			 "29 23 0:26 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw\n");
	CHECK_TEXT(environment_tree_text(run, "cgroup.path"), "/");
	CHECK_TEXT(environment_tree_text(run, "cgroup.cpu.max"), "25000 100000");
	run_free(run);
	environment_tree_remove(&tree);
}

static void without_control_groups_everything_is_missing(void **state)
{
	struct environment_tree tree = environment_tree_make();
	(void)state;
	struct run *run = environment_tree_facts(&tree, environment_cgroup);
	CHECK_TEXT(environment_tree_text(run, "cgroup.version"), "missing: absent");
	CHECK_TEXT(environment_tree_text(run, "cgroup.cpu.max"), "missing: absent");
	run_free(run);
	run = facts_of(&tree, "garbage\n:::\n0::/a\n", "also garbage\n1 2 - \n");
	CHECK_TEXT(environment_tree_text(run, "cgroup.version"), "missing: absent");
	CHECK_TEXT(environment_tree_text(run, "cgroup.cpu.max"), "missing: absent");
	run_free(run);
	environment_tree_remove(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_tightest_limit_on_the_way_up_holds),
		cmocka_unit_test(a_tree_without_limits_says_max),
		cmocka_unit_test(version_1_gives_the_same_form),
		cmocka_unit_test(a_container_sees_only_its_part_of_the_tree),
		cmocka_unit_test(without_control_groups_everything_is_missing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
