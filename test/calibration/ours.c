/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Our own rule, the quick way and the long way. See ours.h. */
#include "calibration/ours.h"

#include "base/macros.h"
#include "base/mem.h"
#include "stats/moderated.h"
#include "stats/permute.h"
#include "stats/summary.h"
#include "stats/welch.h"
#include "verdict/measure.h"
#include "verdict/pair.h"
#include "verdict/prior.h"
#include "verdict/sample.h"

#include <assert.h>
#include <math.h>

#define BLOCK 4
#define SEED 0 /* What verdict_options has when nobody says. */
#define HISTORY_GROUPS 4
#define HISTORY_RUNS 6

static double logarithm(double value)
{
	assert(value > 0.0);
	return log(value);
}

/* The first n runs a side, on the scale on which they are judged; whole blocks. */
static void take_first(const struct simulated *simulated, size_t n, struct simulated *ret_taken)
{
	assert(2 * n <= simulated->n);
	*ret_taken = *simulated;
	ret_taken->n = 2 * n;
	for (size_t i = 0; i < ret_taken->n; i++)
		ret_taken->values[i] = logarithm(simulated->values[i]);
}

struct noise ours_history(struct random *random, const struct experiment_case *experiment)
{
	const struct experiment_case quiet = {
		.shape = experiment->shape,
		.deviation = experiment->deviation,
		.n = HISTORY_RUNS / 2,
	};
	struct simulated runs[HISTORY_GROUPS];
	struct noise_group groups[HISTORY_GROUPS];
	for (size_t i = 0; i < HISTORY_GROUPS; i++) {
		simulate(random, &quiet, &runs[i]);
		for (size_t j = 0; j < runs[i].n; j++)
			runs[i].values[j] = logarithm(runs[i].values[j]);
		groups[i] = (struct noise_group) { runs[i].values, runs[i].n };
	}
	return noise_pool(groups, HISTORY_GROUPS, /* logarithmic= */ true, /* same_level= */ true);
}

/* Borrows the values, which are on the logarithmic scale already. */
static struct pair pair_of(struct simulated *runs)
{
	return (struct pair) {
		.values = runs->values,
		.is_head = runs->is_head,
		.blocks = runs->blocks,
		.n = runs->n,
		.n_side = { runs->n / 2, runs->n / 2 },
		.relative = true,
		.logarithmic = true,
		.nonnegative = true,
		.base_mean = 1.0,
	};
}

static int ascending(const void *one, const void *other)
{
	const double a = *(const double *)one;
	const double b = *(const double *)other;
	return (a > b) - (a < b);
}

/* The median of all differences within the blocks. */
static double estimate_of(const struct simulated *runs)
{
	double differences[SIMULATE_RUNS_MAX * SIMULATE_RUNS_MAX];
	size_t n = 0;
	for (size_t i = 0; i < runs->n; i++)
		for (size_t j = 0; j < runs->n; j++)
			if (runs->is_head[i] && !runs->is_head[j] &&
			    runs->blocks[i] == runs->blocks[j])
				differences[n++] = runs->values[i] - runs->values[j];
	qsort(differences, n, sizeof(differences[0]), ascending);
	return summary_quantile(differences, n, 0.5);
}

/* As measure_score has it. */
static struct ours judge_by_t(struct simulated *runs, const struct noise *history)
{
	const struct pair pair = pair_of(runs);
	const struct verdict_options options = { .seed = SEED };
	const struct moderated_prior prior = {
		.variance = history ? history->within * history->within : (double)NAN,
		.degrees = history ? fmin(history->within_degrees, PRIOR_DEGREES_MOST) : 0.0,
	};
	struct ours ours = { .p = 1.0, .provisional = true };
	struct pair_moderated sum;
	if (!pair_moderated(&pair, &prior, &sum))
		return ours;
	const struct moderated moderated = moderated_compare(&sum.sides, &sum.prior, 0.99);
	ours.p = measure_provisional_p(&pair, &prior, &options, moderated.p);
	ours.change = expm1(moderated.difference);
	return ours;
}

/* Each side has one value only. */
static bool is_constant(const struct simulated *runs)
{
	double lowest[2] = { (double)INFINITY, (double)INFINITY };
	double highest[2] = { -(double)INFINITY, -(double)INFINITY };
	for (size_t i = 0; i < runs->n; i++) {
		const size_t side = runs->is_head[i];
		lowest[side] = fmin(lowest[side], runs->values[i]);
		highest[side] = fmax(highest[side], runs->values[i]);
	}
	return !(lowest[0] < highest[0]) && !(lowest[1] < highest[1]);
}

static struct ours judge_exactly(const struct simulated *runs)
{
	const double change = expm1(estimate_of(runs));
	const bool differs = fabs(change) > 0.0;
	return (struct ours) {
		.p = differs ? welch_exact_p(runs->n / 2, runs->n / 2) : 1.0,
		.change = change,
	};
}

struct ours ours_judge(const struct simulated *simulated, const struct noise *history, double alpha)
{
	struct simulated taken;
	take_first(simulated, simulated->n / 2, &taken);
	if (is_constant(&taken))
		return judge_exactly(&taken);
	const struct pair pair = pair_of(&taken);
	if (history || pair_smallest_p(&pair) > alpha)
		return judge_by_t(&taken, history);
	const struct blocked blocked = simulate_blocked(&taken);
	return (struct ours) {
		.p = permute_test(&blocked, PERMUTE_CLIPPED, SEED).p,
		.change = expm1(estimate_of(&taken)),
	};
}

double ours_change(const struct simulated *simulated, size_t n)
{
	struct simulated taken;
	take_first(simulated, n, &taken);
	return expm1(estimate_of(&taken));
}

static bool is_rejected(const struct simulated *runs, double shift)
{
	struct simulated shifted = *runs;
	for (size_t i = 0; i < shifted.n; i++)
		shifted.values[i] -= shifted.is_head[i] ? shift : 0.0;
	const struct blocked blocked = simulate_blocked(&shifted);
	return permute_test(&blocked, PERMUTE_CLIPPED, SEED).p <= 1.0 - COMPARISON_SAME_CONFIDENCE;
}

bool ours_is_same(const struct simulated *simulated, size_t n, double margin)
{
	struct simulated taken;
	take_first(simulated, n, &taken);
	const double low = log1p(-margin);
	const double high = log1p(margin);
	const double estimate = estimate_of(&taken);
	return estimate > low && estimate < high && is_rejected(&taken, low) &&
	       is_rejected(&taken, high);
}

struct sequential_schedules *ours_schedules(const struct sequential_plan *plan)
{
	size_t sizes[SIMULATE_RUNS_MAX][2];
	const size_t n_blocks = plan->n_max / (BLOCK / 2);
	assert(plan->n_max <= SIMULATE_RUNS_MAX && plan->n_max % (BLOCK / 2) == 0);
	for (size_t i = 0; i < n_blocks; i++)
		sizes[i][0] = sizes[i][1] = BLOCK / 2;
	return sequential_schedules_new(plan, (const size_t(*)[2])sizes, n_blocks);
}

size_t ours_looks(const struct sequential_schedules *schedules, const struct sequential_plan *plan,
		  const struct simulated *simulated)
{
	struct simulated taken;
	take_first(simulated, simulated->n / 2, &taken);
	const struct blocked blocked = simulate_blocked(&taken);
	const struct sequential sequential =
		sequential_judge_with(schedules, &blocked, PERMUTE_CLIPPED, plan);
	return sequential.rejected ? sequential.look_runs : 0;
}

/* ---- the long way ---- */

static const struct metric score = { "hackbench.time_sec", "s",          "",
				     METRIC_SCORE,         BETTER_LOWER, ROLE_SCORE };

struct two_sides {
	struct sample samples[2];
	struct run_place places[2][SIMULATE_RUNS_MAX];
	struct compared_side sides[2];
};

static void make_sides(const struct simulated *simulated, size_t n, struct two_sides *two)
{
	static const char *const names[] = { "base", "head" };
	for (size_t side = 0; side < 2; side++) {
		struct sample *sample = &two->samples[side];
		*sample = sample_make(names[side], n);
		size_t at = 0;
		for (size_t i = 0; i < 2 * n; i++) {
			if (simulated->is_head[i] != (side == 1))
				continue;
			two->places[side][at] = (struct run_place) {
				.block = simulated->blocks[i] + 1,
				.sequence = i + 1,
			};
			run_metric_add(sample->runs[at++], &score,
				       value_known(simulated->values[i]));
		}
		assert(at == n);
		two->sides[side] = sample_side(sample);
		two->sides[side].places = two->places[side];
	}
}

struct ours_answer ours_compare(const struct simulated *simulated, size_t n,
				const struct noise *history, size_t sequential_max)
{
	struct two_sides two;
	make_sides(simulated, n, &two);
	const struct known_noise known = {
		.metric = score.name,
		.noise = history ? *history : (struct noise) { 0 },
	};
	const struct verdict_options options = {
		.sequential_max = sequential_max,
		.noise = &known,
		.n_noise = history ? 1 : 0,
	};
	struct comparison *comparison = NULL;
	struct error err = { 0 };
	const int code = comparison_make(two.sides, 2, &options, &comparison, &err);
	assert(code == 0);
	const struct finding *finding = &comparison->rows[0].findings[1];
	const struct ours_answer answer = {
		.verdict = finding->verdict,
		.p = finding->p,
		.change = finding->change,
		.low = finding->same_low,
		.high = finding->same_high,
		.provisional = finding->provisional,
		.look_runs = finding->look_runs,
	};
	comparison_free(comparison);
	sample_done(&two.samples[0]);
	sample_done(&two.samples[1]);
	return answer;
}
