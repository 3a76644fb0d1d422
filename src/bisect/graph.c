/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets of candidates as bits, one row a commit, in walking order. On a line a row is a run of ones
 * from the start, and along a line with merges nearly so: each row remembers how long that run is,
 * and its sum is one difference of prefix sums and whatever stands behind.
 */
#include "bisect/graph.h"

#include "base/mem.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define WORD_BITS 64

struct graph {
	size_t n;
	uint32_t good, bad;
	size_t *first_parents; /* n + 1 places in `parents`. */
	uint32_t *parents;
	uint32_t *candidates; /* In walking order. */
	size_t n_candidates;
	uint32_t *places; /* Of each commit; GRAPH_NONE. */
	uint32_t *merges; /* Of each commit; GRAPH_NONE on the first-parent line. */
	size_t n_words;   /* Of a row. */
	uint64_t *rows;
	uint32_t *runs; /* Of each row: so many places from the start are set. */
};

struct visit { /* Of a commit whose parents are being walked. */
	uint32_t commit;
	size_t next; /* In `parents`. */
};

DEFINE_AUTO(marks, bool *, free);
DEFINE_AUTO(stack, struct visit *, free);
DEFINE_AUTO(numbers, double *, free);

void graph_free(struct graph *graph)
{
	if (!graph)
		return;
	free(graph->first_parents);
	free(graph->parents);
	free(graph->candidates);
	free(graph->places);
	free(graph->merges);
	free(graph->rows);
	free(graph->runs);
	free(graph);
}

static int check_commits(const struct graph_commit *commits, size_t n, struct error *err)
{
	if (n < 2 || n > GRAPH_COMMITS_MAX)
		return error_set(
			err, EINVAL,
			"a bisection needs 2 to %d commits, there are %zu: choose ends that "
			"are nearer to each other",
			GRAPH_COMMITS_MAX, n);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < commits[i].n_parents; j++)
			if (commits[i].parents[j] >= i)
				return error_set(
					err, EINVAL,
					"commit %zu has the parent %u, which does not stand in "
					"front of it",
					i, commits[i].parents[j]);
	return 0;
}

static void copy_parents(struct graph *graph, const struct graph_commit *commits)
{
	graph->first_parents = mem_array(graph->n + 1, sizeof(*graph->first_parents));
	for (size_t i = 0; i < graph->n; i++)
		graph->first_parents[i + 1] = graph->first_parents[i] + commits[i].n_parents;
	graph->parents = mem_array(graph->first_parents[graph->n], sizeof(*graph->parents));
	for (size_t i = 0; i < graph->n; i++)
		for (size_t j = 0; j < commits[i].n_parents; j++)
			graph->parents[graph->first_parents[i] + j] = commits[i].parents[j];
}

/* Marks a commit and all its ancestors. */
static bool *ancestors_of(const struct graph *graph, uint32_t tip)
{
	bool *marks = mem_array(graph->n, sizeof(*marks));
	marks[tip] = true;
	for (size_t i = (size_t)tip + 1; i-- > 0;)
		for (size_t j = graph->first_parents[i];
		     marks[i] && j < graph->first_parents[i + 1]; j++)
			marks[graph->parents[j]] = true;
	return marks;
}

/* Goes down from the bad commit, first parents first, and places each commit behind its parents. */
static void place_candidates(struct graph *graph, const bool *is_candidate)
{
	graph->candidates = mem_array(graph->n, sizeof(*graph->candidates));
	graph->places = mem_array(graph->n, sizeof(*graph->places));
	graph->merges = mem_array(graph->n, sizeof(*graph->merges));
	memset(graph->places, 0xff, graph->n * sizeof(*graph->places));
	memset(graph->merges, 0xff, graph->n * sizeof(*graph->merges));
	AUTO(marks) bool *is_seen = mem_array(graph->n, sizeof(*is_seen));
	AUTO(stack) struct visit *stack = mem_array(graph->n, sizeof(*stack));
	size_t depth = 0;
	stack[depth++] = (struct visit) { graph->bad, graph->first_parents[graph->bad] };
	is_seen[graph->bad] = true;
	while (depth > 0) {
		struct visit *top = &stack[depth - 1];
		const uint32_t commit = top->commit;
		if (top->next == graph->first_parents[commit + 1]) {
			graph->places[commit] = (uint32_t)graph->n_candidates;
			graph->candidates[graph->n_candidates++] = commit;
			depth--;
			continue;
		}
		const bool is_first = top->next == graph->first_parents[commit];
		const uint32_t parent = graph->parents[top->next++];
		if (!is_candidate[parent] || is_seen[parent])
			continue;
		is_seen[parent] = true;
		graph->merges[parent] = is_first ? graph->merges[commit] : commit;
		assert(depth < graph->n);
		stack[depth++] = (struct visit) { parent, graph->first_parents[parent] };
	}
}

static uint64_t *row_of(const struct graph *graph, size_t commit)
{
	return graph->rows + commit * graph->n_words;
}

static void fill_rows(struct graph *graph)
{
	graph->n_words = (graph->n_candidates + WORD_BITS - 1) / WORD_BITS;
	graph->rows = mem_array(graph->n * graph->n_words, sizeof(*graph->rows));
	graph->runs = mem_array(graph->n, sizeof(*graph->runs));
	for (size_t i = 0; i < graph->n; i++) {
		uint64_t *row = row_of(graph, i);
		for (size_t j = graph->first_parents[i]; j < graph->first_parents[i + 1]; j++) {
			const uint64_t *parent = row_of(graph, graph->parents[j]);
			for (size_t word = 0; word < graph->n_words; word++)
				row[word] |= parent[word];
		}
		const uint32_t place = graph->places[i];
		if (place != GRAPH_NONE)
			row[place / WORD_BITS] |= 1ULL << (place % WORD_BITS);
		size_t word = 0;
		while (word < graph->n_words && row[word] == UINT64_MAX)
			word++;
		graph->runs[i] = (uint32_t)(word * WORD_BITS);
		if (word < graph->n_words)
			graph->runs[i] += (uint32_t)__builtin_ctzll(~row[word]);
	}
}

struct graph *graph_new(const struct graph_commit *commits, size_t n, uint32_t good, uint32_t bad,
			struct error *err)
{
	if (check_commits(commits, n, err) < 0)
		return NULL;
	if (good >= n || bad >= n) {
		(void)error_set(err, EINVAL, "an end of the range is not one of its %zu commits",
				n);
		return NULL;
	}
	AUTO(graph) struct graph *graph = mem_zero(sizeof(*graph));
	graph->n = n;
	graph->good = good;
	graph->bad = bad;
	copy_parents(graph, commits);
	AUTO(marks) bool *is_in_bad = ancestors_of(graph, bad);
	AUTO(marks) bool *is_in_good = ancestors_of(graph, good);
	if (is_in_good[bad]) {
		(void)error_set(err, EINVAL,
				"the good commit has the bad one among its ancestors: no commit "
				"between them can have brought the change; are the ends swapped?");
		return NULL;
	}
	for (size_t i = 0; i < n; i++)
		is_in_bad[i] = is_in_bad[i] && !is_in_good[i];
	place_candidates(graph, is_in_bad);
	fill_rows(graph);
	assert(graph->n_candidates > 0 && graph->candidates[graph->n_candidates - 1] == bad);
	return KEEP(graph);
}

struct graph *graph_new_line(size_t n)
{
	assert(n >= 2 && n <= GRAPH_COMMITS_MAX);
	struct graph_commit *commits = mem_array(n, sizeof(*commits));
	uint32_t *parents = mem_array(n, sizeof(*parents));
	for (size_t i = 1; i < n; i++) {
		parents[i] = (uint32_t)i - 1;
		commits[i] = (struct graph_commit) { .parents = &parents[i], .n_parents = 1 };
	}
	struct graph *graph = graph_new(commits, n, 0, (uint32_t)n - 1, /* err= */ NULL);
	assert(graph);
	free(commits);
	free(parents);
	return graph;
}

size_t graph_commits(const struct graph *graph)
{
	return graph->n;
}

uint32_t graph_good(const struct graph *graph)
{
	return graph->good;
}

uint32_t graph_bad(const struct graph *graph)
{
	return graph->bad;
}

const uint32_t *graph_parents(const struct graph *graph, uint32_t commit, size_t *ret_n)
{
	assert(commit < graph->n);
	*ret_n = graph->first_parents[commit + 1] - graph->first_parents[commit];
	return graph->parents + graph->first_parents[commit];
}

const uint32_t *graph_candidates(const struct graph *graph, size_t *ret_n)
{
	*ret_n = graph->n_candidates;
	return graph->candidates;
}

uint32_t graph_place(const struct graph *graph, uint32_t commit)
{
	assert(commit < graph->n);
	return graph->places[commit];
}

bool graph_has(const struct graph *graph, uint32_t commit, uint32_t candidate)
{
	assert(commit < graph->n && candidate < graph->n);
	const uint32_t place = graph->places[candidate];
	assert(place != GRAPH_NONE);
	return row_of(graph, commit)[place / WORD_BITS] >> (place % WORD_BITS) & 1;
}

uint32_t graph_merge_of(const struct graph *graph, uint32_t candidate)
{
	assert(graph_place(graph, candidate) != GRAPH_NONE);
	const uint32_t merge = graph->merges[candidate];
	return merge == GRAPH_NONE ? candidate : merge;
}

void graph_sum(const struct graph *graph, const double *weights, double *ret_sums)
{
	AUTO(numbers) double *prefix = mem_array(graph->n_candidates + 1, sizeof(*prefix));
	for (size_t i = 0; i < graph->n_candidates; i++)
		prefix[i + 1] = prefix[i] + weights[i];
	for (size_t i = 0; i < graph->n; i++) {
		const uint64_t *row = row_of(graph, i);
		const uint32_t run = graph->runs[i];
		double sum = prefix[run];
		for (size_t word = run / WORD_BITS; word < graph->n_words; word++) {
			uint64_t bits = row[word];
			if (word == run / WORD_BITS)
				bits &= UINT64_MAX << (run % WORD_BITS);
			for (; bits != 0; bits &= bits - 1)
				sum += weights[word * WORD_BITS + (size_t)__builtin_ctzll(bits)];
		}
		ret_sums[i] = sum;
	}
}
