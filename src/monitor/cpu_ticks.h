/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One "cpu" line of /proc/stat: how many ticks a CPU, or all of them, spent in each state. The
 * states here do not overlap: the kernel counts guest time once more inside user and nice, and it
 * is taken out of them, so that shares add up to 100 %.
 */
#pragma once

#include "record/channel.h"

#include <stdbool.h>
#include <stdint.h>

enum ticks {
	TICKS_USER, /* Without guest. */
	TICKS_NICE, /* Without guest_nice. */
	TICKS_SYSTEM,
	TICKS_IDLE,
	TICKS_IOWAIT,
	TICKS_IRQ,
	TICKS_SOFTIRQ,
	TICKS_STEAL,
	TICKS_GUEST,
	TICKS_GUEST_NICE,
	TICKS_COUNT,
};

struct cpu_ticks {
	uint64_t ticks[TICKS_COUNT];
	unsigned n_known; /* States that the kernel prints; those behind are 0. At least 4. */
};

/* `at` stands behind the word "cpu" or "cpu7". False when the line is malformed. */
bool cpu_ticks_parse(const char *at, struct cpu_ticks *ret_ticks);

/* Holds a count at its last value when it falls by no more than `limit`. User less guest falls by
 * one when only the guest's tick was rounded up; idle and iowait of all CPUs fall a little when a
 * sleeper wakes on another CPU (proc(5)). A fall by more is left for others to judge. */
uint64_t cpu_ticks_hold(uint64_t *last, uint64_t now, uint64_t limit);
