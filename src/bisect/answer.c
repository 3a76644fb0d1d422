/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a bisection can say of itself: the answer so far, and what is left to do. See bisect.h. */
#include "base/mem.h"
#include "bisect/bisect.h"
#include "bisect/choose.h"
#include "bisect/confirm.h"
#include "bisect/rates.h"
#include "bisect/state.h"
#include "stats/shift.h"

#include <math.h>
#include <stdlib.h>

#define CONFIDENCE 0.95
#define EFFECT_LEAST 0.25

DEFINE_AUTO(numbers, double *, free);
DEFINE_AUTO(flags, bool *, free);

static struct bisect_effect effect_of_ends(const struct bisect *bisect)
{
	AUTO(numbers) double *values = mem_array(bisect->n_units, sizeof(*values));
	AUTO(flags) bool *is_head = mem_array(bisect->n_units, sizeof(*is_head));
	struct rates_group sides[2] = { 0 };
	size_t counts[2] = { 0 };
	size_t n = 0;
	for (size_t i = 0; i < bisect->n_units; i++) {
		const struct bisect_unit *unit = &bisect->units[i];
		const bool is_bad = unit->commit == graph_bad(bisect->graph);
		if (unit->result == BISECT_BROKEN ||
		    (!is_bad && unit->commit != graph_good(bisect->graph)))
			continue;
		values[n] = bisect->is_logarithmic && unit->result == BISECT_VALUE
				    ? log(unit->value)
				    : unit->value;
		is_head[n++] = is_bad;
		counts[is_bad]++;
		sides[is_bad].passes += unit->result == BISECT_PASS;
		sides[is_bad].failures += unit->result == BISECT_FAIL;
	}
	if (counts[0] == 0 || counts[1] == 0)
		return (struct bisect_effect) { .estimate = (double)NAN };
	if (bisect->options.oracle == BISECT_PASS_FAIL) {
		const struct rates_difference shares = rates_compare(&sides[0], &sides[1]);
		return (struct bisect_effect) { true, shares.estimate, shares.low, shares.high };
	}
	const struct blocked blocked = { values, is_head, /* blocks= */ NULL, n };
	const struct shift shift =
		shift_estimate(&blocked, PERMUTE_CLIPPED, CONFIDENCE, bisect->options.seed);
	return (struct bisect_effect) { shift.known, shift.estimate, shift.low, shift.high };
}

static void count_units(const struct bisect *bisect, struct bisect_answer *answer)
{
	for (size_t i = 0; i < bisect->n_units; i++) {
		if (bisect->units[i].result == BISECT_BROKEN)
			continue;
		switch (bisect->units[i].purpose) {
		case BISECT_GIVEN:
			answer->n_given++;
			break;
		case BISECT_SEEK:
			answer->n_seek++;
			break;
		case BISECT_VERIFY:
			answer->n_verify++;
			break;
		}
	}
	for (size_t i = 0; i < bisect->n_commits; i++) {
		answer->n_built += bisect->n_values[i] > 0;
		answer->n_broken += bisect->is_broken[i];
	}
}

struct bisect_answer bisect_answer(struct bisect *bisect)
{
	struct bisect_answer answer = {
		.reason = bisect->step.reason,
		.is_logarithmic = bisect->is_logarithmic,
		.n_changes = bisect->n_changes,
		.ends = effect_of_ends(bisect),
		.share = (double)NAN,
		.is_rest = bisect->n_changes > 0 && bisect->none < 0.05,
		.n_failed = bisect->n_failed,
	};
	double explained = 0.0;
	for (size_t i = 0; i < bisect->n_changes; i++) {
		answer.changes[i] = bisect->changes[i];
		explained += bisect->changes[i].effect.estimate;
	}
	if (bisect->n_changes > 0 && answer.ends.known && fabs(answer.ends.estimate) > 0.0)
		answer.share = explained / answer.ends.estimate;
	const bool is_open = answer.reason != BISECT_FOUND && answer.reason != BISECT_NO_CHANGE &&
			     answer.reason != BISECT_ENDS_BROKEN;
	if (is_open && answer.n_changes < BISECT_CHANGES_MAX)
		answer.changes[answer.n_changes++] = bisect->at;
	count_units(bisect, &answer);
	return answer;
}

const double *bisect_posterior(struct bisect *bisect, double *ret_no_change)
{
	*ret_no_change = bisect->none;
	return bisect->posterior;
}

static double entropy_bits(const struct bisect *bisect)
{
	double bits = 0.0;
	for (size_t place = 0; place < bisect->n_candidates; place++)
		if (bisect->posterior[place] > 0.0)
			bits -= bisect->posterior[place] * log2(bisect->posterior[place]);
	return bits;
}

/* The bits that are missing at the rate at which a run tells, and the last doubts at theirs. */
struct bisect_remaining bisect_remaining(struct bisect *bisect)
{
	struct bisect_remaining remaining = { 0 };
	if (bisect->step.phase == BISECT_DONE)
		return remaining;
	const size_t verify_runs = confirm_runs(bisect);
	remaining.verify_units = 2.0 * (double)verify_runs;
	if (bisect->step.phase == BISECT_CONFIRM)
		return remaining;
	double effect = fmax(bisect->effect, EFFECT_LEAST);
	double bits = information_of_number(bisect->information, 0.5, effect);
	if (bisect->options.oracle == BISECT_PASS_FAIL) {
		bits = fmax(information_of_failures(0.5, fmin(fmax(bisect->first, 0.02), 0.98),
						    fmin(fmax(bisect->second, 0.02), 0.98), 1),
			    1e-3);
		effect = sqrt(8.0 * bits * M_LN2);
	}
	const double doubt = fmax(1.0 - bisect->best_mass, 1.0 - bisect->options.confidence);
	const double odds = doubt / (1.0 - bisect->options.confidence);
	const double entropy = entropy_bits(bisect);
	const struct choice choice = choose_next(bisect);
	remaining.units = ceil(entropy / bits + log(odds) / (0.5 * effect * effect));
	const double builds = log2(fmax(entropy, 0.0) + 1.0) * 3.0;
	remaining.builds = ceil(fmin(builds, remaining.units));
	remaining.cost =
		remaining.units * bisect->options.cost_run +
		remaining.builds * (bisect->options.cost_build + bisect->options.cost_boot);
	remaining.cost = fmax(remaining.cost, choice.cost);
	return remaining;
}
