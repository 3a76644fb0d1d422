/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The control groups that this process runs in: version, path, and the limits that hold for it. A limit of a group
 * holds for all groups below it, so each is looked up from the process's own group to the top of the mounted tree and
 * the tightest one is recorded; a tree without any limit answers "max". Both versions give facts of the same form.
 */
#include "base/auto.h"
#include "base/fs.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "probe/environment_fact.h"

#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TABLE_BYTES_MAX (1U << 20) /* Of mountinfo: machines with many containers have long ones. */

/* Version 1 says "no limit" with a number near 2^63, rounded to pages. */
#define V1_UNLIMITED (1ULL << 62)

struct hierarchy {
	char *mount; /* Folder below the root, without '/' in front; NULL when it is not mounted. */
	char *path;  /* The process's group below it: "" or "/a/b". */
};

struct groups {
	char *memberships; /* /proc/self/cgroup */
	char *mounts;      /* /proc/self/mountinfo */
};

static void hierarchy_done(struct hierarchy *hierarchy)
{
	free(hierarchy->mount);
	free(hierarchy->path);
	*hierarchy = (struct hierarchy) { 0 };
}

/* True when `word` is one of the words of a list separated by ','. */
static bool list_has(const char *list, size_t length, const char *word)
{
	const size_t word_length = strlen(word);
	for (const char *at = list; at < list + length; at += strcspn(at, ",") + 1) {
		size_t have = strcspn(at, ",");
		if (have > (size_t)(list + length - at))
			have = (size_t)(list + length - at);
		if (have == word_length && memcmp(at, word, have) == 0)
			return true;
	}
	return false;
}

/* The path in the line "ID:CONTROLLERS:PATH" that has the controller ("" for version 2). New string or NULL. */
static char *find_membership(const char *memberships, const char *controller)
{
	for (const char *line = memberships; *line; line = environment_next_line(line)) {
		const char *end = line + strcspn(line, "\n");
		const char *controllers = memchr(line, ':', (size_t)(end - line));
		if (!controllers)
			continue;
		controllers++;
		const char *path = memchr(controllers, ':', (size_t)(end - controllers));
		if (!path)
			continue;
		const size_t length = (size_t)(path - controllers);
		if (controller[0] ? list_has(controllers, length, controller) : length == 0)
			return mem_text_n(path + 1, (size_t)(end - path) - 1);
	}
	return NULL;
}

/* Takes the group's path relative to what is mounted: a container sees only its own part of the tree. */
static void hierarchy_set(struct hierarchy *hierarchy, const char *mount, const char *mounted,
			  const char *path)
{
	const size_t above = text_equal(mounted, "/") ? 0 : strlen(mounted);
	if (above > 0 && text_starts_with(path, mounted) &&
	    (path[above] == '/' || path[above] == '\0'))
		path += above;
	hierarchy->mount = mem_text(mount + strspn(mount, "/"));
	hierarchy->path = mem_text(text_equal(path, "/") ? "" : path);
}

/* Looks for the mounted tree of a controller of version 1, or of version 2 when controller is "". */
static void hierarchy_find(const struct groups *groups, const char *controller,
			   struct hierarchy *ret_hierarchy)
{
	AUTO(text) char *path = find_membership(groups->memberships, controller);
	if (!path)
		return;
	const char *type = controller[0] ? "cgroup" : "cgroup2";
	for (const char *line = groups->mounts; *line; line = environment_next_line(line)) {
		char mounted[512];
		char mount[512];
		char have_type[32];
		char options[512];
		AUTO(text) char *copy = mem_text_n(line, strcspn(line, "\n"));
		const char *tail = strstr(copy, " - ");
		if (!tail || sscanf(copy, "%*s %*s %*s %511s %511s", mounted, mount) != 2 ||
		    sscanf(tail, " - %31s %*s %511s", have_type, options) != 2)
			continue;
		if (strcmp(have_type, type) != 0 ||
		    (controller[0] && !list_has(options, strlen(options), controller)))
			continue;
		hierarchy_set(ret_hierarchy, mount, mounted, path);
		return;
	}
}

typedef bool limit_reader(int root_fd, const char *folder, double *ret_size, char *text,
			  size_t size, enum missing *why);

static ssize_t read_in(int root_fd, const char *folder, const char *file, char *text, size_t size)
{
	AUTO(text) char *path = mem_format("%s/%s", folder, file);
	return fs_read_line_at(root_fd, path, text, size);
}

/* "50000 100000": microseconds of CPU time in a period. */
static bool read_cpu_max(int root_fd, const char *folder, double *ret_size, char *text, size_t size,
			 enum missing *why)
{
	unsigned long long quota = 0;
	unsigned long long period = 0;
	ssize_t length = read_in(root_fd, folder, "cpu.max", text, size);
	if (length < 0) {
		char quota_text[32];
		char period_text[32];
		length = read_in(root_fd, folder, "cpu.cfs_quota_us", quota_text,
				 sizeof(quota_text));
		if (length > 0)
			length = read_in(root_fd, folder, "cpu.cfs_period_us", period_text,
					 sizeof(period_text));
		if (length > 0)
			(void)snprintf(text, size, "%s %s", quota_text, period_text);
	}
	if (length < 0) {
		const enum missing reason = missing_from_errno((int)-length);
		*why = reason == MISSING_ABSENT ? *why : reason;
		return false;
	}
	if (text[0] == '-' || sscanf(text, "%llu %llu", &quota, &period) != 2 || period == 0)
		return false; /* "max 100000" or "-1 100000": no limit here. */
	*ret_size = (double)quota / (double)period;
	return true;
}

static bool read_memory_max(int root_fd, const char *folder, double *ret_size, char *text,
			    size_t size, enum missing *why)
{
	uint64_t bytes = 0;
	ssize_t length = read_in(root_fd, folder, "memory.max", text, size);
	if (length < 0)
		length = read_in(root_fd, folder, "memory.limit_in_bytes", text, size);
	if (length < 0) {
		const enum missing reason = missing_from_errno((int)-length);
		*why = reason == MISSING_ABSENT ? *why : reason;
		return false;
	}
	if (!text_parse_u64(text, &bytes) || bytes >= V1_UNLIMITED)
		return false;
	*ret_size = (double)bytes;
	return true;
}

/* The smallest limit from the process's group up to the top of what is mounted. */
static void record_limit(struct environment *environment, const char *name,
			 const struct hierarchy *hierarchy, limit_reader *reader)
{
	if (!hierarchy->mount) {
		environment_missing(environment, name, MISSING_ABSENT);
		return;
	}
	AUTO(text) char *folder = mem_format("%s%s", hierarchy->mount, hierarchy->path);
	const size_t top = strlen(hierarchy->mount);
	char tightest[64] = "max";
	double least = 0;
	bool limited = false;
	enum missing why = MISSING_NOT;
	for (;;) {
		char text[64];
		double size = 0;
		if (reader(environment->root_fd, folder, &size, text, sizeof(text), &why) &&
		    (!limited || size < least)) {
			limited = true;
			least = size;
			(void)snprintf(tightest, sizeof(tightest), "%s", text);
		}
		char *slash = strrchr(folder, '/');
		if (!slash || (size_t)(slash - folder) < top)
			break;
		*slash = '\0';
	}
	if (!limited && why != MISSING_NOT)
		environment_missing(environment, name, why);
	else
		environment_known(environment, name, tightest);
}

/* CPUs or nodes that the group may use; the kernel has already taken the groups above into account. */
static void record_set(struct environment *environment, const char *name,
		       const struct hierarchy *hierarchy, const char *const files[static 3])
{
	if (!hierarchy->mount) {
		environment_missing(environment, name, MISSING_ABSENT);
		return;
	}
	AUTO(text) char *folder = mem_format("%s%s", hierarchy->mount, hierarchy->path);
	const size_t top = strlen(hierarchy->mount);
	for (;;) {
		for (size_t i = 0; i < 3; i++) {
			char text[ENVIRONMENT_LINE_BYTES];
			if (read_in(environment->root_fd, folder, files[i], text, sizeof(text)) <=
			    0)
				continue;
			environment_known(environment, name, text);
			return;
		}
		char *slash = strrchr(folder, '/');
		if (!slash || (size_t)(slash - folder) < top)
			break;
		*slash = '\0'; /* The controller is not switched on this far down. */
	}
	environment_missing(environment, name, MISSING_ABSENT);
}

/* The tree of a controller: its own of version 1, else version 2's. */
static void find_controller(const struct groups *groups, const char *controller,
			    struct hierarchy *ret_hierarchy)
{
	hierarchy_find(groups, controller, ret_hierarchy);
	if (!ret_hierarchy->mount)
		hierarchy_find(groups, "", ret_hierarchy);
}

static void record_groups(struct environment *environment, const struct groups *groups)
{
	static const char *const cpus[3] = { "cpuset.cpus.effective", "cpuset.effective_cpus",
					     "cpuset.cpus" };
	static const char *const mems[3] = { "cpuset.mems.effective", "cpuset.effective_mems",
					     "cpuset.mems" };
	struct hierarchy cpu = { 0 };
	struct hierarchy memory = { 0 };
	struct hierarchy cpuset = { 0 };
	struct hierarchy unified = { 0 };
	find_controller(groups, "cpu", &cpu);
	find_controller(groups, "memory", &memory);
	find_controller(groups, "cpuset", &cpuset);
	hierarchy_find(groups, "", &unified);
	const bool has_v2 = unified.mount != NULL;
	const bool has_v1 = cpu.mount && !(has_v2 && text_equal(cpu.mount, unified.mount));
	if (has_v1 || has_v2)
		environment_known(environment, "cgroup.version",
				  !has_v1  ? "2"
				  : has_v2 ? "1+2"
					   : "1");
	else
		environment_missing(environment, "cgroup.version", MISSING_ABSENT);
	if (cpu.mount)
		environment_known(environment, "cgroup.path", cpu.path[0] ? cpu.path : "/");
	else
		environment_missing(environment, "cgroup.path", MISSING_ABSENT);
	record_limit(environment, "cgroup.cpu.max", &cpu, read_cpu_max);
	record_limit(environment, "cgroup.memory.max", &memory, read_memory_max);
	record_set(environment, "cgroup.cpuset.cpus", &cpuset, cpus);
	record_set(environment, "cgroup.cpuset.mems", &cpuset, mems);
	hierarchy_done(&cpu);
	hierarchy_done(&memory);
	hierarchy_done(&cpuset);
	hierarchy_done(&unified);
}

void environment_cgroup(struct environment *environment)
{
	static const char *const names[] = { "cgroup.version",     "cgroup.path",
					     "cgroup.cpu.max",     "cgroup.memory.max",
					     "cgroup.cpuset.cpus", "cgroup.cpuset.mems" };
	AUTO(text) char *memberships = NULL;
	AUTO(text) char *mounts = NULL;
	size_t length = 0;
	int status = fs_read_whole_at(environment->root_fd, "proc/self/cgroup", TABLE_BYTES_MAX,
				      &memberships, &length, /* err= */ NULL);
	if (status == 0)
		status = fs_read_whole_at(environment->root_fd, "proc/self/mountinfo",
					  TABLE_BYTES_MAX, &mounts, &length, /* err= */ NULL);
	if (status < 0) {
		for (size_t i = 0; i < ARRAY_SIZE(names); i++)
			environment_missing(environment, names[i], missing_from_errno(-status));
		return;
	}
	assert(memberships && mounts);
	const struct groups groups = { .memberships = memberships, .mounts = mounts };
	record_groups(environment, &groups);
}
