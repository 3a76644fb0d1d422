/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Open addressing with linear probing in a table at most half full; pids come in sequence, so the pid itself is
 * the hash. A struck entry leaves a tombstone, since others may have been put behind it.
 */
#include "probe/roll.h"

#include "base/mem.h"

#include <assert.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>

#define NOBODY 0
#define STRUCK (-1)

struct line {
	pid_t pid; /* NOBODY, STRUCK or a process. */
	unsigned index;
};

struct roll {
	struct line *lines;
	size_t mask; /* Number of lines less one; the number is a power of two. */
	unsigned n_max;
	unsigned n_entered;
};

struct roll *roll_new(unsigned n_max)
{
	struct roll *roll = mem_zero(sizeof(*roll));
	size_t n_lines = 2;
	while (n_lines < 2 * (size_t)n_max)
		n_lines *= 2;
	roll->lines = mem_array(n_lines, sizeof(*roll->lines));
	roll->mask = n_lines - 1;
	roll->n_max = n_max;
	return roll;
}

void roll_free(struct roll *roll)
{
	if (!roll)
		return;
	free(roll->lines);
	free(roll);
}

void roll_enter(struct roll *roll, pid_t pid, unsigned index)
{
	assert(pid > 0);
	assert(roll->n_entered < roll->n_max);
	roll->n_entered++;
	size_t at = (size_t)pid & roll->mask;
	while (roll->lines[at].pid != NOBODY && roll->lines[at].pid != STRUCK)
		at = (at + 1) & roll->mask;
	roll->lines[at] = (struct line) { .pid = pid, .index = index };
}

bool roll_strike(struct roll *roll, pid_t pid, unsigned *ret_index)
{
	assert(pid > 0);
	for (size_t at = (size_t)pid & roll->mask; roll->lines[at].pid != NOBODY;
	     at = (at + 1) & roll->mask) {
		if (roll->lines[at].pid != pid)
			continue;
		*ret_index = roll->lines[at].index;
		roll->lines[at].pid = STRUCK;
		return true;
	}
	return false;
}

void roll_kill(const struct roll *roll)
{
	for (size_t at = 0; at <= roll->mask; at++)
		if (roll->lines[at].pid > 0)
			(void)kill(roll->lines[at].pid, SIGKILL);
}
