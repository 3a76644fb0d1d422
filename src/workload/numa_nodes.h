/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The NUMA nodes of the machine as the workloads that bind see them: which have CPUs, which have
 * memory, and how they fall into two halves. Read below a root, so that any machine can be planned
 * for; node numbers may have holes, a node may have CPUs only or memory only. Binding itself is by
 * system calls of this machine.
 */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

#define NUMA_BITS 8192U /* CPUs; the nodes use the first 1024. */
#define NUMA_NODES_MAX 1024U
#define NUMA_WORD_BITS (8 * sizeof(unsigned long))

struct numa_mask {
	unsigned long words[NUMA_BITS / NUMA_WORD_BITS];
};

struct numa_node {
	unsigned number;
	struct numa_mask cpus;
	bool has_cpus;
	bool has_memory;
	size_t place; /* Of its line in `distances`. */
};

struct numa_nodes {
	struct numa_node *nodes; /* Ascending by number; each has CPUs or memory. Owned. */
	size_t n;
	unsigned *distances; /* n_read lines of n_read; 0 where nobody said. Owned. */
	size_t n_read;
};

/* What one half of a machine is. */
struct numa_half {
	struct numa_mask cpus;
	struct numa_mask memory; /* Nodes. */
};

void numa_mask_set(struct numa_mask *mask, unsigned bit); /* One beyond the limit is passed over. */
bool numa_mask_has(const struct numa_mask *mask, unsigned bit);
bool numa_mask_is_empty(const struct numa_mask *mask);

/* Nodes that are online. A kernel without NUMA, or a tree without nodes, is one node with all CPUs
 * and all memory. 0 or -errno. */
int numa_nodes_read(int root_fd, struct numa_nodes *ret_nodes, struct error *err);
void numa_nodes_done(struct numa_nodes *nodes);

/* CPUs and nodes that this process may use (affinity, cpuset). */
int numa_nodes_allowed(struct numa_mask *ret_cpus, struct numa_mask *ret_memory, struct error *err);
/* Drops what is not in them, and nodes that have nothing left. */
void numa_nodes_keep(struct numa_nodes *nodes, const struct numa_mask *cpus,
		     const struct numa_mask *memory);

size_t numa_nodes_with_cpus(const struct numa_nodes *nodes);
size_t numa_nodes_with_memory(const struct numa_nodes *nodes);

/* The first half of the nodes with CPUs (of an odd number the smaller part) and the rest; a node
 * with memory only goes to the half of the nearest node with CPUs, the lower one of two that are as
 * near. False when there are not two halves with CPUs and memory each. */
bool numa_nodes_halves(const struct numa_nodes *nodes, struct numa_half ret_halves[static 2]);

/* Of the calling thread, and what it makes later. -errno with the reason. */
int numa_bind_cpus(const struct numa_mask *cpus, struct error *err);
int numa_bind_memory(const struct numa_mask *memory, struct error *err);
int numa_free_memory(struct error *err); /* The default policy. */
