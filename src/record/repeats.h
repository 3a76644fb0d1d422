/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Repeated runs of unchanged subjects as a table of numbers: what a store knows of how a workload's
 * metrics scatter, for those who make priors of it. A group holds the runs of one subject at one
 * point in one campaign; subjects of a campaign that differ in nothing but their names are one.
 */
#pragma once

#include "base/auto.h"

#include <stddef.h>
#include <stdint.h>

struct repeat_group {
	int64_t campaign;
	char *point;
	char *settings;  /* Of the subject: groups with the same text differ in time alone. */
	size_t first, n; /* Its runs. */
};

struct repeats {
	char **metrics; /* Sorted, unique. */
	size_t n_metrics;
	size_t n_runs;  /* Group by group. */
	double *values; /* [metric * n_runs + run]; NaN where it is not known. */
	struct repeat_group *groups;
	size_t n_groups;
};

void repeats_free(struct repeats *repeats); /* NULL is allowed. */

DEFINE_AUTO(repeats, struct repeats *, repeats_free);
