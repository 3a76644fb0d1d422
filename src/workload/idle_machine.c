/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Idle states, interrupts and energy out of sysfs and procfs. See idle_machine.h. */
#include "workload/idle_machine.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/text.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PATH_BYTES 128
#define WORD_BYTES 64
#define LIST_BYTES 16384
#define CPU_STATES_MAX 16 /* The kernel has ten at most. */
#define POWERCAP "sys/class/powercap"

/* ---- single files ---- */

static enum missing read_number(int root_fd, const char *path, uint64_t *ret_number)
{
	char text[WORD_BYTES];
	const ssize_t got = fs_read_line_at(root_fd, path, text, sizeof(text));
	if (got < 0)
		return missing_from_errno((int)-got);
	return text_parse_u64(text, ret_number) ? MISSING_NOT : MISSING_MALFORMED;
}

/* A name that can stand in that of a metric: "C1E", "package-0". False when there is none. */
static bool read_name(int root_fd, const char *path, char ret_name[static IDLE_NAME_BYTES])
{
	char text[WORD_BYTES];
	if (fs_read_line_at(root_fd, path, text, sizeof(text)) <= 0)
		return false;
	(void)snprintf(ret_name, IDLE_NAME_BYTES, "%.*s", (int)IDLE_NAME_BYTES - 1, text);
	for (char *byte = ret_name; *byte; byte++)
		if (!(*byte >= '0' && *byte <= '9') && !(*byte >= 'A' && *byte <= 'Z') &&
		    !(*byte >= 'a' && *byte <= 'z') && !strchr("-_", *byte))
			*byte = '_';
	return true;
}

/* ---- idle states ---- */

struct reader {
	int root_fd;
	struct idle_reading *reading;
};

static struct idle_state *state_named(struct idle_reading *reading, const char *name)
{
	for (unsigned i = 0; i < reading->n_states; i++)
		if (text_equal(reading->states[i].name, name))
			return &reading->states[i];
	if (reading->n_states == IDLE_STATES_MAX)
		return NULL;
	struct idle_state *state = &reading->states[reading->n_states++];
	*state = (struct idle_state) { 0 };
	(void)snprintf(state->name, sizeof(state->name), "%s", name);
	return state;
}

/* One state of one CPU; false when it has not so many. */
static bool read_state(const struct reader *reader, unsigned cpu, unsigned index,
		       uint64_t *ret_time_us)
{
	struct idle_reading *reading = reader->reading;
	char folder[PATH_BYTES / 2];
	char path[PATH_BYTES];
	char name[IDLE_NAME_BYTES];
	uint64_t usage = 0;
	(void)snprintf(folder, sizeof(folder), "sys/devices/system/cpu/cpu%u/cpuidle/state%u", cpu,
		       index);
	(void)snprintf(path, sizeof(path), "%s/name", folder);
	if (!read_name(reader->root_fd, path, name))
		return false;
	(void)snprintf(path, sizeof(path), "%s/time", folder);
	enum missing why = read_number(reader->root_fd, path, ret_time_us);
	(void)snprintf(path, sizeof(path), "%s/usage", folder);
	if (why == MISSING_NOT)
		why = read_number(reader->root_fd, path, &usage);
	struct idle_state *state = state_named(reading, name);
	if (why != MISSING_NOT || !state) {
		reading->states_missing = why != MISSING_NOT ? why : MISSING_MALFORMED;
		*ret_time_us = 0;
		return true;
	}
	if (__builtin_add_overflow(state->time_us, *ret_time_us, &state->time_us) ||
	    __builtin_add_overflow(state->usage, usage, &state->usage))
		reading->states_missing = MISSING_MALFORMED;
	return true;
}

static void read_cpu(unsigned cpu, void *user)
{
	const struct reader *reader = user;
	struct idle_reading *reading = reader->reading;
	const uint64_t at_ns = clock_monotonic_ns();
	uint64_t time_us = 0;
	unsigned n = 0;
	while (n < CPU_STATES_MAX && read_state(reader, cpu, n, &time_us))
		n++;
	if (n == 0)
		return; /* A CPU without idle states. */
	reading->n_cpus++;
	reading->cpus_at_ns += at_ns;
	if (__builtin_add_overflow(reading->deepest_us, time_us, &reading->deepest_us))
		reading->states_missing = MISSING_MALFORMED;
}

static void read_states(int root_fd, struct idle_reading *reading)
{
	char list[LIST_BYTES];
	struct reader reader = { .root_fd = root_fd, .reading = reading };
	if (fs_read_line_at(root_fd, "sys/devices/system/cpu/online", list, sizeof(list)) > 0 &&
	    fs_list_each(list, read_cpu, &reader) < 0)
		reading->states_missing = MISSING_MALFORMED;
	if (reading->n_cpus == 0 && reading->states_missing == MISSING_NOT)
		reading->states_missing = MISSING_ABSENT;
}

/* ---- /proc/stat ---- */

static bool find_number(const char *text, const char *key, uint64_t *ret_number)
{
	const char *at = strstr(text, key);
	if (!at)
		return false;
	at += strlen(key);
	return text_scan_u64(&at, at + strlen(at), ret_number);
}

static void read_stat(int root_fd, char text[static IDLE_STAT_BYTES], struct idle_reading *reading)
{
	const ssize_t got = fs_read_at(root_fd, "proc/stat", text, IDLE_STAT_BYTES);
	reading->at_ns = clock_monotonic_ns();
	if (got < 0)
		reading->stat_missing = missing_from_errno((int)-got);
	else if (!find_number(text, "\nintr ", &reading->interrupts) ||
		 !find_number(text, "\nctxt ", &reading->switches))
		reading->stat_missing = MISSING_MALFORMED;
}

void idle_read(int root_fd, char text[static IDLE_STAT_BYTES], struct idle_reading *ret_reading)
{
	*ret_reading = (struct idle_reading) { 0 };
	read_states(root_fd, ret_reading);
	read_stat(root_fd, text, ret_reading);
}

/* ---- comparing ---- */

/* Why two readings of the states say nothing; MISSING_NOT when they do. */
static enum missing states_missing(const struct idle_reading *first,
				   const struct idle_reading *last)
{
	if (first->states_missing != MISSING_NOT)
		return first->states_missing;
	if (last->states_missing != MISSING_NOT)
		return last->states_missing;
	if (first->n_cpus != last->n_cpus || first->n_states != last->n_states)
		return MISSING_OFFLINE; /* A CPU came or went. */
	return last->cpus_at_ns > first->cpus_at_ns ? MISSING_NOT : MISSING_UNSAMPLED;
}

static struct value percent_of(const struct idle_reading *first, const struct idle_reading *last,
			       uint64_t before_us, uint64_t after_us)
{
	const enum missing why = states_missing(first, last);
	if (why != MISSING_NOT)
		return value_missing(why);
	if (after_us < before_us)
		return value_missing(MISSING_BACKWARDS);
	const double whole_us = (double)(last->cpus_at_ns - first->cpus_at_ns) / 1e3;
	return value_known(100 * (double)(after_us - before_us) / whole_us);
}

struct value idle_percent(const struct idle_reading *first, const struct idle_reading *last,
			  unsigned state)
{
	assert(state < last->n_states);
	for (unsigned i = 0; i < first->n_states; i++)
		if (text_equal(first->states[i].name, last->states[state].name))
			return percent_of(first, last, first->states[i].time_us,
					  last->states[state].time_us);
	return value_missing(MISSING_OFFLINE);
}

struct value idle_percent_deepest(const struct idle_reading *first, const struct idle_reading *last)
{
	return percent_of(first, last, first->deepest_us, last->deepest_us);
}

static struct value per_second(uint64_t before, uint64_t after, uint64_t elapsed_ns)
{
	if (after < before)
		return value_missing(MISSING_BACKWARDS);
	if (elapsed_ns == 0)
		return value_missing(MISSING_UNSAMPLED);
	return value_known((double)(after - before) / clock_seconds(elapsed_ns));
}

static uint64_t usage_of(const struct idle_reading *reading)
{
	uint64_t usage = 0;
	for (unsigned i = 0; i < reading->n_states; i++)
		usage += reading->states[i].usage;
	return usage;
}

struct value idle_wakeups(const struct idle_reading *first, const struct idle_reading *last)
{
	const enum missing why = states_missing(first, last);
	if (why != MISSING_NOT)
		return value_missing(why);
	return per_second(usage_of(first), usage_of(last),
			  (last->cpus_at_ns - first->cpus_at_ns) / last->n_cpus);
}

static struct value rate_of_stat(const struct idle_reading *first, const struct idle_reading *last,
				 uint64_t before, uint64_t after)
{
	if (first->stat_missing != MISSING_NOT)
		return value_missing(first->stat_missing);
	if (last->stat_missing != MISSING_NOT)
		return value_missing(last->stat_missing);
	return per_second(before, after, last->at_ns - first->at_ns);
}

struct value idle_interrupts(const struct idle_reading *first, const struct idle_reading *last)
{
	return rate_of_stat(first, last, first->interrupts, last->interrupts);
}

struct value idle_switches(const struct idle_reading *first, const struct idle_reading *last)
{
	return rate_of_stat(first, last, first->switches, last->switches);
}

/* ---- energy ---- */

static void close_directory(DIR *directory)
{
	(void)closedir(directory); /* Only read from: nothing can be lost. */
}

DEFINE_AUTO(powercap, DIR *, close_directory);

static void zone_path(const char *folder, const char *file, char ret_path[static PATH_BYTES])
{
	(void)snprintf(ret_path, PATH_BYTES, POWERCAP "/%s/%s", folder, file);
}

/* "intel-rapl:0:1" is part of "intel-rapl:0", whose name its own begins with. */
static void add_zone(int root_fd, const char *folder, struct idle_power *power)
{
	struct idle_zone zone = { .missing = MISSING_NOT };
	char path[PATH_BYTES];
	char own[IDLE_NAME_BYTES];
	char whole[IDLE_NAME_BYTES];
	const char *colon = strrchr(folder, ':');
	if (power->n_zones == IDLE_ZONES_MAX || strlen(folder) >= sizeof(zone.folder))
		return;
	zone_path(folder, "name", path);
	if (!read_name(root_fd, path, own))
		return;
	(void)snprintf(zone.folder, sizeof(zone.folder), "%s", folder);
	(void)snprintf(zone.label, sizeof(zone.label), "%s", own);
	zone.is_whole = text_starts_with(own, "package");
	if (colon != strchr(folder, ':')) {
		char parent[IDLE_NAME_BYTES];
		memcpy(parent, folder, (size_t)(colon - folder));
		parent[colon - folder] = '\0';
		zone_path(parent, "name", path);
		if (!read_name(root_fd, path, whole))
			return;
		(void)snprintf(zone.label, sizeof(zone.label), "%.23s.%.23s", whole, own);
		zone.is_whole = text_equal(own, "dram");
	}
	zone_path(folder, "max_energy_range_uj", path);
	zone.missing = read_number(root_fd, path, &zone.range_uj);
	power->zones[power->n_zones++] = zone;
}

void idle_power_find(int root_fd, struct idle_power *ret_power)
{
	*ret_power = (struct idle_power) { .n_zones = 0 };
	const int fd = fs_open_at(root_fd, POWERCAP, O_RDONLY | O_DIRECTORY);
	if (fd < 0)
		return;
	AUTO(powercap) DIR *directory = fdopendir(fd);
	if (!directory) {
		(void)close(fd); /* No energy is known, whatever the reason. */
		return;
	}
	const struct dirent *entry;
	/* The zones of "intel-rapl-mmio" are the same energy once more. */
	while ((entry = readdir(directory)))
		if (text_starts_with(entry->d_name, "intel-rapl:"))
			add_zone(root_fd, entry->d_name, ret_power);
}

static void read_zone(int root_fd, struct idle_zone *zone)
{
	char path[PATH_BYTES];
	uint64_t now_uj = 0;
	if (zone->missing != MISSING_NOT)
		return;
	zone_path(zone->folder, "energy_uj", path);
	zone->missing = read_number(root_fd, path, &now_uj);
	const uint64_t now_ns = clock_monotonic_ns();
	if (zone->missing != MISSING_NOT)
		return;
	if (!zone->is_begun) {
		zone->is_begun = true;
		zone->begin_ns = now_ns;
	} else if (now_uj >= zone->last_uj) {
		zone->used_uj += now_uj - zone->last_uj;
	} else if (zone->last_uj <= zone->range_uj) {
		zone->used_uj += zone->range_uj - zone->last_uj + now_uj;
	} else {
		zone->missing = MISSING_BACKWARDS;
	}
	zone->last_uj = now_uj;
	zone->end_ns = now_ns;
}

void idle_power_read(int root_fd, struct idle_power *power)
{
	for (unsigned i = 0; i < power->n_zones; i++)
		read_zone(root_fd, &power->zones[i]);
}

struct value idle_zone_watts(const struct idle_zone *zone)
{
	if (zone->missing != MISSING_NOT)
		return value_missing(zone->missing);
	if (zone->end_ns <= zone->begin_ns)
		return value_missing(MISSING_UNSAMPLED);
	return value_known((double)zone->used_uj * 1e3 / (double)(zone->end_ns - zone->begin_ns));
}

struct value idle_watts(const struct idle_power *power)
{
	struct value sum = value_missing(MISSING_ABSENT);
	for (unsigned i = 0; i < power->n_zones; i++) {
		if (!power->zones[i].is_whole)
			continue;
		const struct value watts = idle_zone_watts(&power->zones[i]);
		if (!value_is_known(watts))
			return watts;
		sum = value_known(value_is_known(sum) ? sum.number + watts.number : watts.number);
	}
	return sum;
}
