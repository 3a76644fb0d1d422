/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes out of sysfs, halves, and binding by affinity and memory policy. See numa_nodes.h. */
#include "workload/numa_nodes.h"

#include "base/auto.h"
#include "base/fs.h"
#include "base/mem.h"
#include "base/text.h"

#include <assert.h>
#include <errno.h>
#include <linux/mempolicy.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/syscall.h>

#define LIST_BYTES 16384
#define NODES_PATH "sys/devices/system/node"

/* ---- masks ---- */

void numa_mask_set(struct numa_mask *mask, unsigned bit)
{
	if (bit < NUMA_BITS)
		mask->words[bit / NUMA_WORD_BITS] |= 1UL << (bit % NUMA_WORD_BITS);
}

bool numa_mask_has(const struct numa_mask *mask, unsigned bit)
{
	return bit < NUMA_BITS && (mask->words[bit / NUMA_WORD_BITS] >> (bit % NUMA_WORD_BITS) & 1);
}

bool numa_mask_is_empty(const struct numa_mask *mask)
{
	static const struct numa_mask none;
	return memcmp(mask, &none, sizeof(none)) == 0;
}

static void keep_common(struct numa_mask *mask, const struct numa_mask *other)
{
	for (size_t i = 0; i < NUMA_BITS / NUMA_WORD_BITS; i++)
		mask->words[i] &= other->words[i];
}

static void add_all(struct numa_mask *mask, const struct numa_mask *other)
{
	for (size_t i = 0; i < NUMA_BITS / NUMA_WORD_BITS; i++)
		mask->words[i] |= other->words[i];
}

static void set_one(unsigned number, void *user)
{
	numa_mask_set(user, number);
}

/* The numbers of a list file. False when there is none, or it is no list. */
static bool read_list(int root_fd, const char *path, struct numa_mask *ret_mask)
{
	char list[LIST_BYTES];
	struct numa_mask mask = { { 0 } };
	if (fs_read_line_at(root_fd, path, list, sizeof(list)) < 0 ||
	    fs_list_each(list, set_one, &mask) < 0)
		return false;
	*ret_mask = mask;
	return true;
}

/* ---- reading ---- */

/* The line of a node: distances to the online nodes in their order. */
static void read_distances(int root_fd, struct numa_nodes *nodes, size_t place)
{
	char path[96];
	char line[LIST_BYTES];
	(void)snprintf(path, sizeof(path), NODES_PATH "/node%u/distance",
		       nodes->nodes[place].number);
	if (fs_read_line_at(root_fd, path, line, sizeof(line)) < 0)
		return;
	const char *const end = line + strlen(line);
	const char *at = line;
	for (size_t i = 0; i < nodes->n_read; i++) {
		uint64_t distance;
		at += strspn(at, " \t");
		if (!text_scan_u64(&at, end, &distance))
			return;
		nodes->distances[place * nodes->n_read + i] =
			distance < 10000 ? (unsigned)distance : 10000;
	}
}

static void drop_empty(struct numa_nodes *nodes)
{
	size_t kept = 0;
	for (size_t i = 0; i < nodes->n; i++)
		if (nodes->nodes[i].has_cpus || nodes->nodes[i].has_memory)
			nodes->nodes[kept++] = nodes->nodes[i];
	nodes->n = kept;
}

static void read_nodes(int root_fd, const struct numa_mask *online, struct numa_nodes *nodes)
{
	struct numa_mask memory;
	const bool says_memory = read_list(root_fd, NODES_PATH "/has_memory", &memory) ||
				 read_list(root_fd, NODES_PATH "/has_normal_memory", &memory);
	for (unsigned number = 0; number < NUMA_NODES_MAX; number++) {
		if (!numa_mask_has(online, number))
			continue;
		char path[96];
		(void)snprintf(path, sizeof(path), NODES_PATH "/node%u/cpulist", number);
		struct numa_node *node = &nodes->nodes[nodes->n];
		*node = (struct numa_node) { .number = number, .place = nodes->n };
		node->has_cpus =
			read_list(root_fd, path, &node->cpus) && !numa_mask_is_empty(&node->cpus);
		node->has_memory = !says_memory || numa_mask_has(&memory, number);
		nodes->n++;
	}
	nodes->n_read = nodes->n;
	nodes->distances = mem_array(nodes->n_read * nodes->n_read, sizeof(*nodes->distances));
	for (size_t i = 0; i < nodes->n; i++)
		read_distances(root_fd, nodes, i);
	drop_empty(nodes);
}

int numa_nodes_read(int root_fd, struct numa_nodes *ret_nodes, struct error *err)
{
	struct numa_nodes nodes = { 0 };
	struct numa_mask online;
	nodes.nodes = mem_array(NUMA_NODES_MAX, sizeof(*nodes.nodes));
	if (read_list(root_fd, NODES_PATH "/online", &online))
		read_nodes(root_fd, &online, &nodes);
	if (nodes.n == 0) {
		struct numa_node *node = &nodes.nodes[0];
		*node = (struct numa_node) { .has_cpus = true, .has_memory = true };
		nodes.n = 1;
		if (!read_list(root_fd, "sys/devices/system/cpu/online", &node->cpus)) {
			numa_nodes_done(&nodes);
			return error_set(err, ENOENT,
					 "cannot read which CPUs there are: no "
					 "'sys/devices/system/cpu/online'");
		}
	}
	*ret_nodes = nodes;
	return 0;
}

void numa_nodes_done(struct numa_nodes *nodes)
{
	free(nodes->nodes);
	free(nodes->distances);
	*nodes = (struct numa_nodes) { 0 };
}

int numa_nodes_allowed(struct numa_mask *ret_cpus, struct numa_mask *ret_memory, struct error *err)
{
	*ret_cpus = (struct numa_mask) { { 0 } };
	*ret_memory = (struct numa_mask) { { 0 } };
	if (syscall(SYS_sched_getaffinity, 0, sizeof(ret_cpus->words), ret_cpus->words) < 0)
		return error_errno(err, errno, "cannot read the CPU mask");
	/* One more than the bits: the kernel takes one off. Without NUMA there is only node 0. */
	if (syscall(SYS_get_mempolicy, NULL, ret_memory->words, NUMA_NODES_MAX + 1, NULL,
		    MPOL_F_MEMS_ALLOWED) < 0)
		numa_mask_set(ret_memory, 0);
	return 0;
}

void numa_nodes_keep(struct numa_nodes *nodes, const struct numa_mask *cpus,
		     const struct numa_mask *memory)
{
	for (size_t i = 0; i < nodes->n; i++) {
		struct numa_node *node = &nodes->nodes[i];
		keep_common(&node->cpus, cpus);
		node->has_cpus = !numa_mask_is_empty(&node->cpus);
		node->has_memory = node->has_memory && numa_mask_has(memory, node->number);
	}
	drop_empty(nodes);
}

size_t numa_nodes_with_cpus(const struct numa_nodes *nodes)
{
	size_t n = 0;
	for (size_t i = 0; i < nodes->n; i++)
		n += nodes->nodes[i].has_cpus;
	return n;
}

size_t numa_nodes_with_memory(const struct numa_nodes *nodes)
{
	size_t n = 0;
	for (size_t i = 0; i < nodes->n; i++)
		n += nodes->nodes[i].has_memory;
	return n;
}

/* ---- halves ---- */

/* Index of the nearest node with CPUs: itself where it has some. There is one. */
static size_t nearest_with_cpus(const struct numa_nodes *nodes, size_t index)
{
	size_t nearest = nodes->n;
	unsigned least = 0;
	const unsigned *distances = &nodes->distances[nodes->nodes[index].place * nodes->n_read];
	if (nodes->nodes[index].has_cpus)
		return index;
	for (size_t i = 0; i < nodes->n; i++) {
		const unsigned distance = distances[nodes->nodes[i].place];
		if (nodes->nodes[i].has_cpus && (nearest == nodes->n || distance < least)) {
			nearest = i;
			least = distance;
		}
	}
	assert(nearest < nodes->n);
	return nearest;
}

/* How many nodes with CPUs stand before this one. */
static size_t rank_of(const struct numa_nodes *nodes, size_t index)
{
	size_t rank = 0;
	for (size_t i = 0; i < index; i++)
		rank += nodes->nodes[i].has_cpus;
	return rank;
}

bool numa_nodes_halves(const struct numa_nodes *nodes, struct numa_half ret_halves[static 2])
{
	const size_t with_cpus = numa_nodes_with_cpus(nodes);
	struct numa_half halves[2] = { { .cpus = { { 0 } } } };
	if (with_cpus < 2)
		return false;
	for (size_t i = 0; i < nodes->n; i++) {
		const struct numa_node *node = &nodes->nodes[i];
		const size_t rank = rank_of(nodes, nearest_with_cpus(nodes, i));
		struct numa_half *half = &halves[rank >= with_cpus / 2];
		add_all(&half->cpus, &node->cpus);
		if (node->has_memory)
			numa_mask_set(&half->memory, node->number);
	}
	assert(!numa_mask_is_empty(&halves[0].cpus) && !numa_mask_is_empty(&halves[1].cpus));
	if (numa_mask_is_empty(&halves[0].memory) || numa_mask_is_empty(&halves[1].memory))
		return false;
	memcpy(ret_halves, halves, sizeof(halves));
	return true;
}

/* ---- binding ---- */

int numa_bind_cpus(const struct numa_mask *cpus, struct error *err)
{
	if (syscall(SYS_sched_setaffinity, 0, sizeof(cpus->words), cpus->words) < 0)
		return error_errno(err, errno, "cannot bind to the CPUs of a node");
	return 0;
}

int numa_bind_memory(const struct numa_mask *memory, struct error *err)
{
	if (syscall(SYS_set_mempolicy, MPOL_BIND, memory->words, NUMA_NODES_MAX + 1) < 0)
		return error_errno(err, errno, "cannot bind memory to a node");
	return 0;
}

int numa_free_memory(struct error *err)
{
	if (syscall(SYS_set_mempolicy, MPOL_DEFAULT, NULL, 0) < 0)
		return error_errno(err, errno, "cannot go back to the default memory policy");
	return 0;
}
