/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Settings of a subject become changes of files. */
#include "place/setting.h"

#include "place/job_make.h"
#include "place/tree.h"

#include <errno.h>

struct collected {
	struct changes changes;
	char **joins;
	struct error err;
	int failed;
};

static struct collected collect(const struct tree *tree, const struct job *job)
{
	struct collected got = { 0 };
	got.failed = settings_collect(job, tree->root_fd, &got.changes, &got.joins, &got.err);
	return got;
}

static void collected_done(struct collected *got)
{
	changes_done(&got->changes);
	settings_joins_free(got->joins);
}

static void a_sysctl_is_a_file_below_proc_sys(void **state)
{
	struct tree tree = tree_new();
	AUTO(job) struct job *job = job_make("hackbench");
	tree_put(&tree, "proc/sys/vm/numa_stat", "1\n");
	job_set(job, SETTING_SYSCTL, "vm.numa_stat", "0");
	struct collected got = collect(&tree, job);
	CHECK_INT(got.failed, 0);
	CHECK_INT(got.changes.n, 1);
	CHECK_TEXT(got.changes.items[0].path, "proc/sys/vm/numa_stat");
	CHECK_TEXT(got.changes.items[0].before, "1");
	collected_done(&got);
	tree_done(&tree);
}

static void a_sysctl_brings_those_along_that_it_changes(void **state)
{
	struct tree tree = tree_new();
	AUTO(job) struct job *job = job_make("hackbench");
	tree_put(&tree, "proc/sys/vm/dirty_bytes", "0\n");
	tree_put(&tree, "proc/sys/vm/dirty_ratio", "20\n");
	job_set(job, SETTING_SYSCTL, "vm.dirty_bytes", "4096000");
	struct collected got = collect(&tree, job);
	CHECK_INT(got.failed, 0);
	CHECK_INT(got.changes.n, 2);
	CHECK_TEXT(got.changes.items[0].path, "proc/sys/vm/dirty_bytes");
	CHECK(!got.changes.items[0].kept);
	CHECK_TEXT(got.changes.items[1].path, "proc/sys/vm/dirty_ratio");
	CHECK_TEXT(got.changes.items[1].before, "20");
	CHECK(got.changes.items[1].kept);
	collected_done(&got);
	tree_done(&tree);
}

static void a_sysfs_key_may_begin_with_its_mount_point(void **state)
{
	static const char *const keys[] = { "kernel/mm/ksm/run", "/sys/kernel/mm/ksm/run",
					    "sys/kernel/mm/ksm/run" };
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		struct tree tree = tree_new();
		AUTO(job) struct job *job = job_make("hackbench");
		tree_put(&tree, "sys/kernel/mm/ksm/run", "0\n");
		job_set(job, SETTING_SYSFS, keys[i], "1");
		struct collected got = collect(&tree, job);
		CHECK_INT(got.failed, 0);
		CHECK_TEXT(got.changes.items[0].path, "sys/kernel/mm/ksm/run");
		collected_done(&got);
		tree_done(&tree);
	}
}

static void a_sysfs_key_cannot_climb_out(void **state)
{
	struct tree tree = tree_new();
	AUTO(job) struct job *job = job_make("hackbench");
	job_set(job, SETTING_SYSFS, "../etc/passwd", "x");
	struct collected got = collect(&tree, job);
	CHECK_INT(got.failed, -EINVAL);
	collected_done(&got);
	tree_done(&tree);
}

static void a_governor_is_set_on_every_online_cpu_that_has_one(void **state)
{
	struct tree tree = tree_new();
	AUTO(job) struct job *job = job_make("hackbench");
	tree_put(&tree, "sys/devices/system/cpu/online", "0-1,3\n");
	tree_put(&tree, "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
	tree_put(&tree, "sys/devices/system/cpu/cpu3/cpufreq/scaling_governor", "schedutil\n");
	job_set(job, SETTING_GOVERNOR, "", "performance");
	struct collected got = collect(&tree, job);
	CHECK_INT(got.failed, 0);
	CHECK_INT(got.changes.n, 2);
	CHECK_TEXT(got.changes.items[1].before, "schedutil");
	collected_done(&got);
	tree_done(&tree);
}

static void a_machine_without_governors_says_so(void **state)
{
	struct tree tree = tree_new();
	AUTO(job) struct job *job = job_make("hackbench");
	tree_put(&tree, "sys/devices/system/cpu/online", "0-1\n");
	job_set(job, SETTING_GOVERNOR, "", "performance");
	struct collected got = collect(&tree, job);
	CHECK_INT(got.failed, -EINVAL);
	CHECK_HOLDS(got.err.text, "no frequency governor");
	collected_done(&got);
	tree_done(&tree);
}

static void idle_states_that_are_not_named_are_disabled(void **state)
{
	struct tree tree = tree_new();
	AUTO(job) struct job *job = job_make("hackbench");
	tree_put(&tree, "sys/devices/system/cpu/online", "0\n");
	tree_put(&tree, "sys/devices/system/cpu/cpu0/cpuidle/state0/name", "POLL\n");
	tree_put(&tree, "sys/devices/system/cpu/cpu0/cpuidle/state0/disable", "0\n");
	tree_put(&tree, "sys/devices/system/cpu/cpu0/cpuidle/state1/name", "C1E\n");
	tree_put(&tree, "sys/devices/system/cpu/cpu0/cpuidle/state1/disable", "0\n");
	tree_put(&tree, "sys/devices/system/cpu/cpu0/cpuidle/state2/name", "C6\n");
	tree_put(&tree, "sys/devices/system/cpu/cpu0/cpuidle/state2/disable", "1\n");
	job_set(job, SETTING_IDLE, "", "C1E, C6");
	struct collected got = collect(&tree, job);
	CHECK_INT(got.failed, 0);
	CHECK_INT(got.changes.n, 3);
	CHECK_TEXT(got.changes.items[0].value, "1");
	CHECK_TEXT(got.changes.items[1].value, "0");
	CHECK_TEXT(got.changes.items[2].value, "0");
	collected_done(&got);
	tree_done(&tree);
}

static void a_kernel_needs_another_place(void **state)
{
	struct tree tree = tree_new();
	AUTO(job) struct job *job = job_make("hackbench");
	job_set(job, SETTING_KERNEL, "", "/boot/vmlinuz");
	struct collected got = collect(&tree, job);
	CHECK_INT(got.failed, -EINVAL);
	CHECK_HOLDS(got.err.text, "no place yet that boots a kernel");
	CHECK_HOLDS(got.err.text, "'assay compare'"); /* What can be done now. */
	collected_done(&got);
	tree_done(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sysctl_is_a_file_below_proc_sys),
		cmocka_unit_test(a_sysctl_brings_those_along_that_it_changes),
		cmocka_unit_test(a_sysfs_key_may_begin_with_its_mount_point),
		cmocka_unit_test(a_sysfs_key_cannot_climb_out),
		cmocka_unit_test(a_governor_is_set_on_every_online_cpu_that_has_one),
		cmocka_unit_test(a_machine_without_governors_says_so),
		cmocka_unit_test(idle_states_that_are_not_named_are_disabled),
		cmocka_unit_test(a_kernel_needs_another_place),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
