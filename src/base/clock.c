/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nanosecond clocks. See clock.h. */
#include "base/clock.h"

#include <assert.h>
#include <errno.h>
#include <time.h>

static uint64_t read_clock(clockid_t clock)
{
	struct timespec now;
	const int failed = clock_gettime(clock, &now);
	assert(!failed);
	return (uint64_t)now.tv_sec * NS_PER_SEC + (uint64_t)now.tv_nsec;
}

uint64_t clock_monotonic_ns(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

uint64_t clock_wall_ns(void)
{
	return read_clock(CLOCK_REALTIME);
}

uint64_t clock_thread_cpu_ns(void)
{
	return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

void clock_sleep_until_ns(uint64_t deadline_ns)
{
	const struct timespec until = { .tv_sec = (time_t)(deadline_ns / NS_PER_SEC),
					.tv_nsec = (long)(deadline_ns % NS_PER_SEC) };
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, /* remain= */ NULL) == EINTR)
		;
}
