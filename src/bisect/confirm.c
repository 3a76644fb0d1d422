/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks hold confirm_min units of each side, in an order drawn from the seed, so that the first look
 * can decide when the effect is large. How many blocks there may be follows from the effect that the
 * search found: enough to find it 19 times of 20.
 */
#include "bisect/confirm.h"

#include "base/mem.h"
#include "base/random.h"
#include "bisect/rates.h"
#include "stats/sequential.h"
#include "stats/shift.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#define POWER_QUANTILE 1.645 /* Of the normal distribution, at .95; */
#define ALPHA_QUANTILE 2.576 /* at .995, two-sided .01. */
#define EFFECT_LEAST 0.25
#define EFFECT_CONFIDENCE 0.95

DEFINE_AUTO(numbers, double *, free);
DEFINE_AUTO(flags, bool *, free);
DEFINE_AUTO(indices, uint32_t *, free);

static double effect_of(const struct bisect *bisect)
{
	if (bisect->options.oracle == BISECT_NUMBERS)
		return fmax(bisect->effect, EFFECT_LEAST);
	const double first = bisect->first * (1.0 - bisect->first);
	const double second = bisect->second * (1.0 - bisect->second);
	const double spread = sqrt(0.5 * (first + second));
	return fmax(fabs(bisect->second - bisect->first) / fmax(spread, 1e-3), EFFECT_LEAST);
}

size_t confirm_runs(const struct bisect *bisect)
{
	const size_t block = bisect->options.confirm_min;
	const double ratio = (POWER_QUANTILE + ALPHA_QUANTILE) / effect_of(bisect);
	const double runs = ceil(2.0 * ratio * ratio);
	const size_t wanted = (size_t)runs;
	const size_t n =
		wanted < bisect->options.confirm_max ? wanted : bisect->options.confirm_max;
	return (n + block - 1) / block * block;
}

void confirm_begin(struct bisect *bisect)
{
	struct random random;
	random_seed(&random, bisect->options.seed + bisect->n_failed * 64 + bisect->n_changes);
	bisect->confirming = (struct bisect_confirming) {
		.is_active = true,
		.first_unit = bisect->n_units,
		.n_max = confirm_runs(bisect),
		.seed = random_next(&random),
	};
}

static bool counts(const struct bisect *bisect, size_t unit)
{
	const struct bisect_unit *one = &bisect->units[unit];
	return one->purpose == BISECT_VERIFY && one->result != BISECT_BROKEN &&
	       (one->commit == bisect->at.before || one->commit == bisect->at.after);
}

/* What is wanted of the block that stands at `n` units: what is there of it is taken out. */
void confirm_step(const struct bisect *bisect, struct bisect_step *step)
{
	const size_t block = 2 * bisect->options.confirm_min;
	size_t n = 0;
	size_t n_after = 0;
	for (size_t i = bisect->confirming.first_unit; i < bisect->n_units; i++) {
		if (!counts(bisect, i))
			continue;
		if (n % block == 0)
			n_after = 0;
		n++;
		n_after += bisect->units[i].commit == bisect->at.after;
	}
	const size_t done = n % block;
	if (done == 0)
		n_after = 0;
	size_t left_after = n_after < block / 2 ? block / 2 - n_after : 0;
	size_t left = block - done;
	struct random random;
	random_seed(&random, bisect->confirming.seed + n);
	assert(left > 0 && left <= BISECT_STEP_UNITS);
	step->n_units = left;
	for (size_t i = 0; i < step->n_units; i++, left--) {
		const bool is_after = random_below(&random, left) < left_after;
		left_after -= is_after;
		step->commits[i] = is_after ? bisect->at.after : bisect->at.before;
	}
}

static double value_of(const struct bisect *bisect, size_t i)
{
	const struct bisect_unit *unit = &bisect->units[i];
	if (unit->result != BISECT_VALUE)
		return unit->result == BISECT_FAIL;
	return bisect->is_logarithmic ? log(unit->value) : unit->value;
}

static size_t collect(const struct bisect *bisect, double *values, bool *is_head, uint32_t *blocks)
{
	size_t n = 0;
	for (size_t i = bisect->confirming.first_unit; i < bisect->n_units; i++) {
		if (!counts(bisect, i))
			continue;
		values[n] = value_of(bisect, i);
		is_head[n] = bisect->units[i].commit == bisect->at.after;
		blocks[n] = (uint32_t)(n / (2 * bisect->options.confirm_min));
		n++;
	}
	return n;
}

static void find_effect(struct bisect *bisect, const struct blocked *blocked,
			enum permute_score score)
{
	if (bisect->options.oracle == BISECT_PASS_FAIL) {
		struct rates_group sides[2] = { 0 };
		for (size_t i = 0; i < blocked->n; i++) {
			sides[blocked->is_head[i]].failures += blocked->values[i];
			sides[blocked->is_head[i]].passes += 1.0 - blocked->values[i];
		}
		const struct rates_difference shares = rates_compare(&sides[0], &sides[1]);
		bisect->at.effect =
			(struct bisect_effect) { true, shares.estimate, shares.low, shares.high };
		return;
	}
	const struct shift shift =
		shift_estimate(blocked, score, EFFECT_CONFIDENCE, bisect->confirming.seed);
	bisect->at.effect = (struct bisect_effect) {
		.known = shift.known,
		.estimate = shift.estimate,
		.low = shift.low,
		.high = shift.high,
	};
}

enum confirm_state confirm_judge(struct bisect *bisect)
{
	const size_t room = bisect->n_units - bisect->confirming.first_unit;
	AUTO(numbers) double *values = mem_array(room, sizeof(*values));
	AUTO(flags) bool *is_head = mem_array(room, sizeof(*is_head));
	AUTO(indices) uint32_t *blocks = mem_array(room, sizeof(*blocks));
	const size_t n = collect(bisect, values, is_head, blocks);
	if (n == 0 || n % (2 * bisect->options.confirm_min) != 0)
		return CONFIRM_GOES_ON;
	const struct blocked blocked = { values, is_head, blocks, n };
	const enum permute_score score =
		bisect->options.oracle == BISECT_NUMBERS ? PERMUTE_CLIPPED : PERMUTE_MEAN;
	const struct sequential_plan plan = {
		.alpha = bisect->options.confirm_alpha,
		.n_max = bisect->confirming.n_max,
		.n_first = bisect->options.confirm_min,
		.seed = bisect->confirming.seed,
	};
	const struct sequential sequential = sequential_judge(&blocked, score, &plan);
	bisect->at.p = sequential.p;
	bisect->at.n_before = n / 2;
	bisect->at.n_after = n / 2;
	if (!sequential.known || (!sequential.rejected && n / 2 < bisect->confirming.n_max))
		return CONFIRM_GOES_ON;
	find_effect(bisect, &blocked, score);
	const bool is_up = bisect->second > bisect->first;
	const bool agrees = (bisect->at.effect.estimate > 0.0) == is_up;
	return sequential.rejected && agrees ? CONFIRM_IS_SO : CONFIRM_IS_NOT_SO;
}
