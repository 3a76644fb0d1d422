/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One "cpu" line of /proc/stat. See cpu_ticks.h. */
#include "monitor/cpu_ticks.h"

#include "monitor/source.h"

#define STATES_MIN 4U

static uint64_t without(uint64_t whole, uint64_t part)
{
	return whole > part ? whole - part : 0;
}

bool cpu_ticks_parse(const char *at, struct cpu_ticks *ret_ticks)
{
	struct cpu_ticks ticks = { 0 };
	while (ticks.n_known < TICKS_COUNT && source_number(&at, &ticks.ticks[ticks.n_known]))
		ticks.n_known++;
	const bool is_ended = *at == '\n' || *at == '\r' || *at == '\0';
	if (ticks.n_known < STATES_MIN || (ticks.n_known < TICKS_COUNT && !is_ended))
		return false;
	ticks.ticks[TICKS_USER] = without(ticks.ticks[TICKS_USER], ticks.ticks[TICKS_GUEST]);
	ticks.ticks[TICKS_NICE] = without(ticks.ticks[TICKS_NICE], ticks.ticks[TICKS_GUEST_NICE]);
	*ret_ticks = ticks;
	return true;
}

uint64_t cpu_ticks_hold(uint64_t *last, uint64_t now, uint64_t limit)
{
	if (now < *last && *last - now <= limit)
		return *last;
	*last = now;
	return now;
}
