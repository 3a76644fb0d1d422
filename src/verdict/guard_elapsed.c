/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does the time that the work took say the opposite of the score? */
#include "base/text.h"
#include "verdict/guard.h"
#include "verdict/reading.h"

#include <math.h>

extern const struct guard guard_elapsed;

#define SHARE_OPPOSITE 0.5 /* Of the score's change: the elapsed time then contradicts it. */

static bool is_found(const struct comparison *comparison, const struct finding *finding)
{
	return finding->tested && finding->relative && finding->p <= comparison->alpha;
}

static void examine_score(struct comparison *comparison, const struct row *row,
			  const struct row *elapsed, size_t head)
{
	const struct finding *score = &row->findings[head];
	const struct finding *time = &elapsed->findings[head];
	const bool has_direction =
		row->metric.better == BETTER_HIGHER || row->metric.better == BETTER_LOWER;
	if (!has_direction || !is_found(comparison, score) || !is_found(comparison, time))
		return;
	const bool improved =
		row->metric.better == BETTER_HIGHER ? score->change > 0.0 : score->change < 0.0;
	const bool took_longer = time->change > 0.0;
	if (improved != took_longer || fabs(time->change) < comparison->margin_percent)
		return;
	const bool opposite = fabs(time->change) >= SHARE_OPPOSITE * fabs(score->change);
	if (opposite)
		guard_withhold(comparison, &guard_elapsed, head, row->metric.name,
			       "%s says %s (%+.3g %%) and the time that the work took says the "
			       "opposite (%+.3g %%): one of the two does not measure what it says",
			       row->metric.name, improved ? "better" : "worse", score->change,
			       time->change);
	else
		guard_warn(comparison, &guard_elapsed, head, row->metric.name,
			   "%s is %s by %+.3g %% though the whole took %+.3g %% of its time more",
			   row->metric.name, improved ? "better" : "worse", score->change,
			   time->change);
}

static void examine(struct comparison *comparison)
{
	const struct row *elapsed = reading_row(comparison, "*.time.elapsed_time");
	for (size_t i = 0; elapsed && i < comparison->n_rows; i++)
		for (size_t head = 1; head < comparison->n_sides; head++)
			if (comparison->rows[i].metric.role == ROLE_SCORE)
				examine_score(comparison, &comparison->rows[i], elapsed, head);
}

const struct guard guard_elapsed = {
	.name = "elapsed",
	.asks = "does the elapsed time contradict the score?",
	.explains =
		"A program that does a fixed amount of work reports a throughput, and the time that it "
		"took is measured from outside. Both say how fast it was, so they must agree. When both "
		"changed at the false-alarm rate, the time by more than the margin, and the throughput "
		"went up while the time went up too (or both fell), then one of them is not what it "
		"claims: the program counted other work, did less of it, or spent its time outside of "
		"what it reports. The verdict is withheld when the time moved by half as much as the "
		"score or more; below, the guard warns. Workloads that run for a fixed time never meet "
		"it. To go on, read the program's output in 'assay show RUN --log'.",
	.examine = examine,
};
