/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What each kind of setting means on this machine. See setting.h. */
#include "place/setting.h"

#include "base/auto.h"
#include "base/fs.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "place/cgroup.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IDLE_STATES_MAX 64

/* Writing one of these changes the others: the kernel clears a limit in bytes when the ratio is set
 * and the other way round, and one switch stands for several. Those without a '0' of their own can
 * be put back only by writing their partner. */
#define GROUP_MAX 3
static const char *const sysctl_groups[][GROUP_MAX] = {
	{ "proc/sys/vm/dirty_bytes", "proc/sys/vm/dirty_ratio" },
	{ "proc/sys/vm/dirty_background_bytes", "proc/sys/vm/dirty_background_ratio" },
	{ "proc/sys/vm/overcommit_kbytes", "proc/sys/vm/overcommit_ratio" },
	{ "proc/sys/kernel/watchdog", "proc/sys/kernel/nmi_watchdog",
	  "proc/sys/kernel/soft_watchdog" },
};

struct collecting {
	int root_fd;
	struct changes *changes;
	struct error *err;
	const struct setting *setting;
	unsigned n_found; /* CPUs that had the file in question. */
	int failed;
};

static bool is_in_group(const char *const *group, const char *path)
{
	for (size_t i = 0; i < GROUP_MAX && group[i]; i++)
		if (text_equal(group[i], path))
			return true;
	return false;
}

/* Behind the write of `path`, so that they are put back first; what then reads as before is left
 * alone. */
static int collect_partners(struct collecting *at, const char *path)
{
	int failed = 0;
	for (size_t i = 0; i < ARRAY_SIZE(sysctl_groups); i++) {
		const char *const *group = sysctl_groups[i];
		if (!is_in_group(group, path))
			continue;
		for (size_t j = 0; !failed && j < GROUP_MAX && group[j]; j++)
			if (!text_equal(group[j], path))
				failed = changes_add_kept(at->changes, at->root_fd, group[j],
							  at->err);
	}
	return failed;
}

static int collect_sysctl(struct collecting *at)
{
	AUTO(text) char *path = mem_format("proc/sys/%s", at->setting->key);
	/* "net.ipv4.conf.eth0/1.x": as sysctl(8), a '/' inside a dotted key stands for a dot. */
	for (char *letter = path + strlen("proc/sys/"); *letter; letter++) {
		if (*letter == '.')
			*letter = '/';
		else if (*letter == '/')
			*letter = '.';
	}
	const int failed =
		changes_add_write(at->changes, at->root_fd, path, at->setting->value, at->err);
	return failed ? failed : collect_partners(at, path);
}

static int collect_sysfs(struct collecting *at)
{
	const char *key = at->setting->key;
	while (*key == '/')
		key++;
	if (text_starts_with(key, "sys/"))
		key += strlen("sys/");
	if (strstr(key, ".."))
		return error_set(at->err, EINVAL, "sysfs key '%s' must not hold '..'", key);
	AUTO(text) char *path = mem_format("sys/%s", key);
	return changes_add_write(at->changes, at->root_fd, path, at->setting->value, at->err);
}

static void collect_governor_of(unsigned cpu, void *user)
{
	struct collecting *at = user;
	char path[128];
	(void)snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%u/cpufreq/scaling_governor",
		       cpu);
	if (at->failed || !fs_exists_at(at->root_fd, path))
		return;
	at->n_found++;
	at->failed = changes_add_write(at->changes, at->root_fd, path, at->setting->value, at->err);
}

/* True when the state's name is among the words of "C1,C1E"; "all" names every state. */
static bool state_is_wanted(const char *wanted, const char *name)
{
	if (strcmp(wanted, "all") == 0)
		return true;
	AUTO(text) char *list = mem_text(wanted);
	char *rest = NULL;
	for (char *word = strtok_r(list, ",", &rest); word; word = strtok_r(NULL, ",", &rest))
		if (strcmp(text_trim(word), name) == 0)
			return true;
	return false;
}

static void collect_idle_of(unsigned cpu, void *user)
{
	struct collecting *at = user;
	for (unsigned state = 0; state < IDLE_STATES_MAX && !at->failed; state++) {
		char path[128];
		char name[64];
		(void)snprintf(path, sizeof(path),
			       "sys/devices/system/cpu/cpu%u/cpuidle/state%u/name", cpu, state);
		if (fs_read_line_at(at->root_fd, path, name, sizeof(name)) <= 0)
			return;
		at->n_found++;
		const bool wanted = state_is_wanted(at->setting->value, name);
		(void)snprintf(path, sizeof(path),
			       "sys/devices/system/cpu/cpu%u/cpuidle/state%u/disable", cpu, state);
		at->failed = changes_add_write(at->changes, at->root_fd, path, wanted ? "0" : "1",
					       at->err);
	}
}

static int collect_each_cpu(struct collecting *at, void (*each)(unsigned cpu, void *user),
			    const char *lacking)
{
	char online[1024];
	if (fs_read_line_at(at->root_fd, "sys/devices/system/cpu/online", online, sizeof(online)) <=
	    0)
		return error_set(at->err, EIO, "cannot read the list of online CPUs");
	at->n_found = 0;
	(void)fs_list_each(online, each, at); /* The kernel's own list is well-formed. */
	if (at->failed)
		return at->failed;
	if (at->n_found == 0)
		return error_set(at->err, EINVAL, "cannot set %s: this machine has no %s",
				 setting_kind_text(at->setting->kind), lacking);
	return 0;
}

static int collect_kernel(struct collecting *at)
{
	return error_set(at->err, EINVAL,
			 "this version of assay has no place yet that boots a kernel as subject "
			 "(place 'host' runs on the one that is booted): boot each, run the same "
			 "experiment there, and 'assay compare' the campaigns");
}

static int collect_one(struct collecting *at)
{
	switch (at->setting->kind) {
	case SETTING_SYSCTL:
		return collect_sysctl(at);
	case SETTING_SYSFS:
		return collect_sysfs(at);
	case SETTING_GOVERNOR:
		return collect_each_cpu(at, collect_governor_of, "frequency governor");
	case SETTING_IDLE:
		return collect_each_cpu(at, collect_idle_of, "idle states");
	case SETTING_KERNEL:
		return collect_kernel(at);
	case SETTING_CGROUP: /* All of a job together, in settings_collect. */
	case SETTING_ENV:
	case SETTING_PARAM:
	case SETTING_PREFIX:
	case SETTING_BINARY:
	case SETTING_INSTANCES:
	case SETTING_KIND_COUNT:
		break;
	}
	return 0;
}

int settings_collect(const struct job *job, int root_fd, struct changes *changes, char ***ret_joins,
		     struct error *err)
{
	*ret_joins = NULL;
	for (size_t i = 0; i < job->n_settings; i++) {
		struct collecting at = { .root_fd = root_fd,
					 .changes = changes,
					 .err = err,
					 .setting = &job->settings[i] };
		const int failed = collect_one(&at);
		if (failed)
			return failed;
	}
	return cgroup_collect(job, root_fd, changes, ret_joins, err);
}

void settings_joins_free(char **joins)
{
	for (size_t i = 0; joins && joins[i]; i++)
		free(joins[i]);
	free(joins);
}
