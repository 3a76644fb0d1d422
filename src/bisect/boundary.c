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
	for (size_t place = 0; place < bisect->n_candidates; place++) {
		if (!bisect->is_broken[bisect->candidates[place]])
			continue;
		for (size_t other = 0; other < bisect->n_candidates; other++) {
			if (other == place || signatures[other] != signatures[place])
				continue;
			const uint32_t first = bisect->clusters[other] < bisect->clusters[place]
						       ? bisect->clusters[other]
						       : bisect->clusters[place];
			bisect->clusters[other] = first;
			bisect->clusters[place] = first;
		}
	}
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
		const uint32_t commit = stack[--depth];
		size_t n = 0;
		const uint32_t *parents = graph_parents(bisect->graph, commit, &n);
		for (size_t i = n; i-- > 0;) {
			const uint32_t parent = parents[i];
			if (is_seen[parent])
				continue;
			const uint32_t at = graph_place(bisect->graph, parent);
			const bool is_member = at != GRAPH_NONE && bisect->clusters[at] == place;
			if (bisect->is_broken[parent] || is_member) {
				is_seen[parent] = true;
				stack[depth++] = parent;
			}
		}
		for (size_t i = 0; i < n; i++)
			if (!is_seen[parents[i]])
				add_before(boundary, parents[i]);
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
