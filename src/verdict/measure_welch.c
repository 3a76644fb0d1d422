/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The relative interval beside Welch's test is Fieller's of the ratio of the means, which knows that
 * the base's mean is an estimate too; it leaves 0 % out exactly when the test finds a difference.
 * Where it is not bounded (a base mean that is not surely above 0) it is the interval of the
 * difference over |base mean|.
 *
 * The interval beside Mann and Whitney's test inverts the permutation test of ranks in one block,
 * which is that test.
 */
#include "verdict/measure_welch.h"

#include "base/mem.h"
#include "base/text.h"
#include "stats/permute.h"
#include "stats/rank.h"
#include "stats/ratio.h"
#include "stats/shift.h"
#include "stats/welch.h"

#include <math.h>
#include <stdlib.h>

/* The interval of the change at a confidence. What was never below 0 cannot fall by more than all of
 * it, though the normal distribution that the test assumes does not know: cut off, the interval
 * covers the truth as often as before. */
static void reach(const struct cell *base, const struct cell *side, double confidence,
		  bool relative, double ret_interval[static 2])
{
	const struct welch welch = welch_compare(&base->summary, &side->summary, confidence);
	const struct ratio ratio = ratio_compare(&base->summary, &side->summary, confidence);
	const double scale = relative ? 100.0 / fabs(base->summary.mean) : 1.0;
	if (relative && ratio.known) {
		ret_interval[0] = 100.0 * (ratio.low - 1.0);
		ret_interval[1] = 100.0 * (ratio.high - 1.0);
	} else {
		ret_interval[0] = scale * welch.low;
		ret_interval[1] = scale * welch.high;
	}
	if (relative && base->summary.minimum >= 0.0 && side->summary.minimum >= 0.0 &&
	    ret_interval[0] < -100.0)
		ret_interval[0] = -100.0;
}

void measure_by_welch(const struct row *row, size_t side, double alpha, struct finding *finding)
{
	const struct cell *base = &row->cells[0];
	const struct cell *head = &row->cells[side];
	const struct welch welch = welch_compare(&base->summary, &head->summary, 1.0 - alpha);
	double interval[2];
	reach(base, head, 1.0 - alpha, finding->relative, interval);
	finding->low = interval[0];
	finding->high = interval[1];
	reach(base, head, COMPARISON_SAME_CONFIDENCE, finding->relative, interval);
	finding->same_low = interval[0];
	finding->same_high = interval[1];
	finding->tested = true;
	finding->t = welch.t;
	finding->p = welch.p;
	finding->method = "Welch t";
}

void measure_by_mann_whitney(const struct pair *pair, double alpha, uint64_t seed,
			     struct finding *finding)
{
	double *sides = mem_array(pair->n, sizeof(*sides));
	size_t at[] = { 0, pair->n_side[0] };
	for (size_t i = 0; i < pair->n; i++)
		sides[at[pair->is_head[i]]++] = pair->values[i];
	const struct mann_whitney found =
		rank_mann_whitney(sides, pair->n_side[0], sides + pair->n_side[0], pair->n_side[1]);
	free(sides);

	struct blocked blocked = pair_blocked(pair);
	blocked.blocks = NULL;
	const double confidences[] = { 1.0 - alpha, COMPARISON_SAME_CONFIDENCE };
	struct shift shifts[2];
	shift_estimate_each(&blocked, PERMUTE_ALIGNED_RANK, seed, confidences, 2, shifts);
	finding->change = pair_change(pair, shifts[0].estimate);
	finding->low = pair_change(pair, shifts[0].low);
	finding->high = pair_change(pair, shifts[0].high);
	finding->same_low = pair_change(pair, shifts[1].low);
	finding->same_high = pair_change(pair, shifts[1].high);
	finding->tested = found.known;
	finding->p = found.p;
	finding->smallest_p =
		permute_smallest_p((const size_t[][2]) { { pair->n_side[0], pair->n_side[1] } }, 1);
	finding->method = "Mann-Whitney";
}
