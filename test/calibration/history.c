/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Simulated histories. See history.h. */
#include "calibration/history.h"

#include "base/mem.h"
#include "bisect/bisect.h"

#include <math.h>

#define OUTLIER 8.0
#define LEVEL 100.0
#define RUNS_MOST 3000
#define SESSION_RUNS 10

struct world {
	const struct history_case *history;
	struct graph *graph;
	struct random *random;
	uint32_t culprits[2];
	size_t n_culprits;
	bool *is_broken;
	bool *is_built;
	double offset; /* Of this session. */
	uint32_t session;
	size_t n_runs;
};

/* Lines with side branches: about a fifth of the commits stand on one of up to 12 that forked up to
 * 60 commits back, the good end or what is before it included. */
static struct graph *merged_graph(size_t n, struct random *random)
{
	struct graph_commit *commits = mem_array(n, sizeof(*commits));
	uint32_t(*parents)[2] = mem_array(n, sizeof(*parents));
	uint32_t trunk = 0;
	for (uint32_t i = 1; i < n;) {
		const size_t left = n - i;
		parents[i][0] = trunk;
		commits[i] = (struct graph_commit) { parents[i], 1 };
		if (left < 16 || random_below(random, 20) > 0) {
			trunk = i++;
			continue;
		}
		const uint32_t length = 1 + (uint32_t)random_below(random, 12);
		uint32_t tip = i > 60 ? i - 1 - (uint32_t)random_below(random, 60) : 0;
		for (uint32_t j = 0; j < length; j++, i++) {
			parents[i][0] = tip;
			commits[i] = (struct graph_commit) { parents[i], 1 };
			tip = i;
		}
		parents[i][0] = trunk;
		parents[i][1] = tip;
		commits[i] = (struct graph_commit) { parents[i], 2 };
		trunk = i++;
	}
	/* The good end is a while behind the root, so that some branches forked in front of it. */
	struct graph *graph = graph_new(commits, n, 30, trunk, /* err= */ NULL);
	free(commits);
	free(parents);
	return graph;
}

static void make_world(struct world *world, const struct history_case *history,
		       struct random *random)
{
	*world = (struct world) { .history = history, .random = random };
	do {
		graph_free(world->graph);
		world->graph = history->has_merges ? merged_graph(history->n, random)
						   : graph_new_line(history->n);
	} while (!world->graph);
	size_t n = 0;
	const uint32_t *candidates = graph_candidates(world->graph, &n);
	world->is_broken = mem_array(history->n, sizeof(*world->is_broken));
	world->is_built = mem_array(history->n, sizeof(*world->is_built));
	for (size_t i = 0; i < n; i++)
		world->is_broken[candidates[i]] = candidates[i] != graph_bad(world->graph) &&
						  random_unit(random) < history->broken;
	if (history->effect > 0.0 || history->is_pass_fail)
		world->culprits[world->n_culprits++] = candidates[random_below(random, n)];
	if (history->second > 0.0) {
		uint32_t other;
		do
			other = candidates[random_below(random, n)];
		while (other == world->culprits[0]);
		world->culprits[world->n_culprits++] = other;
	}
}

static void end_world(struct world *world)
{
	graph_free(world->graph);
	free(world->is_broken);
	free(world->is_built);
}

static double measure(struct world *world, uint32_t commit)
{
	const struct history_case *history = world->history;
	const bool is_changed =
		world->n_culprits > 0 && graph_has(world->graph, commit, world->culprits[0]);
	if (world->n_runs++ % SESSION_RUNS == 0) {
		world->session++;
		world->offset = history->sessions * random_normal(world->random);
	}
	if (history->is_pass_fail)
		return random_unit(world->random) < history->failing[is_changed];
	double value = LEVEL + world->offset + random_normal(world->random);
	value += is_changed ? history->effect : 0.0;
	if (world->n_culprits > 1 && graph_has(world->graph, commit, world->culprits[1]))
		value += history->second;
	return value + (random_unit(world->random) < history->outliers ? OUTLIER : 0.0);
}

static void fill_unit(struct world *world, struct bisect_unit *unit)
{
	if (world->is_broken[unit->commit]) {
		unit->result = BISECT_BROKEN;
		return;
	}
	unit->value = measure(world, unit->commit);
	unit->session = world->session;
	if (world->history->is_pass_fail)
		unit->result = unit->value > 0.5 ? BISECT_FAIL : BISECT_PASS;
}

static bool holds(const struct world *world, const struct bisect_change *change)
{
	for (size_t i = 0; i < change->n_commits; i++)
		for (size_t j = 0; j < world->n_culprits; j++)
			if (change->commits[i] == world->culprits[j])
				return true;
	return false;
}

static void give(struct world *world, struct bisect *bisect)
{
	for (size_t i = 0; i < 2 * world->history->n_given; i++) {
		struct bisect_unit unit = {
			.commit = i % 2 ? graph_bad(world->graph) : graph_good(world->graph),
		};
		fill_unit(world, &unit);
		bisect_add(bisect, &unit);
		world->is_built[unit.commit] = true;
	}
}

/* Goes along until it is done, and notes when it first was sure enough to measure afresh. */
static void follow(struct world *world, struct bisect *bisect, struct history_outcome *outcome)
{
	while (bisect_next(bisect)->phase != BISECT_DONE) {
		const struct bisect_step step = *bisect_next(bisect);
		if (step.phase == BISECT_CONFIRM && !outcome->is_stopped) {
			const struct bisect_answer answer = bisect_answer(bisect);
			outcome->is_stopped = true;
			outcome->is_right = holds(world, &answer.changes[answer.n_changes - 1]);
		}
		for (size_t i = 0; i < step.n_units; i++) {
			struct bisect_unit unit = { .commit = step.commits[i],
						    .purpose = step.purpose };
			fill_unit(world, &unit);
			const bool counts = !outcome->is_stopped;
			if (counts && !world->is_built[unit.commit]) {
				outcome->built += 1.0;
				outcome->cost += world->history->build;
			}
			world->is_built[unit.commit] = true;
			bisect_add(bisect, &unit);
			if (unit.result == BISECT_BROKEN)
				break;
			outcome->verify += step.phase == BISECT_CONFIRM;
			outcome->runs += counts;
			outcome->cost += counts;
		}
	}
}

struct history_outcome history_ours(const struct history_case *history, struct random *random)
{
	struct world world;
	make_world(&world, history, random);
	struct bisect_options options = evidence_preset();
	options.is_logarithmic = false;
	options.oracle = history->is_pass_fail ? BISECT_PASS_FAIL : BISECT_NUMBERS;
	options.cost_build = history->build;
	options.has_sessions = history->sessions > 0.0;
	options.units_max = RUNS_MOST;
	if (history->neighbours > 0)
		options.neighbours = history->neighbours;
	options.seed = random_next(random);
	struct bisect *bisect = bisect_new(world.graph, &options);
	struct history_outcome outcome = { 0 };
	give(&world, bisect);
	follow(&world, bisect, &outcome);
	const struct bisect_answer answer = bisect_answer(bisect);
	for (size_t i = 0; i < answer.n_changes; i++) {
		const bool is_true = holds(&world, &answer.changes[i]);
		outcome.n_true += answer.changes[i].is_confirmed && is_true;
		outcome.n_false += answer.changes[i].is_confirmed && !is_true;
	}
	outcome.is_none = answer.reason == BISECT_NO_CHANGE;
	outcome.is_rest = answer.is_rest || answer.n_changes > 1;
	bisect_free(bisect);
	end_world(&world);
	return outcome;
}

const char *history_rule_text(enum history_rule rule)
{
	return rule == HISTORY_GIT_REPEATS ? "git bisect, mean of k runs"
					   : "pass/fail, Bayes at 99 %";
}

/* Means of as many runs as make all ten steps right 99 times of 100. */
static void bisect_by_halves(struct world *world, struct history_outcome *outcome)
{
	const double effect = world->history->effect;
	const double repeats = ceil(pow(2.0 * 3.09 / effect, 2.0));
	uint32_t good = graph_good(world->graph);
	uint32_t bad = graph_bad(world->graph);
	while (bad - good > 1) {
		const uint32_t middle = good + (bad - good) / 2;
		double sum = 0.0;
		for (size_t i = 0; i < (size_t)repeats; i++)
			sum += measure(world, middle);
		outcome->runs += repeats;
		if (sum / repeats > LEVEL + 0.5 * effect)
			bad = middle;
		else
			good = middle;
	}
	outcome->is_right = bad == world->culprits[0];
}

/* One change point, both rates integrated out, the middle of the posterior measured next. */
static void bisect_by_bayes(struct world *world, struct history_outcome *outcome)
{
	struct bisect_options options = evidence_preset();
	options.oracle = BISECT_PASS_FAIL;
	options.units_max = RUNS_MOST;
	options.neighbours = 1;
	struct bisect *bisect = bisect_new(world->graph, &options);
	while (bisect_next(bisect)->phase < BISECT_CONFIRM) {
		struct bisect_unit unit = { .commit = bisect_next(bisect)->commits[0],
					    .purpose = BISECT_SEEK };
		const double value = measure(world, unit.commit);
		unit.result =
			value > LEVEL + 0.5 * world->history->effect ? BISECT_FAIL : BISECT_PASS;
		bisect_add(bisect, &unit);
		outcome->runs += 1.0;
	}
	const struct bisect_answer answer = bisect_answer(bisect);
	outcome->is_right = answer.n_changes > 0 && holds(world, &answer.changes[0]);
	bisect_free(bisect);
}

struct history_outcome history_other(const struct history_case *history, enum history_rule rule,
				     struct random *random)
{
	struct world world;
	struct random own;
	random_seed(&own, random_next(random));
	make_world(&world, history, &own);
	struct history_outcome outcome = { .is_stopped = true };
	if (rule == HISTORY_GIT_REPEATS)
		bisect_by_halves(&world, &outcome);
	else
		bisect_by_bayes(&world, &outcome);
	end_world(&world);
	return outcome;
}
