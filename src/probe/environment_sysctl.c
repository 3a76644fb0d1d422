/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sysctls under kernel/ and vm/: every one that is a short value on one line, except those in the table below.
 * A value that the kernel changes by itself would make two runs differ in their environment without anybody having
 * changed anything.
 */
#include "base/fs.h"
#include "base/macros.h"
#include "base/text.h"
#include "probe/environment_fact.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <sys/stat.h>

#define SYSCTL_FOLDER "proc/sys/"
#define SYSCTL_BYTES_MAX 256 /* Longer values are tables or lists, not settings. */
#define SYSCTL_DEPTH_MAX 2   /* Folders below kernel/ and vm/: kernel/yama/ptrace_scope. */

/* Left out. `name` is below /proc/sys; one that ends in '/' is a whole folder. */
static const struct {
	const char *name;
	const char *why;
} left_out[] = {
	{ "kernel/domainname", "names the machine" },
	{ "kernel/hostname", "names the machine; recorded as machine.name" },
	{ "kernel/arch", "recorded as kernel.architecture" },
	{ "kernel/osrelease", "recorded as kernel.release" },
	{ "kernel/ostype", "always Linux" },
	{ "kernel/version", "recorded as kernel.version" },
	{ "kernel/tainted", "recorded as kernel.taint" },
	{ "kernel/random/", "entropy counters and ids that are new on each read or boot" },
	{ "kernel/pty/nr", "the number of terminals that are open now" },
	{ "kernel/ns_last_pid", "the last process id" },
	{ "kernel/cad_pid", "a process id" },
	{ "kernel/perf_event_max_sample_rate",
	  "the kernel lowers it by itself when an interrupt takes long" },
	{ "kernel/hung_task_detect_count", "a counter" },
	{ "kernel/hung_task_warnings", "counts down" },
	{ "kernel/sched_domain/", "the scheduler's view of each CPU, thousands of values" },
	{ "kernel/keys/", "limits of key rings, no run depends on them" },
	{ "kernel/acct", "the state of process accounting" },
	{ "vm/stat_refresh", "reading it makes every CPU fold its counters" },
	{ "vm/compact_memory", "an action, not a value" },
	{ "vm/drop_caches", "an action, not a value" },
};

struct walk {
	struct environment *environment;
	const char *folder; /* Below proc/sys, without a '/' at the end. */
	unsigned depth;
};

static bool is_left_out(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(left_out); i++) {
		const char *out = left_out[i].name;
		assert(left_out[i].why[0]);
		if (text_ends_with(out, "/") ? text_starts_with(name, out) : text_equal(name, out))
			return true;
	}
	return false;
}

/* vm/swappiness → sysctl.vm.swappiness, as sysctl(8) names it: a '.' in a file's name becomes '/'. */
static void name_fact(const char *sysctl, char *name, size_t size)
{
	(void)snprintf(name, size, "sysctl.%s", sysctl);
	for (char *at = name + strlen("sysctl."); *at; at++)
		*at = *at == '/' ? '.' : *at == '.' ? '/' : *at;
}

static void record_value(struct environment *environment, const char *sysctl, const char *path)
{
	char name[ENVIRONMENT_NAME_BYTES];
	char value[SYSCTL_BYTES_MAX + 2];
	name_fact(sysctl, name, sizeof(name));
	const ssize_t length = fs_read_line_at(environment->root_fd, path, value, sizeof(value));
	if (length < 0)
		environment_missing(environment, name, missing_from_errno((int)-length));
	else if (length <= SYSCTL_BYTES_MAX && !strchr(value, '\n'))
		environment_known(environment, name, value);
}

static void visit(const char *entry, void *user)
{
	const struct walk *walk = user;
	char sysctl[ENVIRONMENT_NAME_BYTES - sizeof("sysctl.")];
	char path[sizeof(sysctl) + sizeof(SYSCTL_FOLDER)];
	struct stat status;
	const int length = snprintf(sysctl, sizeof(sysctl), "%s/%s", walk->folder, entry);
	if (length < 0 || (size_t)length >= sizeof(sysctl) - 1 || is_left_out(sysctl))
		return;
	(void)snprintf(path, sizeof(path), SYSCTL_FOLDER "%s", sysctl);
	if (fstatat(walk->environment->root_fd, path, &status, /* flags= */ 0) < 0)
		return; /* It went away since the folder was read. */
	if (S_ISREG(status.st_mode) && (status.st_mode & 0444)) {
		record_value(walk->environment, sysctl, path);
		return;
	}
	(void)snprintf(path, sizeof(path), "%s/", sysctl);
	if (!S_ISDIR(status.st_mode) || walk->depth == SYSCTL_DEPTH_MAX || is_left_out(path))
		return;
	(void)snprintf(path, sizeof(path), SYSCTL_FOLDER "%s", sysctl);
	struct walk below = { .environment = walk->environment,
			      .folder = sysctl,
			      .depth = walk->depth + 1 };
	(void)environment_folder_each(
		walk->environment->root_fd, path, visit,
		&below); /* A folder that may not be read hides its names too. */
}

void environment_sysctl(struct environment *environment)
{
	static const char *const folders[] = { "kernel", "vm" };
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		char path[32];
		struct walk walk = { .environment = environment, .folder = folders[i], .depth = 1 };
		(void)snprintf(path, sizeof(path), SYSCTL_FOLDER "%s", folders[i]);
		(void)environment_folder_each(
			environment->root_fd, path, visit,
			&walk); /* Without /proc/sys there are no names to miss. */
	}
	environment_line(environment, "sysctl.user.max_user_namespaces",
			 SYSCTL_FOLDER "user/max_user_namespaces");
}
