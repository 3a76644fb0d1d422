/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The NUMA nodes below the root and one keyed file of each: what the three numa-* monitors have in
 * common. Node numbers may have holes; one node is enough. Metrics are nodeN.KEY, and KEY over all
 * nodes where there are two or more.
 */
#pragma once

#include "monitor/keyed.h"
#include "monitor/numa_switch.h"

#include <stdbool.h>
#include <stdint.h>

#define NODES_MAX 1024U

struct node {
	uint32_t number;
	struct keyed file;
};

struct nodes {
	struct node *nodes; /* Owned; by number. */
	uint32_t n_nodes;
	struct numa_switch numa_switch;
};

/* The file of each node and how it is read. */
struct nodes_plan {
	const char *file; /* Below sys/devices/system/node/nodeN/. */
	bool numbered;    /* Each line begins with "Node N ". */
	char separator;
	keyed_describe *describe;
};

/* Opens the file of each node that has one and declares channels and metrics. Unavailable when
 * no node has it. A node that would not fit into the channels of a monitor is left out, with
 * all behind it. *ret_state is a struct nodes. */
enum monitor_opened nodes_open(struct monitor_setup *setup, const struct nodes_plan *plan,
			       void **ret_state, struct error *reason);
void nodes_sample(void *nodes, struct reading *readings);
void nodes_close(void *nodes); /* NULL is allowed. */

/* The numbers of the nodes below the root, ascending, into a new array of *ret_n. 0 or -errno with
 * the reason. */
int nodes_list(int root_fd, uint32_t **ret_numbers, uint32_t *ret_n, struct error *err) NODISCARD;
