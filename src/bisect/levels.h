/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How well does a hypothesis explain the numbers? The levels of the unchanged and of the changed
 * commits, the effects of changes that are known already, and the spread are all integrated out
 * (normal-inverse-gamma); nothing is plugged in, which would be too sure of itself with few numbers.
 * Units of one session may share an offset, whose deviation in units of the spread is integrated out
 * over a few values.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LEVELS_COLUMNS_MAX 6  /* Two levels and the known changes. */
#define LEVELS_PRECISION 0.05 /* A level's precision beforehand, in that of one unit. */

struct levels_group {     /* Units of one commit in one session. */
	uint32_t session; /* Groups of one session stand together. */
	double n, sum;    /* Of values less the mean of all. */
};

struct levels_data {
	const struct levels_group *groups; /* Borrowed. */
	size_t n_groups;
	double n, squares; /* Of all units; squares about the mean of all. */
	double least;      /* A spread below which nothing can be seen, squared; above 0. */
	bool has_sessions;
};

struct levels {
	double log_evidence;
	double first, second; /* Levels less the mean of all; equal when nothing changed. */
	double deviation;     /* Of a unit about its level. */
	double error;         /* Of second - first. */
};

/* `masks`, one a group: bit 0: changed by the hypothesis; bit i: has the i-th known change.
 * `n_known` of these. `is_none`: one level for all; bit 0 does not count. */
struct levels levels_judge(const struct levels_data *data, const uint8_t *masks, size_t n_known,
			   bool is_none);
