/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sysctl vm.numa_stat. While it is 0 the kernel prints its allocation counters per node but
 * does not count: they stand still or are 0. Such readings are missing (switched off).
 */
#pragma once

#include "monitor/keyed.h"

#include <stdbool.h>

struct numa_switch {
	int fd; /* -1: the kernel has no such switch, it always counts. */
};

void numa_switch_open(struct numa_switch *numa_switch, int root_fd);
void numa_switch_done(struct numa_switch *numa_switch);

/* One pread of two bytes; safe in the measured window. */
bool numa_switch_is_off(const struct numa_switch *numa_switch);

/* Whether the switch governs the counter, by its name in vmstat ("numa_hit") or numastat
 * ("local_node"). */
bool numa_switch_governs(const char *name);

/* Marks the governed keys of a file that was just opened. */
void numa_switch_mark(struct keyed *keyed);

/* Makes the readings of the marked keys missing (switched off), after the file was sampled. */
void numa_switch_withhold(const struct keyed *keyed, struct reading *readings);
