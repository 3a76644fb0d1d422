/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Differences of getrusage readings. See usage.h. */
#include "probe/usage.h"

#include "base/clock.h"

static uint64_t time_ns(const struct timeval *time)
{
	return (uint64_t)time->tv_sec * NS_PER_SEC + (uint64_t)time->tv_usec * NS_PER_US;
}

/* Readings of one task never run backwards, yet user and system time may by a tick: the kernel
 * splits a precise sum between them by samples. */
static uint64_t grown(uint64_t begin, uint64_t end)
{
	return end > begin ? end - begin : 0;
}

static uint64_t grown_count(long begin, long end)
{
	return end > begin ? (uint64_t)(end - begin) : 0;
}

static struct usage between(const struct rusage *begin, const struct rusage *end)
{
	return (struct usage) {
		.user_ns = grown(time_ns(&begin->ru_utime), time_ns(&end->ru_utime)),
		.system_ns = grown(time_ns(&begin->ru_stime), time_ns(&end->ru_stime)),
		.minor_faults = grown_count(begin->ru_minflt, end->ru_minflt),
		.major_faults = grown_count(begin->ru_majflt, end->ru_majflt),
		.voluntary_switches = grown_count(begin->ru_nvcsw, end->ru_nvcsw),
		.involuntary_switches = grown_count(begin->ru_nivcsw, end->ru_nivcsw),
		.blocks_in = grown_count(begin->ru_inblock, end->ru_inblock),
		.blocks_out = grown_count(begin->ru_oublock, end->ru_oublock),
		.max_resident_kib = grown_count(0, end->ru_maxrss),
	};
}

void usage_add(struct usage *usage, const struct rusage *begin, const struct rusage *end)
{
	const struct usage part = between(begin, end);
	usage->user_ns += part.user_ns;
	usage->system_ns += part.system_ns;
	usage->minor_faults += part.minor_faults;
	usage->major_faults += part.major_faults;
	usage->voluntary_switches += part.voluntary_switches;
	usage->involuntary_switches += part.involuntary_switches;
	usage->blocks_in += part.blocks_in;
	usage->blocks_out += part.blocks_out;
	if (part.max_resident_kib > usage->max_resident_kib)
		usage->max_resident_kib = part.max_resident_kib;
}

void usage_take_away(struct usage *usage, const struct rusage *begin, const struct rusage *end)
{
	const struct usage part = between(begin, end);
	usage->user_ns = grown(part.user_ns, usage->user_ns);
	usage->system_ns = grown(part.system_ns, usage->system_ns);
	usage->minor_faults = grown(part.minor_faults, usage->minor_faults);
	usage->major_faults = grown(part.major_faults, usage->major_faults);
	usage->voluntary_switches = grown(part.voluntary_switches, usage->voluntary_switches);
	usage->involuntary_switches = grown(part.involuntary_switches, usage->involuntary_switches);
	usage->blocks_in = grown(part.blocks_in, usage->blocks_in);
	usage->blocks_out = grown(part.blocks_out, usage->blocks_out);
}
