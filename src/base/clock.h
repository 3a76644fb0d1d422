/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All times are uint64_t nanoseconds of one of three clocks, named at each call.
 */
#pragma once

#include <stdint.h>

#define NS_PER_SEC 1000000000ULL
#define NS_PER_MS 1000000ULL
#define NS_PER_US 1000ULL

uint64_t clock_monotonic_ns(void);  /* CLOCK_MONOTONIC: for intervals and deadlines. */
uint64_t clock_wall_ns(void);       /* CLOCK_REALTIME since 1970: for people only. */
uint64_t clock_thread_cpu_ns(void); /* CPU time that this thread has used. */

/* Sleeps to an absolute CLOCK_MONOTONIC time; returns early only when it has passed. */
void clock_sleep_until_ns(uint64_t deadline_ns);

static inline double clock_seconds(uint64_t ns)
{
	return (double)ns / 1e9;
}
