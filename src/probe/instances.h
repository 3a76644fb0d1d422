/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Several copies of a workload side by side in one run: how many, and where each one lives. A place is a
 * NUMA node or a socket; a copy that is bound to one runs on its CPUs only and takes its memory from
 * there only, as with numactl --cpunodebind --membind.
 */
#pragma once

#include "base/auto.h"
#include "base/error.h"

#include <stdbool.h>

#define INSTANCES_MAX 1024

enum instances_per {
	INSTANCES_NUMBER,
	INSTANCES_NODE,
	INSTANCES_SOCKET,
};

struct instances_wish {
	enum instances_per per;
	unsigned number; /* Of INSTANCES_NUMBER. */
	bool bound;
};

struct instances;

/* "node", "socket" or a number, and ":bound" behind it. False when it is something else. */
bool instances_parse(const char *text, struct instances_wish *ret_wish);

/* Looks up the places that the calling thread may use, under the root. A number that is bound is spread
 * over the nodes in turn. */
int instances_new(const struct instances_wish *wish, int root_fd, struct instances **ret_instances,
		  struct error *err);
void instances_free(struct instances *instances); /* NULL is allowed. */

/* NULL means one copy that is free, here and below. */
unsigned instances_count(const struct instances *instances);

/* How many copies before this one live at the same place: its workers are pinned behind theirs. */
unsigned instances_before(const struct instances *instances, unsigned copy);

/* Binds the calling thread, and so all that it makes, to the copy's place; release undoes it. */
int instances_bind(const struct instances *instances, unsigned copy, struct error *err);
void instances_release(const struct instances *instances);

/* Number of CPUs of the copy's place, for tests; 0 when it is free. */
unsigned instances_cpus(const struct instances *instances, unsigned copy);

DEFINE_AUTO(instances, struct instances *, instances_free);
