/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a bisection knows: for the files of this room only. All of it follows from the graph, the
 * options and the units.
 */
#pragma once

#include "bisect/bisect.h"
#include "bisect/information.h"

struct bisect_group { /* Units of one commit (and session, where those count), with values. */
	uint32_t commit, session;
};

struct bisect_confirming { /* The fresh measurement of one boundary. */
	bool is_active;
	size_t first_unit; /* Units from this one on count. */
	size_t n_max;      /* An arm. */
	uint64_t seed;     /* Of the order. */
};

struct bisect {
	const struct graph *graph;     /* Borrowed. */
	struct bisect_options options; /* What it points to is borrowed. */
	struct information *information;
	const uint32_t *candidates; /* Borrowed. */
	size_t n_commits, n_candidates;
	double *weights; /* Of each place, beforehand; they add up to 1. */

	struct bisect_unit *units;
	size_t n_units, units_capacity;
	uint32_t *unit_groups; /* Of each unit; of units without a value it says nothing. */
	size_t unit_groups_capacity;
	struct bisect_group *groups;
	size_t n_groups, groups_capacity;
	uint32_t *n_values; /* Of each commit. */
	bool *is_broken;    /* Each commit. */

	uint32_t *cells;     /* Of each place: candidates of one cell explain all units alike. */
	uint32_t *cell_reps; /* A place of each cell. */
	size_t n_cells;
	uint32_t *clusters; /* Of each place: the first place of those that no commit which can be
			     * measured tells apart. */

	bool is_logarithmic;
	double *values; /* Of each unit, logarithms and drawn in. */
	size_t values_capacity;
	double *posterior; /* Of each place. */
	double none;
	double *sums;             /* Of each commit: the probability that it is changed. */
	double first, second;     /* Levels of the likeliest candidate: absolute, or shares. */
	double deviation, effect; /* Of a unit; (second - first) in deviations, not below 0. */
	double ends_log_factor;   /* "The ends differ" against "they do not", the ends' units. */
	size_t best;              /* The first place of the likeliest cluster, */
	double best_mass;         /* and its probability. */

	struct bisect_change changes[BISECT_CHANGES_MAX];
	size_t n_changes;        /* Confirmed. */
	struct bisect_change at; /* The likeliest one; being confirmed when that is active. */
	uint32_t *at_commits;
	struct bisect_confirming confirming;
	size_t n_failed;
	struct bisect_step step;
};
