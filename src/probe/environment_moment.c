/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What was going on when the run began: load, steal, pressure, throttling. Never a difference between two
 * environments by itself, but the reason why one run of ten is odd.
 */
#include "base/fs.h"
#include "base/macros.h"
#include "base/text.h"
#include "probe/environment_fact.h"
#include "probe/environment_topology.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static void record_load(struct environment *environment)
{
	static const char *const names[] = { "load.1", "load.5", "load.15" };
	char text[128];
	char values[3][16];
	const ssize_t length =
		fs_read_line_at(environment->root_fd, "proc/loadavg", text, sizeof(text));
	const bool parsed =
		length >= 0 && sscanf(text, "%15s %15s %15s", values[0], values[1], values[2]) == 3;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (parsed)
			environment_known(environment, names[i], values[i]);
		else
			environment_missing(environment, names[i],
					    length < 0 ? missing_from_errno((int)-length)
						       : MISSING_MALFORMED);
	}
}

/* Ticks taken by the hypervisor since boot: the eighth number of the first line of /proc/stat. */
static void record_steal(struct environment *environment)
{
	char text[1024];
	const ssize_t length = fs_read_at(environment->root_fd, "proc/stat", text, sizeof(text));
	if (length < 0) {
		environment_missing(environment, "steal.ticks", missing_from_errno((int)-length));
		return;
	}
	unsigned long long ticks = 0;
	if (sscanf(text, "cpu %*u %*u %*u %*u %*u %*u %*u %llu", &ticks) == 1)
		environment_number(environment, "steal.ticks", ticks);
	else
		environment_missing(environment, "steal.ticks",
				    MISSING_ABSENT); /* Before 2.6.11. */
}

/* "some avg10=0.12 avg60=...": the share of the last ten seconds in which a task waited, percent. */
static void record_pressure(struct environment *environment, const char *resource)
{
	char name[64];
	char path[64];
	char text[512];
	char share[16];
	(void)snprintf(name, sizeof(name), "psi.%s.some_avg10", resource);
	(void)snprintf(path, sizeof(path), "proc/pressure/%s", resource);
	const ssize_t length = fs_read_at(environment->root_fd, path, text, sizeof(text));
	if (length == -EOPNOTSUPP)
		environment_missing(environment, name,
				    MISSING_SWITCHED_OFF); /* Booted with psi=0. */
	else if (length < 0)
		environment_missing(environment, name, missing_from_errno((int)-length));
	else if (sscanf(text, "some avg10=%15s", share) == 1)
		environment_known(environment, name, share);
	else
		environment_missing(environment, name, MISSING_MALFORMED);
}

/* True the first time that the CPU's group (its core, its package) is met; a CPU without a group is one by itself. */
static bool is_new_group(int root_fd, unsigned cpu, const char *group_file, uint8_t *seen)
{
	char path[128];
	char mask[ENVIRONMENT_LINE_BYTES];
	struct environment_cpus group;
	(void)snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%u/%s", cpu, group_file);
	if (fs_read_line_at(root_fd, path, mask, sizeof(mask)) <= 0 ||
	    environment_mask_parse(mask, &group) <= 0)
		return true;
	const bool is_new = !seen[group.numbers[0]];
	seen[group.numbers[0]] = 1;
	return is_new;
}

/* The same count stands in the folder of each CPU of a core or a package, so each group is asked once. */
static void record_throttling(struct environment *environment, const struct environment_cpus *cpus,
			      const char *name, const char *file, const char *group_file)
{
	uint8_t seen[ENVIRONMENT_CPUS_MAX] = { 0 };
	uint64_t sum = 0;
	bool any = false;
	for (unsigned i = 0; i < cpus->count; i++) {
		char path[128];
		char text[32];
		uint64_t count = 0;
		(void)snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%u/%s",
			       cpus->numbers[i], file);
		if (fs_read_line_at(environment->root_fd, path, text, sizeof(text)) <= 0 ||
		    !text_parse_u64(text, &count) ||
		    !is_new_group(environment->root_fd, cpus->numbers[i], group_file, seen))
			continue;
		any = true;
		sum += count;
	}
	if (any)
		environment_number(environment, name, sum);
	else
		environment_missing(environment, name, MISSING_ABSENT);
}

void environment_moment(struct environment *environment)
{
	static const char *const resources[] = { "cpu", "io", "memory" };
	struct environment_topology topology;
	record_load(environment);
	record_steal(environment);
	for (size_t i = 0; i < ARRAY_SIZE(resources); i++)
		record_pressure(environment, resources[i]);
	environment_topology_read(environment->root_fd, &topology);
	record_throttling(environment, &topology.online, "throttle.core",
			  "thermal_throttle/core_throttle_count", "topology/thread_siblings");
	record_throttling(environment, &topology.online, "throttle.package",
			  "thermal_throttle/package_throttle_count", "topology/core_siblings");
}
