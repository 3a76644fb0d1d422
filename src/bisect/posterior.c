/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Candidates that the same measured commits have cannot be told apart by any unit so far: they form a
 * cell, and the evidence is worked out once a cell. On a line there is one cell more than measured
 * commits, whatever the number of candidates; with merges there are few more. A step therefore costs
 * cells times groups, and one pass over the candidates.
 *
 * Values far outside of the two levels of the likeliest cell are drawn in, and everything is found
 * again: an outlier says no more than the last value that is no outlier.
 */
#include "bisect/posterior.h"

#include "base/mem.h"
#include "bisect/levels.h"
#include "bisect/rates.h"
#include "stats/robust.h"
#include "stats/summary.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PASSES 3          /* Of drawing in. */
#define DRAW_IN_LEAST 8   /* Units below which a spread is too uncertain to draw in by it. */
#define LEAST_SPREAD 1e-6 /* Of the variance of all. */
#define EFFECT_MOST 12.0
#define MASKS 32

DEFINE_AUTO(numbers, double *, free);
DEFINE_AUTO(masks, uint8_t *, free);
DEFINE_AUTO(indices, uint32_t *, free);
DEFINE_AUTO(level_groups, struct levels_group *, free);
DEFINE_AUTO(rate_groups, struct rates_group *, free);

void posterior_split(struct bisect *bisect, uint32_t commit)
{
	AUTO(indices) uint32_t *twins = mem_array(bisect->n_cells, sizeof(*twins));
	AUTO(indices) uint32_t *sides = mem_array(bisect->n_cells, sizeof(*sides));
	const size_t n_before = bisect->n_cells;
	memset(twins, 0xff, n_before * sizeof(*twins));
	for (size_t cell = 0; cell < n_before; cell++)
		sides[cell] = graph_has(bisect->graph, commit,
					bisect->candidates[bisect->cell_reps[cell]]);
	for (size_t place = 0; place < bisect->n_candidates; place++) {
		const uint32_t cell = bisect->cells[place];
		if (graph_has(bisect->graph, commit, bisect->candidates[place]) == sides[cell])
			continue;
		if (twins[cell] == GRAPH_NONE) {
			twins[cell] = (uint32_t)bisect->n_cells;
			bisect->cell_reps[bisect->n_cells++] = (uint32_t)place;
		}
		bisect->cells[place] = twins[cell];
	}
	assert(bisect->n_cells <= bisect->n_candidates);
}

uint8_t posterior_mask(const struct bisect *bisect, uint32_t commit, uint32_t candidate)
{
	unsigned mask = graph_has(bisect->graph, commit, candidate);
	for (size_t i = 0; i < bisect->n_changes; i++)
		if (graph_has(bisect->graph, commit, bisect->changes[i].after))
			mask |= 2U << i;
	return (uint8_t)mask;
}

static void fill_masks(const struct bisect *bisect, uint32_t candidate, uint8_t *ret_masks)
{
	for (size_t g = 0; g < bisect->n_groups; g++)
		ret_masks[g] = posterior_mask(bisect, bisect->groups[g].commit, candidate);
}

/* Logarithms only while all values have one. */
static void take_values(struct bisect *bisect)
{
	bisect->is_logarithmic = bisect->options.is_logarithmic;
	for (size_t i = 0; i < bisect->n_units; i++)
		if (bisect->units[i].result == BISECT_VALUE && bisect->units[i].value <= 0.0)
			bisect->is_logarithmic = false;
	for (size_t i = 0; i < bisect->n_units; i++) {
		const double value = bisect->units[i].value;
		bisect->values[i] = bisect->is_logarithmic && value > 0.0 ? log(value) : value;
	}
}

static bool any_session_holds_two(const struct bisect *bisect, double n)
{
	size_t n_sessions = 0;
	for (size_t g = 0; g < bisect->n_groups; g++)
		n_sessions += g == 0 || bisect->groups[g].session != bisect->groups[g - 1].session;
	return n_sessions > 1 && (double)n_sessions < n;
}

/* Sums of the groups about the mean of all, which is given. `only`: of these commits; NULL: all. */
static double add_groups(const struct bisect *bisect, const uint32_t *only,
			 struct levels_group *groups, struct levels_data *ret_data)
{
	double sum = 0.0;
	double n = 0.0;
	for (int pass = 0; pass < 2; pass++) {
		const double mean = n > 0.0 ? sum / n : 0.0;
		*ret_data = (struct levels_data) { .groups = groups, .n_groups = bisect->n_groups };
		for (size_t g = 0; pass == 1 && g < bisect->n_groups; g++)
			groups[g] = (struct levels_group) { .session = bisect->groups[g].session };
		for (size_t i = 0; i < bisect->n_units; i++) {
			const struct bisect_unit *unit = &bisect->units[i];
			if (unit->result != BISECT_VALUE ||
			    (only && unit->commit != only[0] && unit->commit != only[1]))
				continue;
			if (pass == 0) {
				sum += bisect->values[i];
				n += 1.0;
				continue;
			}
			struct levels_group *group = &groups[bisect->unit_groups[i]];
			const double value = bisect->values[i] - mean;
			group->n += 1.0;
			group->sum += value;
			ret_data->squares += value * value;
		}
	}
	ret_data->n = n;
	const double mean = n > 0.0 ? sum / n : 0.0;
	ret_data->least = n > 0.0 ? LEAST_SPREAD * ret_data->squares / n : 0.0;
	ret_data->least += 1e-20 * (1e-20 + mean * mean);
	ret_data->has_sessions = bisect->options.has_sessions && any_session_holds_two(bisect, n);
	return mean;
}

struct judged { /* One hypothesis. */
	double log_evidence;
	double first, second, deviation, error;
};

struct source { /* What hypotheses are judged by. */
	struct levels_data levels;
	double mean;
	const struct rates_group *rates;
	bool is_numbers;
};

static struct judged judge(const struct bisect *bisect, const struct source *source,
			   const uint8_t *masks, bool is_none)
{
	if (!source->is_numbers) {
		const struct rates rates = rates_judge(source->rates, masks, bisect->n_groups,
						       bisect->n_changes, is_none);
		return (struct judged) { rates.log_evidence, rates.first, rates.second, 1.0,
					 rates.error };
	}
	const struct levels levels =
		levels_judge(&source->levels, masks, bisect->n_changes, is_none);
	return (struct judged) { levels.log_evidence, levels.first + source->mean,
				 levels.second + source->mean, levels.deviation, levels.error };
}

/* Twice the probability that the change goes the way that is asked for. */
static double log_direction(const struct bisect *bisect, const struct judged *judged)
{
	if (bisect->options.direction == BISECT_EITHER || bisect->n_changes > 0)
		return 0.0;
	const double t = (judged->second - judged->first) / fmax(judged->error, 1e-300);
	const double way = bisect->options.direction == BISECT_UP ? t : -t;
	return log(fmax(erfc(-way * M_SQRT1_2), 1e-300));
}

/* Draws values in to `reach` deviations outside of the levels; a level is the median of the units
 * with the same mask. False when nothing moved or too little is known. */
static bool draw_in(struct bisect *bisect, const uint8_t *masks)
{
	if (bisect->options.reach <= 0.0)
		return false;
	AUTO(numbers) double *numbers = mem_array(bisect->n_units, sizeof(*numbers));
	AUTO(numbers) double *left = mem_array(bisect->n_units, sizeof(*left));
	double low = (double)INFINITY;
	double high = -(double)INFINITY;
	size_t n_left = 0;
	for (unsigned mask = 0; mask < MASKS; mask++) {
		size_t n = 0;
		for (size_t i = 0; i < bisect->n_units; i++)
			if (bisect->units[i].result == BISECT_VALUE &&
			    masks[bisect->unit_groups[i]] == mask)
				numbers[n++] = bisect->values[i];
		if (n == 0)
			continue;
		const double median = summary_make(numbers, n).median;
		low = fmin(low, median);
		high = fmax(high, median);
		for (size_t i = 0; i < n; i++)
			left[n_left++] = fabs(numbers[i] - median);
	}
	if (n_left < DRAW_IN_LEAST)
		return false;
	const double spread = ROBUST_NORMAL * summary_make(left, n_left).median *
			      sqrt((double)n_left / ((double)n_left - 3.0));
	bool is_moved = false;
	for (size_t i = 0; i < bisect->n_units && spread > 0.0; i++) {
		const double drawn =
			fmax(fmin(bisect->values[i], high + bisect->options.reach * spread),
			     low - bisect->options.reach * spread);
		is_moved |= bisect->units[i].result == BISECT_VALUE &&
			    fabs(drawn - bisect->values[i]) > 0.0;
		bisect->values[i] = drawn;
	}
	return is_moved;
}

/* Log evidence of each cell, "nothing else" behind them; gives the likeliest cell (n_cells: none). */
static size_t judge_cells(struct bisect *bisect, const struct source *source, double *evidence,
			  struct judged *ret_best)
{
	AUTO(masks) uint8_t *masks = mem_array(bisect->n_groups, sizeof(*masks));
	AUTO(numbers) double *prior = mem_array(bisect->n_cells, sizeof(*prior));
	for (size_t place = 0; place < bisect->n_candidates; place++)
		prior[bisect->cells[place]] += bisect->weights[place];
	const double none = bisect->n_changes > 0 ? 0.5 : bisect->options.no_change;
	size_t best = bisect->n_cells;
	double best_log = -(double)INFINITY;
	for (size_t cell = 0; cell < bisect->n_cells; cell++) {
		fill_masks(bisect, bisect->candidates[bisect->cell_reps[cell]], masks);
		const struct judged judged = judge(bisect, source, masks, /* is_none= */ false);
		evidence[cell] =
			judged.log_evidence + log_direction(bisect, &judged) + log1p(-none);
		const double with_prior = evidence[cell] + log(prior[cell] + 1e-300);
		if (with_prior > best_log + 1e-9) {
			best_log = with_prior;
			best = cell;
			*ret_best = judged;
		}
	}
	fill_masks(bisect, bisect->candidates[0], masks);
	evidence[bisect->n_cells] =
		judge(bisect, source, masks, /* is_none= */ true).log_evidence + log(none);
	assert(best < bisect->n_cells);
	return best;
}

static void spread_over_places(struct bisect *bisect, const double *evidence)
{
	double most = -(double)INFINITY;
	for (size_t cell = 0; cell <= bisect->n_cells; cell++)
		most = fmax(most, evidence[cell]);
	AUTO(numbers) double *odds = mem_array(bisect->n_cells + 1, sizeof(*odds));
	for (size_t cell = 0; cell <= bisect->n_cells; cell++)
		odds[cell] = exp(evidence[cell] - most);
	double sum = odds[bisect->n_cells];
	for (size_t place = 0; place < bisect->n_candidates; place++) {
		bisect->posterior[place] = bisect->weights[place] * odds[bisect->cells[place]];
		for (size_t i = 0; i < bisect->n_changes; i++)
			if (bisect->candidates[place] == bisect->changes[i].after)
				bisect->posterior[place] = 0.0;
		sum += bisect->posterior[place];
	}
	bisect->none = odds[bisect->n_cells] / sum;
	for (size_t place = 0; place < bisect->n_candidates; place++)
		bisect->posterior[place] /= sum;
	graph_sum(bisect->graph, bisect->posterior, bisect->sums);
}

static void find_best_cluster(struct bisect *bisect)
{
	AUTO(numbers) double *masses = mem_array(bisect->n_candidates, sizeof(*masses));
	for (size_t place = 0; place < bisect->n_candidates; place++)
		masses[bisect->clusters[place]] += bisect->posterior[place];
	bisect->best = 0;
	for (size_t place = 1; place < bisect->n_candidates; place++)
		if (masses[place] > masses[bisect->best] * (1.0 + 1e-9))
			bisect->best = place;
	bisect->best_mass = masses[bisect->best];
}

/* Whether the ends' own units tell them apart. */
static void judge_ends(struct bisect *bisect, const struct source *all, struct levels_group *groups)
{
	const uint32_t ends[2] = { graph_good(bisect->graph), graph_bad(bisect->graph) };
	struct source source = *all;
	AUTO(rate_groups)
	struct rates_group *rates = mem_array(bisect->n_groups, sizeof(*rates));
	if (source.is_numbers)
		source.mean = add_groups(bisect, ends, groups, &source.levels);
	for (size_t g = 0; !source.is_numbers && g < bisect->n_groups; g++)
		if (bisect->groups[g].commit == ends[0] || bisect->groups[g].commit == ends[1])
			rates[g] = all->rates[g];
	source.rates = rates;
	AUTO(masks) uint8_t *masks = mem_array(bisect->n_groups, sizeof(*masks));
	for (size_t g = 0; g < bisect->n_groups; g++)
		masks[g] = bisect->groups[g].commit == ends[1];
	const struct judged change = judge(bisect, &source, masks, /* is_none= */ false);
	const struct judged none = judge(bisect, &source, masks, /* is_none= */ true);
	bisect->ends_log_factor =
		change.log_evidence + log_direction(bisect, &change) - none.log_evidence;
}

static void keep_levels(struct bisect *bisect, const struct judged *best)
{
	bisect->first = best->first;
	bisect->second = best->second;
	bisect->deviation = best->deviation;
	const double effect = fabs(best->second - best->first);
	bisect->effect = best->deviation > 0.0 ? fmin(effect / best->deviation, EFFECT_MOST) : 0.0;
}

void posterior_update(struct bisect *bisect)
{
	AUTO(numbers) double *evidence = mem_array(bisect->n_candidates + 1, sizeof(*evidence));
	AUTO(masks) uint8_t *masks = mem_array(bisect->n_groups, sizeof(*masks));
	AUTO(level_groups)
	struct levels_group *groups = mem_array(bisect->n_groups, sizeof(*groups));
	AUTO(rate_groups) struct rates_group *rates = mem_array(bisect->n_groups, sizeof(*rates));
	struct source source = { .rates = rates,
				 .is_numbers = bisect->options.oracle == BISECT_NUMBERS };
	struct judged best = { 0 };
	for (size_t i = 0; i < bisect->n_units && !source.is_numbers; i++) {
		struct rates_group *group = &rates[bisect->unit_groups[i]];
		group->passes += bisect->units[i].result == BISECT_PASS;
		group->failures += bisect->units[i].result == BISECT_FAIL;
	}
	take_values(bisect);
	for (int pass = 0; pass <= PASSES; pass++) {
		if (source.is_numbers)
			source.mean = add_groups(bisect, /* only= */ NULL, groups, &source.levels);
		const size_t cell = judge_cells(bisect, &source, evidence, &best);
		fill_masks(bisect, bisect->candidates[bisect->cell_reps[cell]], masks);
		if (!source.is_numbers || pass == PASSES || !draw_in(bisect, masks))
			break;
	}
	keep_levels(bisect, &best);
	spread_over_places(bisect, evidence);
	find_best_cluster(bisect);
	judge_ends(bisect, &source, groups);
}
