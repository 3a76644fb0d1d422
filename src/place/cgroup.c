/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Version 2: one group below the root of the unified hierarchy. Version 1: one group in each
 * hierarchy whose controller a setting names. Which controllers are where is read from
 * /proc/self/mountinfo. See cgroup.h.
 */
#include "place/cgroup.h"

#include "base/auto.h"
#include "base/fs.h"
#include "base/mem.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HIERARCHIES_MAX 32

struct hierarchy {
	char *path;        /* Mount point below the root, without '/' in front. */
	char *controllers; /* ",cpu,cpuacct," for version 1; NULL for version 2. */
	bool used;
};

struct hierarchies {
	struct hierarchy items[HIERARCHIES_MAX];
	size_t n;
};

static void hierarchies_done(struct hierarchies *all)
{
	for (size_t i = 0; i < all->n; i++) {
		free(all->items[i].path);
		free(all->items[i].controllers);
	}
}

/* One line of mountinfo: "... / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu". */
static void read_mount(struct hierarchies *all, char *line)
{
	char *dash = strstr(line, " - ");
	char mount[256];
	char type[32];
	char options[256];
	if (!dash || all->n == HIERARCHIES_MAX)
		return;
	if (sscanf(dash, " - %31s %*s %255s", type, options) != 2 ||
	    sscanf(line, "%*s %*s %*s %*s /%255s", mount) != 1)
		return;
	const bool unified = strcmp(type, "cgroup2") == 0;
	if (!unified && strcmp(type, "cgroup") != 0)
		return;
	all->items[all->n++] = (struct hierarchy) {
		.path = mem_text(mount),
		.controllers = unified ? NULL : mem_format(",%s,", options),
	};
}

static int read_mounts(int root_fd, struct hierarchies *all, struct error *err)
{
	AUTO(text) char *mounts = NULL;
	size_t length = 0;
	const int failed =
		fs_read_whole_at(root_fd, "proc/self/mountinfo", 1U << 20, &mounts, &length, err);
	if (failed)
		return failed;
	char *rest = NULL;
	for (char *line = strtok_r(mounts, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		read_mount(all, line);
	return 0;
}

/* True when the version 2 hierarchy offers the controller ("memory"). */
static bool unified_has(int root_fd, const struct hierarchy *hierarchy, const char *controller)
{
	char path[512];
	char list[512];
	(void)snprintf(path, sizeof(path), "%s/cgroup.controllers", hierarchy->path);
	if (fs_read_line_at(root_fd, path, list, sizeof(list)) < 0)
		return false;
	AUTO(text) char *padded = mem_format(" %s ", list);
	AUTO(text) char *wanted = mem_format(" %s ", controller);
	return strstr(padded, wanted) != NULL;
}

static struct hierarchy *find_controller(struct hierarchies *all, int root_fd,
					 const char *controller)
{
	AUTO(text) char *wanted = mem_format(",%s,", controller);
	for (size_t i = 0; i < all->n; i++) {
		struct hierarchy *hierarchy = &all->items[i];
		if (hierarchy->controllers ? strstr(hierarchy->controllers, wanted) != NULL
					   : unified_has(root_fd, hierarchy, controller))
			return hierarchy;
	}
	return NULL;
}

/* The version 1 file of a version 2 key, or NULL. cpu.max has two and is handled apart. */
static const char *legacy_key(const char *key)
{
	static const char *const twins[][2] = {
		{ "memory.max", "memory.limit_in_bytes" },
		{ "memory.high", "memory.soft_limit_in_bytes" },
		{ "pids.max", "pids.max" },
		{ "cpuset.cpus", "cpuset.cpus" },
		{ "cpuset.mems", "cpuset.mems" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(twins); i++)
		if (strcmp(twins[i][0], key) == 0)
			return twins[i][1];
	return NULL;
}

static void add_file(struct changes *changes, const char *group, const char *file,
		     const char *value)
{
	AUTO(text) char *path = mem_format("%s/%s", group, file);
	changes_add_temporary(changes, path, value);
}

/* "50000 100000" or "max 100000" or "50000" → quota and period of version 1. */
static void add_legacy_cpu_max(struct changes *changes, const char *group, const char *value)
{
	char quota[32] = "-1";
	char period[32] = "100000";
	if (sscanf(value, "%31s %31s", quota, period) >= 1 && strcmp(quota, "max") == 0)
		(void)snprintf(quota, sizeof(quota), "-1");
	add_file(changes, group, "cpu.cfs_period_us", period);
	add_file(changes, group, "cpu.cfs_quota_us", quota);
}

/* A version 1 cpuset takes tasks only when both its lists are filled: start as its parent. */
static void add_cpuset_start(struct changes *changes, int root_fd,
			     const struct hierarchy *hierarchy, const char *group)
{
	static const char *const files[] = { "cpuset.cpus", "cpuset.mems" };
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		char list[1024];
		AUTO(text) char *parent = mem_format("%s/%s", hierarchy->path, files[i]);
		if (fs_read_line_at(root_fd, parent, list, sizeof(list)) > 0)
			add_file(changes, group, files[i], list);
	}
}

static char *group_of(const struct hierarchy *hierarchy)
{
	return mem_format("%s/assay-run-%d", hierarchy->path, (int)getpid());
}

static void enter_hierarchy(struct changes *changes, int root_fd, struct hierarchy *hierarchy,
			    const char *controller)
{
	AUTO(text) char *group = group_of(hierarchy);
	if (!hierarchy->controllers) {
		AUTO(text) char *switch_on = mem_format("+%s", controller);
		add_file(changes, hierarchy->path, "cgroup.subtree_control", switch_on);
	}
	if (hierarchy->used)
		return;
	changes_add_directory(changes, group);
	hierarchy->used = true;
	if (hierarchy->controllers && strstr(hierarchy->controllers, ",cpuset,"))
		add_cpuset_start(changes, root_fd, hierarchy, group);
}

static int collect_setting(const struct setting *setting, int root_fd, struct hierarchies *all,
			   struct changes *changes, struct error *err)
{
	const char *dot = strchr(setting->key, '.');
	if (!dot || dot == setting->key || strchr(setting->key, '/'))
		return error_set(err, EINVAL,
				 "cgroup key '%s' must be a file of a controller, like memory.max",
				 setting->key);
	AUTO(text) char *controller = mem_text_n(setting->key, (size_t)(dot - setting->key));
	struct hierarchy *hierarchy = find_controller(all, root_fd, controller);
	if (!hierarchy)
		return error_set(err, ENOENT, "cgroup controller '%s' is not mounted here",
				 controller);
	const bool cpu_max = strcmp(setting->key, "cpu.max") == 0;
	const char *file = hierarchy->controllers ? legacy_key(setting->key) : setting->key;
	if (!file && !cpu_max)
		return error_set(err, EINVAL,
				 "cgroup key '%s' has no twin under cgroup version 1, which this "
				 "machine uses for '%s'",
				 setting->key, controller);
	enter_hierarchy(changes, root_fd, hierarchy, controller);
	AUTO(text) char *group = group_of(hierarchy);
	if (hierarchy->controllers && cpu_max)
		add_legacy_cpu_max(changes, group, setting->value);
	else
		add_file(changes, group, file, setting->value);
	return 0;
}

static char **list_joins(const struct hierarchies *all)
{
	char **joins = mem_array(all->n + 1, sizeof(*joins));
	size_t n = 0;
	for (size_t i = 0; i < all->n; i++) {
		if (!all->items[i].used)
			continue;
		AUTO(text) char *group = group_of(&all->items[i]);
		joins[n++] = mem_format("/%s", group);
	}
	if (n > 0)
		return joins;
	free(joins);
	return NULL;
}

int cgroup_collect(const struct job *job, int root_fd, struct changes *changes, char ***ret_joins,
		   struct error *err)
{
	struct hierarchies all = { 0 };
	int failed = 0;
	for (size_t i = 0; i < job->n_settings && !failed; i++) {
		if (job->settings[i].kind != SETTING_CGROUP)
			continue;
		if (all.n == 0)
			failed = read_mounts(root_fd, &all, err);
		if (!failed)
			failed = collect_setting(&job->settings[i], root_fd, &all, changes, err);
	}
	if (!failed)
		*ret_joins = list_joins(&all);
	hierarchies_done(&all);
	return failed;
}
