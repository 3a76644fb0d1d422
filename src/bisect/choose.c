/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Not all commits are tried: those at the quantiles of the posterior along the walking order, the
 * neighbours of the likeliest one, and those that are measured already (they cost no build). On a
 * side branch the walk goes on inside only when the merge as a whole has half of the probability;
 * before that the merge and its first parent stand for it: first parents are what people build.
 */
#include "bisect/choose.h"

#include "bisect/boundary.h"

#include <assert.h>
#include <math.h>

#define QUANTILES 19
#define MERGE_SHARE 0.5
#define EFFECT_LEAST 0.25
#define SHARE_LEAST 0.02

static const size_t batches[] = { 1, 2, 3, 4, 6, 8, 12, 16 };
#define N_BATCHES (sizeof(batches) / sizeof(batches[0]))

struct search { /* The best so far. */
	const struct bisect *bisect;
	struct choice best;
	double best_rate;
};

double choose_cost(const struct bisect *bisect, uint32_t commit, size_t n_units)
{
	const struct bisect_options *options = &bisect->options;
	const bool is_built =
		bisect->n_values[commit] > 0 || (options->is_built && options->is_built[commit]);
	return (is_built ? 0.0 : options->cost_build) + options->cost_boot +
	       options->cost_run * (double)n_units;
}

size_t choose_batch(const struct bisect *bisect)
{
	const double best = sqrt(bisect->options.cost_boot / bisect->options.cost_run);
	return best < 1.0 ? 1 : best > 8.0 ? 8 : (size_t)(best + 0.5);
}

static double bits_of(const struct bisect *bisect, double q, size_t n_units)
{
	if (bisect->options.oracle == BISECT_NUMBERS)
		return information_of_number(bisect->information, q,
					     fmax(bisect->effect, EFFECT_LEAST) *
						     sqrt((double)n_units));
	const double first = fmin(fmax(bisect->first, SHARE_LEAST), 1.0 - SHARE_LEAST);
	const double second = fmin(fmax(bisect->second, SHARE_LEAST), 1.0 - SHARE_LEAST);
	return information_of_failures(q, first, second, n_units);
}

static void try_commit(struct search *search, uint32_t commit)
{
	const struct bisect *bisect = search->bisect;
	if (bisect->is_broken[commit])
		return;
	const double q = fmin(fmax(bisect->sums[commit], 0.0), 1.0);
	for (size_t i = 0; i < N_BATCHES; i++) {
		const double bits = bits_of(bisect, q, batches[i]);
		const double cost = choose_cost(bisect, commit, batches[i]);
		/* Equal but for rounding is equal, and the first one stays. */
		if (bits / cost <= search->best_rate * (1.0 + 1e-9))
			continue;
		search->best_rate = bits / cost;
		search->best = (struct choice) { commit, batches[i], bits, cost };
	}
}

static uint32_t first_parent(const struct bisect *bisect, uint32_t commit)
{
	size_t n = 0;
	const uint32_t *parents = graph_parents(bisect->graph, commit, &n);
	return n > 0 ? parents[0] : graph_good(bisect->graph);
}

static void try_near(struct search *search, size_t place)
{
	const struct bisect *bisect = search->bisect;
	for (size_t i = place; i < bisect->n_candidates; i++)
		if (!bisect->is_broken[bisect->candidates[i]]) {
			try_commit(search, bisect->candidates[i]);
			break;
		}
	for (size_t i = place; i-- > 0;)
		if (!bisect->is_broken[bisect->candidates[i]]) {
			try_commit(search, bisect->candidates[i]);
			break;
		}
}

/* Tries the candidate, or the outermost merge around it that is not yet likely itself. */
static void try_place(struct search *search, size_t place)
{
	const struct bisect *bisect = search->bisect;
	const uint32_t commit = bisect->candidates[place];
	uint32_t stand_in = GRAPH_NONE;
	for (uint32_t inner = commit, merge;
	     (merge = graph_merge_of(bisect->graph, inner)) != inner; inner = merge) {
		const double mass = bisect->sums[merge] - bisect->sums[first_parent(bisect, merge)];
		if (mass <= MERGE_SHARE)
			stand_in = merge;
	}
	if (stand_in == GRAPH_NONE) {
		try_near(search, place);
		return;
	}
	try_near(search, graph_place(bisect->graph, stand_in));
	try_commit(search, first_parent(bisect, stand_in));
}

struct choice choose_next(const struct bisect *bisect)
{
	struct search search = { .bisect = bisect };
	double sum = 0.0;
	size_t quantile = 1;
	for (size_t place = 0; place < bisect->n_candidates; place++) {
		sum += bisect->posterior[place];
		const double wanted = (1.0 - bisect->none) * (double)quantile / (QUANTILES + 1);
		if (quantile > QUANTILES || sum < wanted)
			continue;
		try_place(&search, place);
		while (quantile <= QUANTILES &&
		       sum >= (1.0 - bisect->none) * (double)quantile / (QUANTILES + 1))
			quantile++;
	}
	const struct boundary boundary = boundary_find(bisect, bisect->best);
	try_commit(&search, boundary.after);
	for (size_t i = 0; i < boundary.n_before; i++)
		try_commit(&search, boundary.before[i]);
	for (size_t g = 0; g < bisect->n_groups; g++)
		try_commit(&search, bisect->groups[g].commit);
	if (search.best_rate > 0.0)
		return search.best;
	/* Nothing tells anything: everything is certain but for what the stopping rule still wants. */
	const uint32_t bad = graph_bad(bisect->graph);
	return (struct choice) { bad, 1, 0.0, choose_cost(bisect, bad, 1) };
}
