/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The life of a bisection: a unit comes in, the probabilities are found anew, and the next step is
 * decided by rules in a fixed order: the ends, a confirmation that is on its way, the limits, the
 * balance of the sides, whether the likeliest commit is likely enough, and what tells most.
 */
#include "bisect/bisect.h"

#include "base/mem.h"
#include "base/random.h"
#include "bisect/boundary.h"
#include "bisect/choose.h"
#include "bisect/confirm.h"
#include "bisect/posterior.h"
#include "bisect/state.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ENDS_FIRST 3 /* Units at each end before anything is asked. */
#define ENDS_LOG_FACTOR                                                                            \
	0.0         /* "They differ" as likely as not, before the prior: the search may begin. */
#define BALANCE 0.2 /* Of the units, at least, on each side of the likeliest change. */
#define REST_SHARE 0.05 /* "Nothing else" less likely than this: look for another change. */

const char *bisect_reason_text(enum bisect_reason reason)
{
	static const char *const texts[BISECT_REASON_COUNT] = {
		[BISECT_ENDS_DIFFER] = "do the ends differ",
		[BISECT_TELLS_MOST] = "tells most for its cost",
		[BISECT_BALANCE] = "too few measurements on this side of the likeliest change",
		[BISECT_NEIGHBOUR] = "a neighbour of the likeliest change was hardly measured",
		[BISECT_FRESH] = "likely enough: both sides of the change measured afresh",
		[BISECT_REST] = "what was found does not explain the ends",
		[BISECT_FOUND] = "found",
		[BISECT_NO_CHANGE] = "the ends do not differ",
		[BISECT_UNITS_SPENT] = "the runs allowed are spent",
		[BISECT_ATTEMPTS_SPENT] = "what was likely was not confirmed by fresh measurements",
		[BISECT_ENDS_BROKEN] = "an end cannot be measured",
	};
	assert((unsigned)reason < BISECT_REASON_COUNT);
	return texts[reason];
}

void bisect_free(struct bisect *bisect)
{
	if (!bisect)
		return;
	information_free(bisect->information);
	free(bisect->weights);
	free(bisect->units);
	free(bisect->unit_groups);
	free(bisect->groups);
	free(bisect->n_values);
	free(bisect->is_broken);
	free(bisect->cells);
	free(bisect->cell_reps);
	free(bisect->clusters);
	free(bisect->values);
	free(bisect->posterior);
	free(bisect->sums);
	for (size_t i = 0; i < bisect->n_changes; i++)
		mem_free_const(bisect->changes[i].commits);
	free(bisect->at_commits);
	free(bisect);
}

static void weigh(struct bisect *bisect)
{
	double sum = 0.0;
	for (size_t place = 0; place < bisect->n_candidates; place++) {
		const double weight = bisect->options.weights
					      ? bisect->options.weights[bisect->candidates[place]]
					      : 1.0;
		assert(weight > 0.0 && isfinite(weight));
		bisect->weights[place] = weight;
		sum += weight;
	}
	for (size_t place = 0; place < bisect->n_candidates; place++)
		bisect->weights[place] /= sum;
}

/* The candidates of the likeliest cluster, and its neighbours. */
static void show_likeliest(struct bisect *bisect)
{
	struct bisect_change *at = &bisect->at;
	const struct boundary boundary = boundary_find(bisect, bisect->best);
	at->n_commits = 0;
	for (size_t place = bisect->best; place < bisect->n_candidates; place++)
		if (bisect->clusters[place] == bisect->best)
			bisect->at_commits[at->n_commits++] = bisect->candidates[place];
	*at = (struct bisect_change) {
		.commits = bisect->at_commits,
		.n_commits = at->n_commits,
		.probability = bisect->best_mass,
		.before = boundary.n_before > 0 ? boundary.before[0] : graph_good(bisect->graph),
		.after = boundary.after,
		.p = (double)NAN,
	};
}

static struct bisect_step repeat(enum bisect_reason reason, uint32_t commit, size_t n)
{
	struct bisect_step step = { .phase = BISECT_SEARCH,
				    .reason = reason,
				    .purpose = BISECT_SEEK,
				    .n_units = n < BISECT_STEP_UNITS ? n : BISECT_STEP_UNITS };
	for (size_t i = 0; i < step.n_units; i++)
		step.commits[i] = commit;
	return step;
}

static struct bisect_step done(enum bisect_reason reason)
{
	return (struct bisect_step) { .phase = BISECT_DONE, .reason = reason };
}

/* What the ends lack of so many units each, in a drawn order. */
static struct bisect_step measure_ends(const struct bisect *bisect, size_t wanted)
{
	const uint32_t good = graph_good(bisect->graph);
	const uint32_t bad = graph_bad(bisect->graph);
	struct bisect_step step = { .phase = BISECT_ENDS,
				    .reason = BISECT_ENDS_DIFFER,
				    .purpose = BISECT_SEEK };
	size_t left_good = bisect->n_values[good] < wanted ? wanted - bisect->n_values[good] : 0;
	size_t left_bad = bisect->n_values[bad] < wanted ? wanted - bisect->n_values[bad] : 0;
	struct random random;
	random_seed(&random, bisect->options.seed ^ (bisect->n_units + 1));
	while (left_good + left_bad > 0 && step.n_units < BISECT_STEP_UNITS) {
		const bool is_bad = random_below(&random, left_good + left_bad) < left_bad;
		left_bad -= is_bad;
		left_good -= !is_bad;
		step.commits[step.n_units++] = is_bad ? bad : good;
	}
	return step;
}

/* True with a step while it is not clear that the ends differ. */
static bool ask_ends(const struct bisect *bisect, struct bisect_step *ret_step)
{
	const uint32_t good = graph_good(bisect->graph);
	const uint32_t bad = graph_bad(bisect->graph);
	const size_t n_good = bisect->n_values[good];
	const size_t n_bad = bisect->n_values[bad];
	const size_t least = n_good < n_bad ? n_good : n_bad;
	size_t wanted = ENDS_FIRST;
	if (least >= ENDS_FIRST) {
		if (bisect->n_changes > 0 || bisect->ends_log_factor >= ENDS_LOG_FACTOR)
			return false;
		if (least >= bisect->options.ends_max) {
			*ret_step = done(BISECT_NO_CHANGE);
			return true;
		}
		wanted = least + 1;
	}
	*ret_step = measure_ends(bisect, wanted);
	return true;
}

/* A change was confirmed: are the ends measured as well as it was, so that they can say whether it is
 * all of the difference? */
static bool ask_rest(const struct bisect *bisect, struct bisect_step *ret_step)
{
	const size_t wanted = bisect->changes[bisect->n_changes - 1].n_after;
	*ret_step = measure_ends(bisect, wanted);
	ret_step->phase = BISECT_CONFIRM;
	ret_step->reason = BISECT_REST;
	ret_step->purpose = BISECT_VERIFY;
	return ret_step->n_units > 0;
}

static bool ask_balance(const struct bisect *bisect, struct bisect_step *ret_step)
{
	size_t n = 0;
	size_t n_changed = 0;
	for (size_t i = 0; i < bisect->n_units; i++) {
		if (bisect->units[i].result == BISECT_BROKEN)
			continue;
		n++;
		n_changed += graph_has(bisect->graph, bisect->units[i].commit,
				       bisect->candidates[bisect->best]);
	}
	const double least = BALANCE * (double)n;
	if ((double)n_changed >= least && (double)(n - n_changed) >= least)
		return false;
	const uint32_t end =
		(double)n_changed < least ? graph_bad(bisect->graph) : graph_good(bisect->graph);
	*ret_step = repeat(BISECT_BALANCE, end, choose_batch(bisect));
	return true;
}

/* A neighbour of the likeliest change with too few units. */
static bool ask_neighbour(const struct bisect *bisect, struct bisect_step *ret_step)
{
	const struct boundary boundary = boundary_find(bisect, bisect->best);
	const size_t wanted = bisect->options.neighbours;
	for (size_t i = 0; i <= boundary.n_before; i++) {
		uint32_t commit = i == 0 ? boundary.after : boundary.before[i - 1];
		/* No candidate: as unchanged as the good end under each hypothesis. */
		if (i > 0 && graph_place(bisect->graph, commit) == GRAPH_NONE &&
		    !bisect->is_broken[graph_good(bisect->graph)])
			commit = graph_good(bisect->graph);
		if (bisect->n_values[commit] < wanted) {
			*ret_step =
				repeat(BISECT_NEIGHBOUR, commit, wanted - bisect->n_values[commit]);
			return true;
		}
	}
	return false;
}

static struct bisect_step ask_fresh(const struct bisect *bisect)
{
	struct bisect_step step = { .phase = BISECT_CONFIRM,
				    .reason = BISECT_FRESH,
				    .purpose = BISECT_VERIFY };
	confirm_step(bisect, &step);
	return step;
}

static struct bisect_step search(struct bisect *bisect)
{
	struct bisect_step step;
	if (ask_balance(bisect, &step))
		return step;
	if (bisect->best_mass >= bisect->options.confidence) {
		if (ask_neighbour(bisect, &step))
			return step;
		if (bisect->n_failed >= bisect->options.attempts_max)
			return done(BISECT_ATTEMPTS_SPENT);
		confirm_begin(bisect);
		return ask_fresh(bisect);
	}
	const struct choice choice = choose_next(bisect);
	const enum bisect_reason reason = bisect->n_changes > 0 ? BISECT_REST : BISECT_TELLS_MOST;
	return repeat(reason, choice.commit, choice.n_units);
}

static struct bisect_step next_step(struct bisect *bisect)
{
	struct bisect_step step;
	const struct bisect_options *options = &bisect->options;
	if (bisect->is_broken[graph_good(bisect->graph)] ||
	    bisect->is_broken[graph_bad(bisect->graph)])
		return done(BISECT_ENDS_BROKEN);
	const bool is_spent = options->units_max > 0 && bisect->n_units >= options->units_max;
	if (bisect->n_changes > 0 && !bisect->confirming.is_active) {
		if (!is_spent && ask_rest(bisect, &step))
			return step;
		if (bisect->none >= REST_SHARE || bisect->n_changes >= options->changes_max)
			return done(BISECT_FOUND);
	}
	if (is_spent)
		return done(BISECT_UNITS_SPENT);
	if (bisect->confirming.is_active)
		return ask_fresh(bisect);
	if (ask_ends(bisect, &step))
		return step;
	return search(bisect);
}

static void limit_step(const struct bisect *bisect, struct bisect_step *step)
{
	const size_t limit = bisect->options.units_max;
	if (limit > 0 && bisect->n_units + step->n_units > limit && bisect->n_units < limit)
		step->n_units = limit - bisect->n_units;
}

static void decide(struct bisect *bisect)
{
	posterior_update(bisect);
	if (!bisect->confirming.is_active)
		show_likeliest(bisect);
	bisect->step = next_step(bisect);
	limit_step(bisect, &bisect->step);
}

struct bisect *bisect_new(const struct graph *graph, const struct bisect_options *options)
{
	assert(evidence_check(options, /* err= */ NULL) == 0);
	struct bisect *bisect = mem_zero(sizeof(*bisect));
	bisect->graph = graph;
	bisect->options = *options;
	bisect->information = information_new();
	bisect->candidates = graph_candidates(graph, &bisect->n_candidates);
	bisect->n_commits = graph_commits(graph);
	bisect->weights = mem_array(bisect->n_candidates, sizeof(*bisect->weights));
	bisect->n_values = mem_array(bisect->n_commits, sizeof(*bisect->n_values));
	bisect->is_broken = mem_array(bisect->n_commits, sizeof(*bisect->is_broken));
	bisect->cells = mem_array(bisect->n_candidates, sizeof(*bisect->cells));
	bisect->cell_reps = mem_array(bisect->n_candidates, sizeof(*bisect->cell_reps));
	bisect->n_cells = 1;
	bisect->clusters = mem_array(bisect->n_candidates, sizeof(*bisect->clusters));
	for (size_t place = 0; place < bisect->n_candidates; place++)
		bisect->clusters[place] = (uint32_t)place;
	bisect->posterior = mem_array(bisect->n_candidates, sizeof(*bisect->posterior));
	bisect->sums = mem_array(bisect->n_commits, sizeof(*bisect->sums));
	bisect->at_commits = mem_array(bisect->n_candidates, sizeof(*bisect->at_commits));
	weigh(bisect);
	decide(bisect);
	return bisect;
}

/* Groups of one session stand together. */
static uint32_t group_of(struct bisect *bisect, const struct bisect_unit *unit)
{
	const uint32_t session = bisect->options.has_sessions ? unit->session : 0;
	size_t at = bisect->n_groups;
	for (size_t g = 0; g < bisect->n_groups; g++) {
		if (bisect->groups[g].session != session)
			continue;
		if (bisect->groups[g].commit == unit->commit)
			return (uint32_t)g;
		at = g + 1;
	}
	bisect->groups = mem_grow(bisect->groups, &bisect->groups_capacity, bisect->n_groups + 1,
				  sizeof(*bisect->groups));
	memmove(bisect->groups + at + 1, bisect->groups + at,
		(bisect->n_groups - at) * sizeof(*bisect->groups));
	bisect->groups[at] = (struct bisect_group) { unit->commit, session };
	bisect->n_groups++;
	for (size_t i = 0; i + 1 < bisect->n_units; i++)
		bisect->unit_groups[i] += bisect->unit_groups[i] >= at;
	return (uint32_t)at;
}

static void end_confirmation(struct bisect *bisect)
{
	const enum confirm_state state = confirm_judge(bisect);
	if (state == CONFIRM_GOES_ON)
		return;
	bisect->confirming.is_active = false;
	if (state == CONFIRM_IS_NOT_SO) {
		bisect->n_failed++;
		return;
	}
	struct bisect_change *change = &bisect->changes[bisect->n_changes++];
	*change = bisect->at;
	change->is_confirmed = true;
	change->commits = bisect->at_commits;
	bisect->at_commits = mem_array(bisect->n_candidates, sizeof(*bisect->at_commits));
}

static void check_unit(const struct bisect *bisect, const struct bisect_unit *unit)
{
	assert(unit->commit < bisect->n_commits && bisect->n_units < BISECT_UNITS_MAX);
	assert(unit->result == BISECT_BROKEN ||
	       (unit->result == BISECT_VALUE) == (bisect->options.oracle == BISECT_NUMBERS));
	assert(unit->result != BISECT_VALUE || isfinite(unit->value));
}

static void keep_unit(struct bisect *bisect, const struct bisect_unit *unit)
{
	const size_t want = bisect->n_units + 1;
	bisect->units =
		mem_grow(bisect->units, &bisect->units_capacity, want, sizeof(*bisect->units));
	bisect->values =
		mem_grow(bisect->values, &bisect->values_capacity, want, sizeof(*bisect->values));
	bisect->unit_groups = mem_grow(bisect->unit_groups, &bisect->unit_groups_capacity, want,
				       sizeof(*bisect->unit_groups));
	bisect->units[bisect->n_units++] = *unit;
	bisect->unit_groups[want - 1] = 0;
}

void bisect_add(struct bisect *bisect, const struct bisect_unit *unit)
{
	check_unit(bisect, unit);
	keep_unit(bisect, unit);
	if (unit->result == BISECT_BROKEN) {
		bisect->is_broken[unit->commit] = true;
		boundary_cluster(bisect);
		if (unit->commit == bisect->at.before || unit->commit == bisect->at.after)
			bisect->confirming.is_active = false;
	} else {
		const uint32_t group = group_of(bisect, unit);
		bisect->unit_groups[bisect->n_units - 1] = group;
		if (bisect->n_values[unit->commit]++ == 0)
			posterior_split(bisect, unit->commit);
	}
	if (bisect->confirming.is_active)
		end_confirmation(bisect);
	decide(bisect);
}

const struct bisect_step *bisect_next(struct bisect *bisect)
{
	return &bisect->step;
}

int bisect_run(struct bisect *bisect, bisect_measure measure, void *context, struct error *err)
{
	while (bisect->step.phase != BISECT_DONE) {
		const struct bisect_step step = bisect->step;
		for (size_t i = 0; i < step.n_units; i++) {
			struct bisect_unit unit = { 0 };
			const int failed = measure(context, &step, step.commits[i], &unit, err);
			if (failed < 0)
				return failed;
			unit.commit = step.commits[i];
			unit.purpose = step.purpose;
			bisect_add(bisect, &unit);
			if (unit.result == BISECT_BROKEN || bisect->step.phase == BISECT_DONE)
				break;
		}
	}
	return 0;
}
