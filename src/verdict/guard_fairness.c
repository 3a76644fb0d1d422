/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Did the work spread differently over the workers? */
#include "base/text.h"
#include "verdict/guard.h"
#include "verdict/reading.h"

#include <math.h>

extern const struct guard guard_fairness;

#define POINTS_APART 10.0 /* Of the slowest worker's share of the fastest's, percentage points. */

/* The slowest worker's rate in per cent of the fastest's; NaN when it is not known. */
static double share_of_slowest(const struct comparison *comparison, size_t side)
{
	const double slowest = reading_mean(comparison, "*.workers.ops_min", side);
	const double fastest = reading_mean(comparison, "*.workers.ops_max", side);
	return fastest > 0.0 ? 100.0 * slowest / fastest : (double)NAN;
}

static bool has_moved(const struct row *row, size_t head)
{
	return row && (row->findings[head].verdict == VERDICT_MOVED_UP ||
		       row->findings[head].verdict == VERDICT_MOVED_DOWN);
}

static void examine_head(struct comparison *comparison, size_t head)
{
	const double before = share_of_slowest(comparison, 0);
	const double after = share_of_slowest(comparison, head);
	const bool moved = has_moved(reading_row(comparison, "*.workers.ops_spread"), head) ||
			   has_moved(reading_row(comparison, "*.workers.ops_stddev"), head) ||
			   has_moved(reading_row(comparison, "*.workers.ops_min"), head);
	if (moved && fabs(after - before) >= POINTS_APART)
		guard_warn(comparison, &guard_fairness, head, NULL,
			   "the spread over the workers changed: the slowest did %.0f %% of the "
			   "fastest with %s and %.0f %% with %s, so a score over all of them does "
			   "not tell the whole",
			   before, comparison->sides[0].name, after, comparison->sides[head].name);
}

static void examine(struct comparison *comparison)
{
	for (size_t head = 1; head < comparison->n_sides; head++)
		examine_head(comparison, head);
}

const struct guard guard_fairness = {
	.name = "fairness",
	.asks = "did the spread over the workers change?",
	.explains =
		"A throughput is a sum. It rises when some workers are let run at the cost of others, and "
		"a lock or a scheduler that became unfair often looks faster. The guard compares the rate "
		"of the slowest worker in per cent of the fastest's, as means over the runs of a side. It "
		"warns when that changed by 10 percentage points or more and the spread, the deviation or "
		"the slowest worker moved as evidence. The verdict on the score stays: it is right about "
		"what it counts. To go on, look at workers.ops_min, ops_max, ops_spread and ops_stddev in "
		"the evidence and decide what is wanted.",
	.examine = examine,
};
