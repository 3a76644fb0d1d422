/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fuzz target of the monitors' parsers. The first byte picks a monitor; what follows is split at
 * the first 0xff: the file as it is when the monitor opens, and as it is when it samples.
 */
#include "base/fs.h"
#include "base/macros.h"
#include "base/mem.h"
#include "monitor/monitor.h"
#include "record/reduce.h"

#include <assert.h>
#include <fcntl.h>
#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct {
	const char *monitor;
	const char *path;
} targets[] = {
	{ "interrupts", "proc/interrupts" },
	{ "meminfo", "proc/meminfo" },
	{ "mpstat", "proc/stat" },
	{ "numa-meminfo", "sys/devices/system/node/node0/meminfo" },
	{ "numa-numastat", "sys/devices/system/node/node0/numastat" },
	{ "numa-vmstat", "sys/devices/system/node/node0/vmstat" },
	{ "pressure", "proc/pressure/cpu" },
	{ "proc-vmstat", "proc/vmstat" },
	{ "softirqs", "proc/softirqs" },
	{ "vmstat", "proc/stat" },
	/* In the order in which they came: an input's first byte is a place in this table. */
	{ "buddyinfo", "proc/buddyinfo" },
	{ "diskstats", "proc/diskstats" },
	{ "netdev", "proc/net/dev" },
	{ "slabinfo", "proc/slabinfo" },
};

static void put(int root_fd, const char *path, const void *bytes, size_t length)
{
	const int fd = openat(root_fd, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	assert(fd >= 0);
	assert(fs_write_all(fd, bytes, length) == 0);
	(void)close(fd); /* Nothing depends on it. */
}

static void check_reading(const struct channel *channel, const struct reading *reading)
{
	if (reading->state == VALUE_MISSING) {
		assert(reading->why > MISSING_NOT && reading->why < MISSING_COUNT);
		assert(reading->why != MISSING_UNSAMPLED);
		return;
	}
	assert(reading->state == VALUE_KNOWN);
	if (channel->kind == CHANNEL_GAUGE)
		assert(isfinite(reading->level) && reading->level >= 0);
	else
		assert(channel->width_bits == 64 || reading->count <= UINT32_MAX);
}

/* Fills one sample and looks at each reading. */
static void sample(const struct monitor *monitor, void *state, const struct channel *channels,
		   uint32_t n, struct reading *readings)
{
	for (uint32_t i = 0; i < n; i++)
		readings[i] = reading_missing(MISSING_UNSAMPLED);
	monitor->sample(state, readings);
	for (uint32_t i = 0; i < n; i++)
		check_reading(&channels[i], &readings[i]);
}

/* Whatever the files said, a metric is missing or a number that can be. */
static void check_metrics(const struct monitor_setup *setup, struct reading *readings)
{
	uint64_t times_ns[] = { 1000, 2000 };
	uint32_t n_channels;
	uint32_t n_rules;
	const struct channel *channels = monitor_setup_channels(setup, &n_channels);
	const struct metric_rule *rules = monitor_setup_rules(setup, &n_rules);
	struct channel *copies = mem_array(n_channels, sizeof(*copies));
	memcpy(copies, channels, n_channels * sizeof(*copies));
	const struct series series = { .channels = copies,
				       .n_channels = n_channels,
				       .times_ns = times_ns,
				       .readings = readings,
				       .n_samples = 2 };
	for (uint32_t i = 0; i < n_rules; i++) {
		const struct value value = reduce_metric(&series, &rules[i], 0, 3000);
		if (!value_is_known(value))
			continue;
		assert(isfinite(value.number) && value.number >= 0);
		assert(rules[i].metric.kind != METRIC_SHARE || value.number <= 100 + 1e-9);
	}
	free(copies);
}

static void drive(const struct monitor *monitor, void *state, const struct monitor_setup *setup,
		  int root_fd, const char *path, const uint8_t *later, size_t length)
{
	uint32_t n;
	const struct channel *channels = monitor_setup_channels(setup, &n);
	struct reading *readings = mem_array(2 * (size_t)n, sizeof(*readings));
	sample(monitor, state, channels, n, readings);
	put(root_fd, path, later, length);
	sample(monitor, state, channels, n, readings + n);
	check_metrics(setup, readings);
	free(readings);
}

static char root_path[64]; /* For the removal at the end only. */

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *ftw)
{
	return remove(path);
}

static void remove_root(void)
{
	(void)nftw(root_path, remove_entry, 8, FTW_DEPTH | FTW_PHYS); /* At exit nobody can act. */
}

/* In memory where there is such a place: each run writes two files. */
static int make_root(void)
{
	static const char *const folders[] = { "proc/net", "proc/pressure",
					       "sys/devices/system/node/node0" };
	char in_memory[] = "/dev/shm/assay-fuzz-XXXXXX";
	char on_disk[] = "/tmp/assay-fuzz-XXXXXX";
	const char *path = mkdtemp(in_memory);
	if (!path)
		path = mkdtemp(on_disk);
	assert(path);
	(void)snprintf(root_path, sizeof(root_path), "%s", path);
	assert(atexit(remove_root) == 0);
	struct error err;
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		char full[128];
		(void)snprintf(full, sizeof(full), "%s/%s", path, folders[i]);
		assert(fs_make_dirs(full, 0700, &err) == 0);
	}
	const int fd = fs_root_open(path, &err);
	assert(fd >= 0);
	return fd;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int root_fd = -1;
	if (root_fd < 0)
		root_fd = make_root();
	if (size == 0)
		return 0;
	const size_t target = data[0] % ARRAY_SIZE(targets);
	const char *const path = targets[target].path;
	const struct monitor *monitor = monitor_find(targets[target].monitor);
	data++;
	size--;
	const uint8_t *const split = memchr(data, 0xff, size);
	const size_t first = split ? (size_t)(split - data) : size;
	const uint8_t *const later = split ? split + 1 : data;
	put(root_fd, path, data, first);
	struct monitor_setup *setup = monitor_setup_new(root_fd, targets[target].monitor, "x");
	struct error reason = { 0 };
	void *state;
	if (monitor->open(setup, &state, &reason) == MONITOR_OPEN) {
		drive(monitor, state, setup, root_fd, path, later, split ? size - first - 1 : size);
		monitor->close(state);
	} else {
		assert(*reason.text);
	}
	monitor_setup_free(setup);
	return 0;
}
