/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * This process itself: who it is, what it may use, what its surroundings would load into a workload, and how the
 * probe was built. Nothing here is read below the root except /etc/ld.so.preload and the table of mounts.
 */
#include "assay_build.h"
#include "base/auto.h"
#include "base/fs.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "probe/environment_fact.h"
#include "probe/environment_topology.h"

#include <assert.h>
#include <errno.h>
#include <gnu/libc-version.h>
#include <inttypes.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/personality.h>
#include <sys/resource.h>

#define MOUNTS_BYTES_MAX (1U << 20)

static void record_affinity(struct environment *environment)
{
	const size_t size = CPU_ALLOC_SIZE(ENVIRONMENT_CPUS_MAX);
	AUTO(text) char *block = mem_zero(size);
	cpu_set_t *const set = (cpu_set_t *)(void *)block;
	if (sched_getaffinity(/* pid= */ 0, size, set) < 0) {
		environment_missing(environment, "process.affinity", missing_from_errno(errno));
		return;
	}
	struct environment_cpus cpus = { 0 };
	for (unsigned i = 0; i < ENVIRONMENT_CPUS_MAX; i++)
		if (CPU_ISSET_S(i, size, set))
			cpus.numbers[cpus.count++] = (uint16_t)i;
	AUTO(text_buffer) struct text list = { 0 };
	environment_cpus_show(&cpus, &list);
	environment_known(environment, "process.affinity", text_string(&list));
}

static void record_scheduling(struct environment *environment)
{
	static const struct {
		int policy;
		const char *name;
	} policies[] = { { SCHED_OTHER, "other" },
			 { SCHED_BATCH, "batch" },
			 { SCHED_IDLE, "idle" },
			 { SCHED_FIFO, "fifo" },
			 { SCHED_RR, "rr" } };
	const int policy = sched_getscheduler(/* pid= */ 0);
	const char *name = NULL;
	for (size_t i = 0; i < ARRAY_SIZE(policies); i++)
		if (policy >= 0 && (policy & ~SCHED_RESET_ON_FORK) == policies[i].policy)
			name = policies[i].name;
	if (name)
		environment_known(environment, "process.policy", name);
	else
		environment_missing(environment, "process.policy", MISSING_UNREADABLE);
	errno = 0; /* -1 is a nice value too. */
	const int nice_value = getpriority(PRIO_PROCESS, /* who= */ 0);
	char text[16];
	(void)snprintf(text, sizeof(text), "%d", nice_value);
	if (nice_value == -1 && errno != 0)
		environment_missing(environment, "process.nice", missing_from_errno(errno));
	else
		environment_known(environment, "process.nice", text);
}

static void record_limits(struct environment *environment)
{
	static const struct {
		const char *name;
		__rlimit_resource_t resource;
		rlim_t unit;
	} limits[] = {
		{ "limit.open_files", RLIMIT_NOFILE, 1 },
		{ "limit.stack_kib", RLIMIT_STACK, 1024 },
		{ "limit.locked_kib", RLIMIT_MEMLOCK, 1024 },
	};
	for (size_t i = 0; i < ARRAY_SIZE(limits); i++) {
		struct rlimit limit;
		if (getrlimit(limits[i].resource, &limit) < 0)
			environment_missing(environment, limits[i].name, missing_from_errno(errno));
		else if (limit.rlim_cur == RLIM_INFINITY)
			environment_known(environment, limits[i].name, "unlimited");
		else
			environment_number(environment, limits[i].name,
					   limit.rlim_cur / limits[i].unit);
	}
}

/* LD_PRELOAD and /etc/ld.so.preload reach every dynamic workload, though not this static probe. */
static void record_preload(struct environment *environment)
{
	const char *variable = getenv("LD_PRELOAD");
	char file[ENVIRONMENT_LINE_BYTES] = "";
	const ssize_t length =
		fs_read_line_at(environment->root_fd, "etc/ld.so.preload", file, sizeof(file));
	AUTO(text_buffer) struct text all = { 0 };
	text_add(&all, "%s %s", variable ? variable : "", length > 0 ? file : "");
	environment_known(environment, "process.preload",
			  text_string(&all)[1] ? text_string(&all) : "none");
}

static void record_variables(struct environment *environment)
{
	static const char *const prefixes[] = { "MALLOC_", "LD_", "GLIBC_TUNABLES=" };
	for (char *const *variable = environ; variable && *variable; variable++) {
		const char *equals = strchr(*variable, '=');
		bool wanted = false;
		for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
			wanted = wanted || text_starts_with(*variable, prefixes[i]);
		if (!wanted || !equals || equals - *variable > ENVIRONMENT_NAME_BYTES / 2)
			continue;
		AUTO(text)
		char *name = mem_format("env.%.*s", (int)(equals - *variable), *variable);
		environment_known(environment, name, equals + 1);
	}
}

/* Type of the mount with the longest folder that `directory` lies in; the last one of equals is on top. */
static void find_filesystem(const char *mounts, const char *directory, char *type, size_t size)
{
	size_t longest = 0;
	for (const char *line = mounts; *line; line = environment_next_line(line)) {
		char mount[512];
		char have_type[64];
		AUTO(text) char *copy = mem_text_n(line, strcspn(line, "\n"));
		const char *tail = strstr(copy, " - ");
		if (!tail || sscanf(copy, "%*s %*s %*s %*s %511s", mount) != 1 ||
		    sscanf(tail, " - %63s", have_type) != 1)
			continue;
		const size_t length = strcmp(mount, "/") == 0 ? 0 : strlen(mount);
		const bool inside = strncmp(directory, mount, length) == 0 &&
				    (directory[length] == '/' || directory[length] == '\0');
		if (!inside || length + 1 < longest)
			continue;
		longest = length + 1;
		(void)snprintf(type, size, "%s", have_type);
	}
}

static void record_temporary(struct environment *environment)
{
	const char *variable = getenv("TMPDIR");
	const char *directory = variable && variable[0] == '/' ? variable : "/tmp";
	AUTO(text) char *mounts = NULL;
	size_t length = 0;
	char type[64] = "";
	environment_known(environment, "tmp.directory", directory);
	const int status = fs_read_whole_at(environment->root_fd, "proc/self/mountinfo",
					    MOUNTS_BYTES_MAX, &mounts, &length, /* err= */ NULL);
	if (status == 0)
		find_filesystem(mounts, directory, type, sizeof(type));
	if (type[0])
		environment_known(environment, "tmp.filesystem", type);
	else
		environment_missing(environment, "tmp.filesystem",
				    status < 0 ? missing_from_errno(-status) : MISSING_ABSENT);
}

void environment_process(struct environment *environment)
{
	const int personality_now = personality(0xffffffff); /* Asks, sets nothing. */
	environment_known(environment, "process.user", geteuid() == 0 ? "root" : "not root");
	if (personality_now < 0)
		environment_missing(environment, "process.aslr", missing_from_errno(errno));
	else
		environment_known(environment, "process.aslr",
				  personality_now & ADDR_NO_RANDOMIZE ? "off" : "on");
	record_affinity(environment);
	record_scheduling(environment);
	record_limits(environment);
	record_preload(environment);
	record_variables(environment);
	record_temporary(environment);
	AUTO(text) char *libc = mem_format("glibc %s", gnu_get_libc_version());
	environment_known(environment, "libc.version", libc);
	environment_known(environment, "probe.version", ASSAY_VERSION);
	environment_known(environment, "probe.compiler", ASSAY_COMPILER);
	environment_known(environment, "probe.flags", ASSAY_BUILD_FLAGS);
}
