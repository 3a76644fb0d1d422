/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A list of CPU numbers. See cpus.h. */
#include "monitor/cpus.h"

#include "base/fs.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#include <sys/types.h>

static void add_listed(unsigned number, void *user)
{
	cpus_add(user, number);
}

bool cpus_present(struct cpus *cpus, int root_fd)
{
	char list[4096];
	*cpus = (struct cpus) { 0 };
	const ssize_t got =
		fs_read_line_at(root_fd, "sys/devices/system/cpu/present", list, sizeof(list));
	if (got > 0 && fs_list_each(list, add_listed, cpus) > 0)
		return true;
	cpus_done(cpus);
	return false;
}

void cpus_add(struct cpus *cpus, uint32_t number)
{
	if (number >= CPUS_MAX || cpus_slot(cpus, number, 0) >= 0)
		return;
	if (!cpus->numbers)
		cpus->numbers = mem_array(CPUS_MAX, sizeof(*cpus->numbers));
	uint32_t place = cpus->n;
	while (place > 0 && cpus->numbers[place - 1] > number)
		place--;
	memmove(cpus->numbers + place + 1, cpus->numbers + place,
		(cpus->n - place) * sizeof(*cpus->numbers));
	cpus->numbers[place] = number;
	cpus->n++;
}

void cpus_done(struct cpus *cpus)
{
	free(cpus->numbers);
	*cpus = (struct cpus) { 0 };
}

int cpus_slot(const struct cpus *cpus, uint32_t number, uint32_t expected)
{
	if (expected < cpus->n && cpus->numbers[expected] == number)
		return (int)expected;
	for (uint32_t slot = 0; slot < cpus->n; slot++) {
		if (cpus->numbers[slot] == number)
			return (int)slot;
	}
	return -1;
}
