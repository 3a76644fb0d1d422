/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two candidates can be told apart when some measurable commit has one of them only. Each measurable
 * commit gets a 64-bit number; a candidate's signature is the sum of those that have it, and equal
 * signatures are one cluster (wrongly so once in 2^64 pairs).
 */
#include "bisect/boundary.h"

#include "base/mem.h"
#include "base/random.h"

#include <assert.h>
#include <stdlib.h>

DEFINE_AUTO(signatures, uint64_t *, free);
DEFINE_AUTO(marks, bool *, free);
DEFINE_AUTO(indices, uint32_t *, free);

/* One cluster for a place and all of its signature, named by the first of them. */
static void join_equals(struct bisect *bisect, const uint64_t *signatures, size_t place)
{
	uint32_t first = bisect->clusters[place];
	for (size_t other = 0; other < bisect->n_candidates; other++)
		if (signatures[other] == signatures[place] && bisect->clusters[other] < first)
			first = bisect->clusters[other];
	for (size_t other = 0; other < bisect->n_candidates; other++)
		if (signatures[other] == signatures[place])
			bisect->clusters[other] = first;
}

void boundary_cluster(struct bisect *bisect)
{
	AUTO(signatures)
	uint64_t *signatures = mem_array(bisect->n_candidates, sizeof(*signatures));
	for (uint32_t commit = 0; commit < bisect->n_commits; commit++) {
		if (bisect->is_broken[commit])
			continue;
		struct random random;
		random_seed(&random, commit);
		const uint64_t number = random_next(&random);
		for (size_t place = 0; place < bisect->n_candidates; place++)
			if (graph_has(bisect->graph, commit, bisect->candidates[place]))
				signatures[place] += number;
	}
	/* Only broken commits join others: whoever is measurable has itself and not its children. */
	for (size_t place = 0; place < bisect->n_candidates; place++)
		bisect->clusters[place] = (uint32_t)place;
	for (size_t place = 0; place < bisect->n_candidates; place++)
		if (bisect->is_broken[bisect->candidates[place]])
			join_equals(bisect, signatures, place);
}

static uint32_t find_after(const struct bisect *bisect, size_t place)
{
	for (size_t other = place; other < bisect->n_candidates; other++)
		if (!bisect->is_broken[bisect->candidates[other]] &&
		    graph_has(bisect->graph, bisect->candidates[other], bisect->candidates[place]))
			return bisect->candidates[other];
	return graph_bad(bisect->graph);
}

static void add_before(struct boundary *boundary, uint32_t commit)
{
	for (size_t i = 0; i < boundary->n_before; i++)
		if (boundary->before[i] == commit)
			return;
	if (boundary->n_before < BOUNDARY_BEFORE_MAX)
		boundary->before[boundary->n_before++] = commit;
}

/* Parents that the walk goes through: members of the cluster, and commits that are broken. */
static bool is_passed(const struct bisect *bisect, uint32_t commit, size_t place)
{
	const uint32_t at = graph_place(bisect->graph, commit);
	return bisect->is_broken[commit] || (at != GRAPH_NONE && bisect->clusters[at] == place);
}

/* Goes from the members through broken parents to those that can be measured. */
static void find_before(const struct bisect *bisect, size_t place, struct boundary *boundary)
{
	AUTO(marks) bool *is_seen = mem_array(bisect->n_commits, sizeof(*is_seen));
	AUTO(indices) uint32_t *stack = mem_array(bisect->n_commits, sizeof(*stack));
	size_t depth = 0;
	for (size_t i = bisect->n_candidates; i-- > place;)
		if (bisect->clusters[i] == place) {
			stack[depth++] = bisect->candidates[i];
			is_seen[bisect->candidates[i]] = true;
		}
	while (depth > 0) {
		size_t n = 0;
		const uint32_t *parents = graph_parents(bisect->graph, stack[--depth], &n);
		for (size_t i = 0; i < n; i++) {
			const uint32_t parent = parents[i];
			if (!is_passed(bisect, parent, place)) {
				add_before(boundary, parent);
			} else if (!is_seen[parent]) {
				is_seen[parent] = true;
				stack[depth++] = parent;
			}
		}
	}
	const uint32_t good = graph_good(bisect->graph);
	if (boundary->n_before == 0 && !bisect->is_broken[good])
		add_before(boundary, good);
}

struct boundary boundary_find(const struct bisect *bisect, size_t place)
{
	assert(place < bisect->n_candidates && bisect->clusters[place] == place);
	struct boundary boundary = { .after = find_after(bisect, place) };
	find_before(bisect, place, &boundary);
	return boundary;
}
