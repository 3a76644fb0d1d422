/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which test a score gets.
 *
 * Both sides constant: "exact", for there is nothing to rank. Otherwise the block-permutation test,
 * whenever the runs could give p as small as the level at all; that is known from the numbers of
 * runs in the blocks before any value is looked at, so that choosing by it costs no error rate.
 * Otherwise the moderated t test, whose verdicts are provisional because it assumes more than that
 * the order was drawn. A campaign that looks while it runs is judged by its looks.
 *
 * What the t test assumes is least true where it is needed most. 3 + 3 runs of a metric with two modes
 * fall into different modes once in 32 experiments, and each side then looks constant: without a prior
 * no test that sees only these runs can know. With one, 5 % outliers of 8 deviations were called a
 * change in 2.1 % of experiments of 3 + 3 runs. measure_provisional_p() brings both below 1.1 %
 * (test/calibration).
 */
#include "verdict/measure.h"

#include "stats/moderated.h"
#include "stats/permute.h"
#include "stats/power.h"
#include "stats/sequential.h"
#include "stats/shift.h"
#include "stats/welch.h"
#include "verdict/measure_welch.h"
#include "verdict/prior.h"

#include <assert.h>
#include <math.h>

/* With so few runs one outlier, or two modes, pass for a change that the t test is sure of. */
#define FEW_RUNS 4
#define FEW_RUNS_FACTOR 1.5
#define NEARLY 1e-9

#define BLOCK_RUNS 2   /* Of each side in a block of the schedule. */
#define BLOCKS_MAX 100 /* Enough for any rate that a person may ask for. */

#define RUNS_WANTED_POWER 0.9
#define RUNS_WANTED_MOST 1000

struct finding measure_nothing(void)
{
	return (struct finding) {
		.verdict = VERDICT_NOT_JUDGED,
		.unguarded = VERDICT_NOT_JUDGED,
		.change = (double)NAN,
		.low = (double)NAN,
		.high = (double)NAN,
		.same_low = (double)NAN,
		.same_high = (double)NAN,
		.t = (double)NAN,
		.p = (double)NAN,
		.p_adjusted = (double)NAN,
	};
}

void measure_change(const struct pair *pair, const struct row *row, size_t side,
		    struct finding *finding)
{
	const double difference = row->cells[side].summary.mean - row->cells[0].summary.mean;
	finding->known = true;
	finding->relative = pair->relative;
	finding->change = pair->relative ? 100.0 * difference / fabs(pair->base_mean) : difference;
}

static bool has_two_a_side(const struct pair *pair)
{
	return pair->n_side[0] >= 2 && pair->n_side[1] >= 2;
}

static bool is_one_value(const struct pair *pair)
{
	for (size_t i = 1; i < pair->n; i++)
		if (pair->values[i] < pair->values[0] || pair->values[i] > pair->values[0])
			return false;
	return true;
}

bool measure_is_testable(const struct pair *pair)
{
	return has_two_a_side(pair) && !(pair->constant && is_one_value(pair));
}

void measure_exactly(const struct pair *pair, struct finding *finding)
{
	finding->low = finding->change;
	finding->high = finding->change;
	finding->same_low = finding->change;
	finding->same_high = finding->change;
	finding->smallest_p = welch_exact_p(pair->n_side[0], pair->n_side[1]);
	finding->p = is_one_value(pair) ? 1.0 : finding->smallest_p;
	finding->tested = true;
	finding->method = "exact";
}

/* Estimate and intervals of the permutation test. */
static void take_shift(const struct question *question, struct finding *finding)
{
	const struct verdict_options *options = &question->comparison->options;
	const struct pair *pair = question->pair;
	const struct blocked blocked = pair_blocked(pair);
	const double confidences[] = { 1.0 - question->comparison->alpha,
				       COMPARISON_SAME_CONFIDENCE };
	struct shift shifts[2];
	shift_estimate_each(&blocked, options->score, options->seed, confidences, 2, shifts);
	if (!shifts[0].known)
		return;
	finding->change = pair_change(pair, shifts[0].estimate);
	finding->low = pair_change(pair, shifts[0].low);
	finding->high = pair_change(pair, shifts[0].high);
	finding->same_low = pair_change(pair, shifts[1].low);
	finding->same_high = pair_change(pair, shifts[1].high);
}

static void measure_by_permutation(const struct question *question, struct finding *finding)
{
	const struct verdict_options *options = &question->comparison->options;
	const struct blocked blocked = pair_blocked(question->pair);
	const struct permuted permuted = permute_test(&blocked, options->score, options->seed);
	assert(permuted.known);
	take_shift(question, finding);
	finding->tested = true;
	finding->p = permuted.p;
	finding->smallest_p = permuted.smallest_p;
	finding->method = "block permutation";
}

/* Before the first look there is no p, and the interval is shown without one. */
static void measure_by_looks(const struct question *question, struct finding *finding)
{
	const struct verdict_options *options = &question->comparison->options;
	const struct blocked blocked = pair_blocked(question->pair);
	const struct sequential_plan plan = {
		.alpha = question->level,
		.n_max = options->sequential_max,
		.seed = options->seed,
	};
	const struct sequential looks = sequential_judge(&blocked, options->score, &plan);
	take_shift(question, finding);
	if (!looks.known)
		return;
	finding->tested = true;
	finding->method = "sequential block permutation";
	finding->p = looks.p;
	finding->look_runs = looks.look_runs;
	/* Bonferroni; the boundary decides, since p may have been rounded. */
	const double alpha = question->comparison->alpha;
	const double adjusted = fmin(1.0, looks.p * alpha / question->level);
	finding->p_adjusted =
		looks.rejected ? fmin(adjusted, alpha) : fmax(adjusted, nextafter(alpha, 1.0));
}

/* The most extreme order of the sides there is, on these values. */
static bool is_extreme(const struct permuted *permuted)
{
	return permuted->p <= permuted->smallest_p * (1.0 + NEARLY);
}

double measure_provisional_p(const struct pair *pair, const struct moderated_prior *prior,
			     const struct verdict_options *options, double p)
{
	const bool few = pair->n_side[0] <= FEW_RUNS || pair->n_side[1] <= FEW_RUNS;
	if (!(prior->degrees > 0.0))
		return fmax(p, pair_smallest_p(pair));
	if (!few)
		return p;
	const struct blocked blocked = pair_blocked(pair);
	const struct permuted permuted = permute_test(&blocked, options->score, options->seed);
	return is_extreme(&permuted) ? fmin(1.0, FEW_RUNS_FACTOR * p) : fmax(p, permuted.p);
}

static void measure_by_moderated_t(const struct question *question, struct finding *finding)
{
	const struct pair *pair = question->pair;
	const struct moderated_prior prior =
		prior_known(question->comparison, question->row->metric.name, pair);
	struct pair_moderated sum;
	if (!pair_moderated(pair, &prior, &sum))
		return;
	const double confidence = 1.0 - question->comparison->alpha;
	const struct moderated wide = moderated_compare(&sum.sides, &sum.prior, confidence);
	const struct moderated same =
		moderated_compare(&sum.sides, &sum.prior, COMPARISON_SAME_CONFIDENCE);
	if (!wide.known)
		return;
	finding->tested = true;
	finding->provisional = true;
	finding->change = pair_change(pair, wide.difference);
	finding->low = pair_change(pair, wide.low);
	finding->high = pair_change(pair, wide.high);
	finding->same_low = pair_change(pair, same.low);
	finding->same_high = pair_change(pair, same.high);
	finding->t = wide.t;
	finding->p = measure_provisional_p(pair, &prior, &question->comparison->options, wide.p);
	finding->method = "moderated t";
}

static void measure_by_order(const struct question *question, struct finding *finding)
{
	if (question->looks && question->comparison->options.sequential_max)
		measure_by_looks(question, finding);
	else if (pair_smallest_p(question->pair) <= question->level)
		measure_by_permutation(question, finding);
	else
		measure_by_moderated_t(question, finding);
}

void measure_score(const struct question *question, struct finding *finding)
{
	const struct comparison *comparison = question->comparison;
	const struct pair *pair = question->pair;
	measure_change(pair, question->row, question->side, finding);
	finding->margin = prior_margin(comparison, question->row, pair, question->blocked);
	if (!has_two_a_side(pair))
		return;
	if (pair->constant) {
		measure_exactly(pair, finding);
		return;
	}
	switch (comparison->options.method) {
	case METHOD_WELCH:
		measure_by_welch(question->row, question->side, comparison->alpha, finding);
		return;
	case METHOD_MANN_WHITNEY:
		measure_by_mann_whitney(pair, comparison->alpha, comparison->options.seed, finding);
		return;
	case METHOD_PERMUTATION:
	case METHOD_COUNT:
		break;
	}
	measure_by_order(question, finding);
}

size_t measure_runs_least(double level)
{
	size_t sizes[BLOCKS_MAX][2];
	for (size_t n = 1; n <= BLOCKS_MAX; n++) {
		sizes[n - 1][0] = BLOCK_RUNS;
		sizes[n - 1][1] = BLOCK_RUNS;
		if (permute_smallest_p((const size_t(*)[2])sizes, n) <= level)
			return n * BLOCK_RUNS;
	}
	return 0;
}

static size_t runs_by_power(const struct question *question, const struct finding *finding)
{
	const struct pair *pair = question->pair;
	const struct moderated_prior none = { .variance = (double)NAN };
	struct pair_moderated sum;
	if (!pair_moderated(pair, &none, &sum))
		return 0;
	/* In the unit of change and margin. */
	const double deviation = fabs(pair_change(pair, sqrt(sum.variance)));
	const double change = fabs(finding->change);
	if (!(deviation > 0.0))
		return 0;
	if (change >= finding->margin)
		return power_runs(change, deviation, question->level, RUNS_WANTED_POWER,
				  RUNS_WANTED_MOST);
	return power_runs_same(finding->margin - change, deviation, RUNS_WANTED_POWER,
			       RUNS_WANTED_MOST);
}

size_t measure_runs_wanted(const struct question *question, const struct finding *finding)
{
	const size_t wanted = runs_by_power(question, finding);
	/* Welch's test asks for no least number. */
	if (wanted == 0 || question->comparison->options.method == METHOD_WELCH)
		return wanted;
	const size_t least = measure_runs_least(question->level);
	return wanted < least ? least : wanted;
}
