/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A simulated history for the tests of this room: known levels, seeded noise, broken commits. */
#pragma once

#include "base/random.h"
#include "bisect/bisect.h"

#include <stddef.h>
#include <stdint.h>

struct story {
	const struct graph *graph;
	struct random random;
	uint32_t culprit, other;            /* GRAPH_NONE: none. */
	double effect;                      /* Of each, in deviations. */
	uint32_t broken_first, broken_last; /* Broken commits; first above last: none. */
	size_t n_asked;
};

static inline int story_measure(void *context, const struct bisect_step *step, uint32_t commit,
				struct bisect_unit *ret_unit, struct error *err)
{
	struct story *story = context;
	(void)step;
	(void)err;
	story->n_asked++;
	if (commit >= story->broken_first && commit <= story->broken_last) {
		ret_unit->result = BISECT_BROKEN;
		return 0;
	}
	ret_unit->value = 100.0 + random_normal(&story->random);
	if (story->culprit != GRAPH_NONE && graph_has(story->graph, commit, story->culprit))
		ret_unit->value += story->effect;
	if (story->other != GRAPH_NONE && graph_has(story->graph, commit, story->other))
		ret_unit->value += story->effect;
	return 0;
}

static inline struct story story_of(const struct graph *graph, uint32_t culprit, double effect,
				    uint64_t seed)
{
	struct story story = { .graph = graph,
			       .culprit = culprit,
			       .other = GRAPH_NONE,
			       .effect = effect,
			       .broken_first = 1,
			       .broken_last = 0 };
	random_seed(&story.random, seed);
	return story;
}
