/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Control group settings under version 1, version 2 and a mixture of both. */
#include "place/cgroup.h"

#include "place/job_make.h"
#include "place/setting.h"
#include "place/tree.h"

#include <errno.h>

static const char unified_mounts[] =
	"30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n";
static const char legacy_mounts[] =
	"31 23 0:27 / /sys/fs/cgroup/memory rw shared:9 - cgroup cgroup rw,memory\n"
	"32 23 0:28 / /sys/fs/cgroup/cpu rw shared:9 - cgroup cgroup rw,cpu,cpuacct\n"
	"33 23 0:29 / /sys/fs/cgroup/cpuset rw shared:9 - cgroup cgroup rw,cpuset\n"
	"34 23 0:30 / /sys/fs/cgroup/unified rw shared:9 - cgroup2 cgroup2 rw\n";

static const struct change *find(const struct changes *changes, const char *end)
{
	for (size_t i = 0; i < changes->n; i++) {
		const char *path = changes->items[i].path;
		const size_t length = strlen(path);
		if (length >= strlen(end) && strcmp(path + length - strlen(end), end) == 0)
			return &changes->items[i];
	}
	return NULL;
}

static void version_two_writes_the_key_as_it_is(void **state)
{
	struct tree tree = tree_new();
	struct changes changes = { 0 };
	struct error err;
	char **joins = NULL;
	AUTO(job) struct job *job = job_make("hackbench");
	tree_put(&tree, "proc/self/mountinfo", unified_mounts);
	tree_put(&tree, "sys/fs/cgroup/cgroup.controllers", "cpuset cpu io memory pids\n");
	job_set(job, SETTING_CGROUP, "memory.max", "1G");
	CHECK_INT(cgroup_collect(job, tree.root_fd, &changes, &joins, &err), 0);
	const struct change *limit = find(&changes, "/memory.max");
	const struct change *control = find(&changes, "/cgroup.subtree_control");
	CHECK(limit && control);
	CHECK_TEXT(limit->value, "1G");
	CHECK_TEXT(control->value, "+memory");
	CHECK(joins && joins[0] && !joins[1]);
	CHECK_HOLDS(joins[0], "/sys/fs/cgroup/assay-run-");
	changes_done(&changes);
	settings_joins_free(joins);
	tree_done(&tree);
}

static void version_one_gets_the_twin_of_the_key(void **state)
{
	struct tree tree = tree_new();
	struct changes changes = { 0 };
	struct error err;
	char **joins = NULL;
	AUTO(job) struct job *job = job_make("hackbench");
	tree_put(&tree, "proc/self/mountinfo", legacy_mounts);
	tree_put(&tree, "sys/fs/cgroup/unified/cgroup.controllers", "\n");
	job_set(job, SETTING_CGROUP, "memory.max", "1G");
	job_set(job, SETTING_CGROUP, "cpu.max", "50000 100000");
	CHECK_INT(cgroup_collect(job, tree.root_fd, &changes, &joins, &err), 0);
	CHECK_TEXT(find(&changes, "/memory.limit_in_bytes")->value, "1G");
	CHECK_TEXT(find(&changes, "/cpu.cfs_quota_us")->value, "50000");
	CHECK_TEXT(find(&changes, "/cpu.cfs_period_us")->value, "100000");
	CHECK(joins && joins[0] && joins[1] && !joins[2]);
	changes_done(&changes);
	settings_joins_free(joins);
	tree_done(&tree);
}

static void a_version_one_cpuset_starts_as_its_parent(void **state)
{
	struct tree tree = tree_new();
	struct changes changes = { 0 };
	struct error err;
	char **joins = NULL;
	AUTO(job) struct job *job = job_make("hackbench");
	tree_put(&tree, "proc/self/mountinfo", legacy_mounts);
	tree_put(&tree, "sys/fs/cgroup/cpuset/cpuset.cpus", "0-3\n");
	tree_put(&tree, "sys/fs/cgroup/cpuset/cpuset.mems", "0\n");
	job_set(job, SETTING_CGROUP, "cpuset.cpus", "1");
	CHECK_INT(cgroup_collect(job, tree.root_fd, &changes, &joins, &err), 0);
	CHECK_TEXT(find(&changes, "/cpuset.mems")->value, "0");
	/* The setting comes behind the start value. */
	CHECK_TEXT(changes.items[changes.n - 1].value, "1");
	changes_done(&changes);
	settings_joins_free(joins);
	tree_done(&tree);
}

static void a_key_without_a_twin_or_controller_is_told(void **state)
{
	static const struct {
		const char *key;
		int code;
		const char *said;
	} cases[] = {
		{ "memory.oom.group", -EINVAL, "no twin" },
		{ "rdma.max", -ENOENT, "not mounted" },
		{ "nonsense", -EINVAL, "memory.max" },
		{ "memory/../x.y", -EINVAL, "memory.max" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct tree tree = tree_new();
		struct changes changes = { 0 };
		struct error err;
		char **joins = NULL;
		AUTO(job) struct job *job = job_make("hackbench");
		tree_put(&tree, "proc/self/mountinfo", legacy_mounts);
		job_set(job, SETTING_CGROUP, cases[i].key, "1");
		CHECK_INT(cgroup_collect(job, tree.root_fd, &changes, &joins, &err), cases[i].code);
		CHECK_HOLDS(err.text, cases[i].said);
		CHECK(!joins);
		changes_done(&changes);
		tree_done(&tree);
	}
}

static void without_cgroup_settings_nothing_is_read(void **state)
{
	struct tree tree = tree_new();
	struct changes changes = { 0 };
	struct error err;
	char **joins = NULL;
	AUTO(job) struct job *job = job_make("hackbench");
	CHECK_INT(cgroup_collect(job, tree.root_fd, &changes, &joins, &err), 0);
	CHECK_INT(changes.n, 0);
	CHECK(!joins);
	tree_done(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(version_two_writes_the_key_as_it_is),
		cmocka_unit_test(version_one_gets_the_twin_of_the_key),
		cmocka_unit_test(a_version_one_cpuset_starts_as_its_parent),
		cmocka_unit_test(a_key_without_a_twin_or_controller_is_told),
		cmocka_unit_test(without_cgroup_settings_nothing_is_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
