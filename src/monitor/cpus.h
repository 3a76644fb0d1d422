/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A list of CPU numbers, ascending: the CPUs that a monitor has channels for. A CPU's place in it
 * is its slot.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define CPUS_MAX 8192U /* The kernel's own upper limit (CONFIG_NR_CPUS). */

struct cpus {
	uint32_t *numbers; /* Owned. */
	uint32_t n;
};

/* The CPUs that are plugged in, online or not (sys/devices/system/cpu/present). False, and an empty
 * list, when the tree does not say. */
bool cpus_present(struct cpus *cpus, int root_fd);

/* Adds one at its place; one that is there or beyond the limit is passed over. */
void cpus_add(struct cpus *cpus, uint32_t number);
void cpus_done(struct cpus *cpus);

/* Slot of a CPU, or -1. `expected` is looked at first. */
int cpus_slot(const struct cpus *cpus, uint32_t number, uint32_t expected);
