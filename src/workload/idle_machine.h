/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an idle machine does, read below a root at two moments and compared: the time of its CPUs in
 * each idle state (cpuidle in sysfs), how often they went there, interrupts and context switches
 * (/proc/stat), and the energy that was used (RAPL zones of powercap). Nothing is allocated. What is
 * not there is missing with the reason, in the reading and in all that is made of it.
 */
#pragma once

#include "record/value.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IDLE_STATES_MAX 32U
#define IDLE_ZONES_MAX 64U
#define IDLE_NAME_BYTES 48U
#define IDLE_STAT_BYTES (1U << 20)

struct idle_state { /* Sums over the CPUs that have one of this name. */
	char name[IDLE_NAME_BYTES];
	uint64_t time_us;
	uint64_t usage; /* How often it was entered. */
};

struct idle_reading {
	/* CPUs with idle states, and the sum of the moments at which each was read: the difference of
	 * two is the time of all of them together. */
	unsigned n_cpus;
	uint64_t cpus_at_ns;
	struct idle_state states[IDLE_STATES_MAX];
	unsigned n_states;
	uint64_t deepest_us; /* Time in each CPU's last state, sum. */
	enum missing states_missing;
	uint64_t at_ns; /* Of what follows. */
	uint64_t interrupts;
	uint64_t switches;
	enum missing stat_missing;
};

/* `text` is room for /proc/stat. */
void idle_read(int root_fd, char text[static IDLE_STAT_BYTES], struct idle_reading *ret_reading);

/* Percent of the time of all CPUs in a state of `last`, by its index. */
struct value idle_percent(const struct idle_reading *first, const struct idle_reading *last,
			  unsigned state);
struct value idle_percent_deepest(const struct idle_reading *first,
				  const struct idle_reading *last);
/* Per second: entries of any idle state, each of which ends with a wake-up; interrupts; switches. */
struct value idle_wakeups(const struct idle_reading *first, const struct idle_reading *last);
struct value idle_interrupts(const struct idle_reading *first, const struct idle_reading *last);
struct value idle_switches(const struct idle_reading *first, const struct idle_reading *last);

struct idle_zone {
	char folder[IDLE_NAME_BYTES]; /* "intel-rapl:0:1" */
	char label[IDLE_NAME_BYTES];  /* "package-0.dram" */
	bool is_whole;                /* A package, or memory, which no package contains. */
	uint64_t range_uj;            /* Where it wraps. */
	enum missing missing;
	bool is_begun;
	uint64_t last_uj;
	uint64_t begin_ns, end_ns; /* Of the first and last reading. */
	uint64_t used_uj;          /* In between. */
};

struct idle_power {
	struct idle_zone zones[IDLE_ZONES_MAX];
	unsigned n_zones;
};

/* Finds the zones; a machine without is one with none. */
void idle_power_find(int root_fd, struct idle_power *ret_power);
/* Reads all; to be called more often than the fastest zone wraps (some ten minutes). */
void idle_power_read(int root_fd, struct idle_power *power);

struct value idle_zone_watts(const struct idle_zone *zone);
/* Sum over packages and memory. */
struct value idle_watts(const struct idle_power *power);
