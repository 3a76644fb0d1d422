/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The roll of worker processes: from pid to worker in constant time, so that reaping thousands of them inside
 * the measured window costs no more than the waiting itself. Nothing is allocated after roll_new.
 */
#pragma once

#include <stdbool.h>

#include <sys/types.h>

struct roll;

struct roll *roll_new(unsigned n_max);
void roll_free(struct roll *roll); /* NULL is allowed. */

void roll_enter(struct roll *roll, pid_t pid, unsigned index);

/* Takes a pid off the roll. False when it does not stand on it. */
bool roll_strike(struct roll *roll, pid_t pid, unsigned *ret_index);

/* SIGKILL to all that stand on it. */
void roll_kill(const struct roll *roll);
