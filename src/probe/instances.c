/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Places out of sysfs, and binding by affinity and memory policy. See instances.h. */
#include "probe/instances.h"

#include "base/fs.h"
#include "base/mem.h"
#include "base/text.h"

#include <assert.h>
#include <errno.h>
#include <linux/mempolicy.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/syscall.h>

#define CPUS_MAX 8192
#define NODES_MAX 1024
#define NODE_WORDS (NODES_MAX / (8 * sizeof(unsigned long)))
#define LIST_BYTES 4096

static const size_t mask_bytes = CPUS_MAX / 8;

struct nodes {
	unsigned long words[NODE_WORDS];
};

struct place {
	cpu_set_t *cpus;    /* Of CPUS_MAX bits; only allowed ones. */
	struct nodes nodes; /* Empty where the kernel knows no nodes. */
};

struct instances {
	unsigned n_copies;
	bool bound;
	struct place *places;
	size_t n_places;
	/* What the thread had at the beginning. */
	cpu_set_t *cpus_before;
	struct nodes nodes_before;
	int policy_before; /* -1: there are no memory policies here. */
};

bool instances_parse(const char *text, struct instances_wish *ret_wish)
{
	struct instances_wish wish = { .per = INSTANCES_NUMBER };
	const char *colon = strchr(text, ':');
	AUTO(text) char *copies = colon ? mem_text_n(text, (size_t)(colon - text)) : mem_text(text);
	uint64_t number = 1;
	if (colon && !text_equal(colon, ":bound"))
		return false;
	wish.bound = colon != NULL;
	if (text_equal(copies, "node"))
		wish.per = INSTANCES_NODE;
	else if (text_equal(copies, "socket"))
		wish.per = INSTANCES_SOCKET;
	else if (!text_parse_u64(copies, &number) || number < 1 || number > INSTANCES_MAX)
		return false;
	wish.number = (unsigned)number;
	*ret_wish = wish;
	return true;
}

/* ---- finding places ---- */

static bool is_in(unsigned cpu, const cpu_set_t *cpus)
{
	return CPU_ISSET_S(cpu, mask_bytes, cpus);
}

static void mark_cpu(unsigned cpu, void *user)
{
	cpu_set_t *cpus = user;
	if (cpu < CPUS_MAX)
		CPU_SET_S(cpu, mask_bytes, cpus);
}

static void mark_node(unsigned node, void *user)
{
	struct nodes *nodes = user;
	const size_t bits = 8 * sizeof(unsigned long);
	if (node < NODES_MAX)
		nodes->words[node / bits] |= 1UL << (node % bits);
}

static bool has_node(const struct nodes *nodes, unsigned node)
{
	const size_t bits = 8 * sizeof(unsigned long);
	return nodes->words[node / bits] >> (node % bits) & 1;
}

/* The allowed CPUs of a list file; NULL when there is no such file or none of them is allowed. */
static cpu_set_t *cpus_of(const struct instances *instances, int root_fd, const char *path)
{
	char list[LIST_BYTES];
	if (fs_read_line_at(root_fd, path, list, sizeof(list)) <= 0)
		return NULL;
	cpu_set_t *cpus = mem_zero(mask_bytes);
	(void)fs_list_each(list, mark_cpu, cpus);
	CPU_AND_S(mask_bytes, cpus, cpus, instances->cpus_before);
	if (CPU_COUNT_S(mask_bytes, cpus) > 0)
		return cpus;
	free(cpus);
	return NULL;
}

static void add_place(struct instances *instances, cpu_set_t *cpus, const struct nodes *nodes)
{
	size_t capacity = instances->n_places;
	instances->places = mem_grow(instances->places, &capacity, instances->n_places + 1,
				     sizeof(*instances->places));
	instances->places[instances->n_places++] = (struct place) { .cpus = cpus, .nodes = *nodes };
}

static struct nodes online_nodes(int root_fd)
{
	char list[LIST_BYTES];
	struct nodes nodes = { { 0 } };
	if (fs_read_line_at(root_fd, "sys/devices/system/node/online", list, sizeof(list)) > 0)
		(void)fs_list_each(list, mark_node, &nodes);
	return nodes;
}

static cpu_set_t *cpus_of_node(const struct instances *instances, int root_fd, unsigned node)
{
	char path[96];
	(void)snprintf(path, sizeof(path), "sys/devices/system/node/node%u/cpulist", node);
	return cpus_of(instances, root_fd, path);
}

static void find_nodes(struct instances *instances, int root_fd)
{
	const struct nodes online = online_nodes(root_fd);
	for (unsigned node = 0; node < NODES_MAX; node++) {
		cpu_set_t *cpus =
			has_node(&online, node) ? cpus_of_node(instances, root_fd, node) : NULL;
		struct nodes one = { { 0 } };
		mark_node(node, &one);
		if (cpus)
			add_place(instances, cpus, &one);
	}
}

/* The nodes that have CPUs in common with these. */
static struct nodes nodes_of(const struct instances *instances, int root_fd, const cpu_set_t *cpus)
{
	const struct nodes online = online_nodes(root_fd);
	struct nodes nodes = { { 0 } };
	for (unsigned node = 0; node < NODES_MAX; node++) {
		cpu_set_t *shared =
			has_node(&online, node) ? cpus_of_node(instances, root_fd, node) : NULL;
		if (!shared)
			continue;
		CPU_AND_S(mask_bytes, shared, shared, cpus);
		if (CPU_COUNT_S(mask_bytes, shared) > 0)
			mark_node(node, &nodes);
		free(shared);
	}
	return nodes;
}

static bool is_placed(const struct instances *instances, unsigned cpu)
{
	for (size_t i = 0; i < instances->n_places; i++)
		if (is_in(cpu, instances->places[i].cpus))
			return true;
	return false;
}

static void find_sockets(struct instances *instances, int root_fd)
{
	for (unsigned cpu = 0; cpu < CPUS_MAX; cpu++) {
		if (!is_in(cpu, instances->cpus_before) || is_placed(instances, cpu))
			continue;
		char path[96];
		(void)snprintf(path, sizeof(path),
			       "sys/devices/system/cpu/cpu%u/topology/core_siblings_list", cpu);
		cpu_set_t *cpus = cpus_of(instances, root_fd, path);
		if (!cpus)
			continue;
		const struct nodes nodes = nodes_of(instances, root_fd, cpus);
		add_place(instances, cpus, &nodes);
	}
}

static int remember(struct instances *instances, struct error *err)
{
	instances->cpus_before = mem_zero(mask_bytes);
	if (sched_getaffinity(0, mask_bytes, instances->cpus_before) < 0)
		return error_errno(err, errno, "cannot read the CPU mask");
	int policy = -1;
	/* One more than the bits: the kernel takes one off. */
	if (syscall(SYS_get_mempolicy, &policy, instances->nodes_before.words, NODES_MAX + 1, 0,
		    0) < 0)
		policy = -1;
	instances->policy_before = policy;
	return 0;
}

int instances_new(const struct instances_wish *wish, int root_fd, struct instances **ret_instances,
		  struct error *err)
{
	AUTO(instances) struct instances *instances = mem_zero(sizeof(*instances));
	instances->bound = wish->bound;
	const int failed = remember(instances, err);
	if (failed)
		return failed;
	if (wish->per == INSTANCES_SOCKET)
		find_sockets(instances, root_fd);
	else
		find_nodes(instances, root_fd);
	if (instances->n_places == 0) {
		/* A kernel without NUMA, or a root without topology: all is one place. */
		const struct nodes none = { { 0 } };
		cpu_set_t *cpus = mem_zero(mask_bytes);
		memcpy(cpus, instances->cpus_before, mask_bytes);
		add_place(instances, cpus, &none);
	}
	instances->n_copies =
		wish->per == INSTANCES_NUMBER ? wish->number : (unsigned)instances->n_places;
	assert(instances->n_copies > 0);
	*ret_instances = KEEP(instances);
	return 0;
}

void instances_free(struct instances *instances)
{
	if (!instances)
		return;
	for (size_t i = 0; i < instances->n_places; i++)
		free(instances->places[i].cpus);
	free(instances->places);
	free(instances->cpus_before);
	free(instances);
}

unsigned instances_count(const struct instances *instances)
{
	return instances ? instances->n_copies : 1;
}

unsigned instances_before(const struct instances *instances, unsigned copy)
{
	if (!instances)
		return 0;
	return instances->bound ? copy / (unsigned)instances->n_places : copy;
}

unsigned instances_cpus(const struct instances *instances, unsigned copy)
{
	if (!instances || !instances->bound)
		return 0;
	const struct place *place = &instances->places[copy % instances->n_places];
	return (unsigned)CPU_COUNT_S(mask_bytes, place->cpus);
}

/* ---- binding ---- */

static bool is_empty(const struct nodes *nodes)
{
	static const struct nodes none;
	return memcmp(nodes, &none, sizeof(none)) == 0;
}

int instances_bind(const struct instances *instances, unsigned copy, struct error *err)
{
	if (!instances || !instances->bound)
		return 0;
	const struct place *place = &instances->places[copy % instances->n_places];
	if (sched_setaffinity(0, mask_bytes, place->cpus) < 0)
		return error_errno(err, errno, "cannot bind instance %u to its CPUs", copy);
	if (instances->policy_before < 0 || is_empty(&place->nodes))
		return 0;
	if (syscall(SYS_set_mempolicy, MPOL_BIND, place->nodes.words, NODES_MAX + 1) < 0)
		return error_errno(err, errno, "cannot bind the memory of instance %u to its node",
				   copy);
	return 0;
}

void instances_release(const struct instances *instances)
{
	if (!instances || !instances->bound)
		return;
	/* What was in force before can be put in force again. */
	(void)sched_setaffinity(0, mask_bytes, instances->cpus_before);
	if (instances->policy_before >= 0)
		(void)syscall(SYS_set_mempolicy, instances->policy_before,
			      is_empty(&instances->nodes_before) ? NULL
								 : instances->nodes_before.words,
			      NODES_MAX + 1);
}
