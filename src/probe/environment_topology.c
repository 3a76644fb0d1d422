/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPUs, cores, sockets and nodes below a root. See environment_topology.h. */
#include "probe/environment_topology.h"

#include "base/fs.h"
#include "base/text.h"
#include "probe/environment_fact.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CPU_FOLDER "sys/devices/system/cpu"
#define NODE_FOLDER "sys/devices/system/node"

static int digit_value(char digit)
{
	if (digit >= '0' && digit <= '9')
		return digit - '0';
	if (digit >= 'a' && digit <= 'f')
		return digit - 'a' + 10;
	if (digit >= 'A' && digit <= 'F')
		return digit - 'A' + 10;
	return -1;
}

int environment_mask_parse(const char *mask, struct environment_cpus *ret_cpus)
{
	size_t at = strlen(mask);
	while (at > 0 && isspace((unsigned char)mask[at - 1]))
		at--;
	unsigned bit = 0;
	unsigned members = 0;
	struct environment_cpus *cpus = ret_cpus;
	if (cpus)
		cpus->count = 0;
	/* From the end, where the lowest CPUs stand: each digit holds four. */
	while (at > 0) {
		const char digit = mask[--at];
		if (digit == ',')
			continue;
		const int value = digit_value(digit);
		if (value < 0)
			return -EINVAL;
		for (unsigned i = 0; i < 4; i++, bit++) {
			if (!(value & 1 << i) || bit >= ENVIRONMENT_CPUS_MAX)
				continue;
			members++;
			if (cpus)
				cpus->numbers[cpus->count++] = (uint16_t)bit;
		}
	}
	return bit > 0 ? (int)members : -EINVAL;
}

static void collect_cpu(unsigned number, void *user)
{
	struct environment_cpus *cpus = user;
	if (number < ENVIRONMENT_CPUS_MAX && cpus->count < ENVIRONMENT_CPUS_MAX)
		cpus->numbers[cpus->count++] = (uint16_t)number;
}

/* The number in "cpu12" or "node3"; false for other names ("cpufreq"). */
static bool number_behind(const char *name, const char *prefix, uint64_t *ret_number)
{
	return text_starts_with(name, prefix) && text_parse_u64(name + strlen(prefix), ret_number);
}

struct cpu_walk {
	int root_fd;
	struct environment_cpus *cpus;
};

/* A CPU without the file cannot be switched off, so it is online. */
static void collect_cpu_folder(const char *name, void *user)
{
	const struct cpu_walk *walk = user;
	uint64_t number = 0;
	if (!number_behind(name, "cpu", &number) || number >= ENVIRONMENT_CPUS_MAX)
		return;
	char path[96];
	char state[8];
	(void)snprintf(path, sizeof(path), CPU_FOLDER "/cpu%u/online", (unsigned)number);
	const ssize_t length = fs_read_line_at(walk->root_fd, path, state, sizeof(state));
	if (length < 0 || strcmp(state, "0") != 0)
		collect_cpu((unsigned)number, walk->cpus);
}

static int compare_numbers(const void *one, const void *other)
{
	return *(const uint16_t *)one - *(const uint16_t *)other;
}

/* Kernels before 2.6.25 or so have no list of the online CPUs; there the folders are asked one by one. */
static void read_online(int root_fd, struct environment_cpus *cpus)
{
	char list[ENVIRONMENT_LINE_BYTES];
	cpus->count = 0;
	const ssize_t length = fs_read_line_at(root_fd, CPU_FOLDER "/online", list, sizeof(list));
	if (length > 0 && fs_list_each(list, collect_cpu, cpus) > 0)
		return;
	cpus->count = 0;
	struct cpu_walk walk = { .root_fd = root_fd, .cpus = cpus };
	(void)environment_folder_each(root_fd, CPU_FOLDER, collect_cpu_folder,
				      &walk); /* Without the folder the count stays 0. */
	qsort(cpus->numbers, cpus->count, sizeof(cpus->numbers[0]), compare_numbers);
}

/* Lowest member of the mask in a CPU's file, -1 when there is none. */
static int group_of(int root_fd, unsigned cpu, const char *file)
{
	char path[160];
	char mask[ENVIRONMENT_LINE_BYTES];
	struct environment_cpus members;
	(void)snprintf(path, sizeof(path), CPU_FOLDER "/cpu%u/%s", cpu, file);
	const ssize_t length = fs_read_line_at(root_fd, path, mask, sizeof(mask));
	if (length <= 0 || environment_mask_parse(mask, &members) <= 0)
		return -1;
	return members.numbers[0];
}

unsigned environment_groups_count(int root_fd, const struct environment_cpus *cpus,
				  const char *file, unsigned *ret_largest)
{
	uint16_t sizes[ENVIRONMENT_CPUS_MAX] = { 0 };
	unsigned groups = 0;
	unsigned largest = 0;
	for (unsigned i = 0; i < cpus->count; i++) {
		const int group = group_of(root_fd, cpus->numbers[i], file);
		if (group < 0)
			continue;
		if (sizes[group]++ == 0)
			groups++;
		if (sizes[group] > largest)
			largest = sizes[group];
	}
	assert(groups <= cpus->count);
	if (ret_largest)
		*ret_largest = largest;
	return groups;
}

void environment_topology_read(int root_fd, struct environment_topology *ret_topology)
{
	struct environment_topology *topology = ret_topology;
	read_online(root_fd, &topology->online);
	topology->cores =
		environment_groups_count(root_fd, &topology->online, "topology/thread_siblings",
					 &topology->threads_per_core);
	topology->sockets =
		environment_groups_count(root_fd, &topology->online, "topology/core_siblings",
					 /* ret_largest= */ NULL);
}

static void collect_node(const char *name, void *user)
{
	struct environment_nodes *nodes = user;
	uint64_t number = 0;
	if (number_behind(name, "node", &number) && number < ENVIRONMENT_NODES_MAX &&
	    nodes->count < ENVIRONMENT_NODES_MAX)
		nodes->numbers[nodes->count++] = (uint16_t)number;
}

enum missing environment_nodes_read(int root_fd, struct environment_nodes *ret_nodes)
{
	ret_nodes->count = 0;
	const int status = environment_folder_each(root_fd, NODE_FOLDER, collect_node, ret_nodes);
	if (status < 0)
		return missing_from_errno(-status);
	qsort(ret_nodes->numbers, ret_nodes->count, sizeof(ret_nodes->numbers[0]), compare_numbers);
	return ret_nodes->count > 0 ? MISSING_NOT : MISSING_ABSENT;
}

void environment_cpus_show(const struct environment_cpus *cpus, struct text *text)
{
	for (unsigned i = 0; i < cpus->count;) {
		unsigned last = i;
		while (last + 1 < cpus->count && cpus->numbers[last + 1] == cpus->numbers[last] + 1)
			last++;
		text_add(text, "%s%u", i == 0 ? "" : ",", cpus->numbers[i]);
		if (last > i)
			text_add(text, "-%u", cpus->numbers[last]);
		i = last + 1;
	}
}
