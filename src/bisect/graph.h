/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The commits that a bisection is about: a graph with parents, one commit known to be good and one
 * known to be bad. A candidate is a commit that could have brought the change: the bad commit has it
 * and the good one has not. A commit is changed by a candidate when the candidate is one of its
 * ancestors or itself; a side branch that forked in front of the change is not, wherever it merges.
 *
 * Commits are numbers from 0 in topological order: parents in front of their children. The caller
 * knows which hash is which number. Commits that are no candidates belong in the graph when they are
 * the good end or the parent of a candidate, so that they can be measured (git rev-list --boundary).
 */
#pragma once

#include "base/auto.h"
#include "base/error.h"
#include "base/macros.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GRAPH_COMMITS_MAX 20000 /* The sets of ancestors of so many take 50 MB. */
#define GRAPH_NONE UINT32_MAX

struct graph_commit {
	const uint32_t *parents; /* Numbers below the commit's own; the first parent first. Parents
				  * that are not in the graph are left out. */
	size_t n_parents;
};

struct graph;

/* Copies what it is given. -EINVAL with a sentence when a parent does not stand in front of its
 * child, an end is not one of the commits, or no commit lies between the ends. NULL then. */
struct graph *graph_new(const struct graph_commit *commits, size_t n, uint32_t good, uint32_t bad,
			struct error *err) NODISCARD;
void graph_free(struct graph *graph);
DEFINE_AUTO(graph, struct graph *, graph_free);

/* Of a line without merges, 0 good and n - 1 bad. n >= 2. */
struct graph *graph_new_line(size_t n) NODISCARD;

size_t graph_commits(const struct graph *graph) PURE;
uint32_t graph_good(const struct graph *graph) PURE;
uint32_t graph_bad(const struct graph *graph) PURE;
const uint32_t *graph_parents(const struct graph *graph, uint32_t commit, size_t *ret_n);

/* The candidates in walking order: first parents of the bad commit from old to new, and what a merge
 * brought in right in front of the merge. No candidate stands behind one that it is an ancestor of.
 * A text plot goes along this order. */
const uint32_t *graph_candidates(const struct graph *graph, size_t *ret_n);

/* The place of a commit in that order; GRAPH_NONE when it is no candidate. */
uint32_t graph_place(const struct graph *graph, uint32_t commit) PURE;

/* Is `commit` changed when `candidate` brought the change? */
bool graph_has(const struct graph *graph, uint32_t commit, uint32_t candidate) PURE;

/* The merge that brought the candidate onto the first-parent line of the bad commit, or onto the side
 * branch that holds it; the candidate itself when it lies on the first-parent line. */
uint32_t graph_merge_of(const struct graph *graph, uint32_t candidate) PURE;

/* Adds up weights (one a place in the walking order) of the candidates that each commit has; room for
 * graph_commits() sums. */
void graph_sum(const struct graph *graph, const double *weights, double *ret_sums);
