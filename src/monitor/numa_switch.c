/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sysctl vm.numa_stat. See numa_switch.h. */
#include "monitor/numa_switch.h"

#include "base/fs.h"
#include "base/macros.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

void numa_switch_open(struct numa_switch *numa_switch, int root_fd)
{
	const int fd = fs_open_at(root_fd, "proc/sys/vm/numa_stat", O_RDONLY);
	numa_switch->fd = fd < 0 ? -1 : fd;
}

void numa_switch_done(struct numa_switch *numa_switch)
{
	if (numa_switch->fd >= 0)
		(void)close(numa_switch->fd); /* Only read from: nothing can be lost. */
	numa_switch->fd = -1;
}

bool numa_switch_is_off(const struct numa_switch *numa_switch)
{
	char digit = '1';
	return numa_switch->fd >= 0 && pread(numa_switch->fd, &digit, 1, 0) == 1 && digit == '0';
}

bool numa_switch_governs(const char *name)
{
	static const char *const governed[] = {
		"numa_hit",   "numa_miss",  "numa_foreign",   "numa_interleave", "numa_local",
		"numa_other", "local_node", "interleave_hit", "other_node",
	};
	for (size_t i = 0; i < ARRAY_SIZE(governed); i++) {
		if (strcmp(governed[i], name) == 0)
			return true;
	}
	return false;
}

void numa_switch_mark(struct keyed *keyed)
{
	for (uint32_t i = 0; i < keyed->n_keys; i++)
		keyed->keys[i].switched = numa_switch_governs(keyed->keys[i].name);
}

void numa_switch_withhold(const struct keyed *keyed, struct reading *readings)
{
	for (uint32_t i = 0; i < keyed->n_keys; i++) {
		if (keyed->keys[i].switched)
			readings[keyed->first_channel + i] = reading_missing(MISSING_SWITCHED_OFF);
	}
}
