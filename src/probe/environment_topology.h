/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CPUs, cores, sockets and nodes, counted from /sys below a root. Only what both new and twenty years old kernels
 * print is used: the masks of siblings. A group of CPUs is known by its lowest member, so that package ids which
 * repeat on each node, or are -1 (s390), count right.
 */
#pragma once

#include "record/value.h"

#include <stddef.h>
#include <stdint.h>

struct text;

#define ENVIRONMENT_CPUS_MAX 8192  /* The largest NR_CPUS that the kernel's configuration allows. */
#define ENVIRONMENT_NODES_MAX 1024 /* MAX_NUMNODES. */

struct environment_cpus {
	unsigned count;
	uint16_t numbers[ENVIRONMENT_CPUS_MAX]; /* Ascending. */
};

struct environment_topology {
	struct environment_cpus online; /* count 0: could not be read. */
	unsigned cores;                 /* Of the online CPUs; 0 when the kernel does not tell. */
	unsigned sockets;
	unsigned threads_per_core; /* Most online threads of one core. */
};

struct environment_nodes {
	unsigned count;
	uint16_t numbers[ENVIRONMENT_NODES_MAX]; /* Ascending. */
};

void environment_topology_read(int root_fd, struct environment_topology *ret_topology);
enum missing
environment_nodes_read(int root_fd,
		       struct environment_nodes *ret_nodes); /* MISSING_NOT when read. */

/* The online CPUs as the kernel prints lists: "0-3,8". */
void environment_cpus_show(const struct environment_cpus *cpus, struct text *text);

/* A mask as sysfs prints it ("00000000,0000000f", most significant word first). Gives the number of its members, or
 * -EINVAL when it is no mask; ret_cpus may be NULL. Members beyond ENVIRONMENT_CPUS_MAX are not kept. */
int environment_mask_parse(const char *mask, struct environment_cpus *ret_cpus);

/* How many different groups the CPUs form, by the masks in `file` ("cache/index2/shared_cpu_map") of each CPU's
 * folder; 0 when no CPU has the file. *ret_largest, which may be NULL: the number of the given CPUs in the largest. */
unsigned environment_groups_count(int root_fd, const struct environment_cpus *cpus,
				  const char *file, unsigned *ret_largest);
