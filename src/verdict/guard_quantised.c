/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Is the score too coarse to show what is asked of it? */
#include "base/auto.h"
#include "base/mem.h"
#include "base/text.h"
#include "stats/shape.h"
#include "verdict/guard.h"

#include <math.h>
#include <string.h>

extern const struct guard guard_quantised;

#define RUNS_MIN 4

DEFINE_AUTO(numbers, double *, free);

static bool is_constant(const struct cell *cell)
{
	return cell->summary.n >= RUNS_MIN && !(cell->summary.minimum < cell->summary.maximum);
}

/* The values of the base and the head behind one another; how many. */
static size_t both_sides(const struct comparison *comparison, const char *metric, size_t head,
			 double **ret_values)
{
	AUTO(numbers) double *base = NULL;
	AUTO(numbers) double *other = NULL;
	const size_t n_base = guard_values(comparison, metric, 0, &base);
	const size_t n_head = guard_values(comparison, metric, head, &other);
	double *all = mem_array(n_base + n_head, sizeof(*all));
	memcpy(all, base, n_base * sizeof(*all));
	memcpy(all + n_base, other, n_head * sizeof(*all));
	*ret_values = all;
	return n_base + n_head;
}

static void examine_score(struct comparison *comparison, const struct row *row, size_t head)
{
	const bool is_base = is_constant(&row->cells[0]);
	if (is_base || is_constant(&row->cells[head])) {
		const size_t side = is_base ? 0 : head;
		guard_warn(comparison, &guard_quantised, head, row->metric.name,
			   "%s is the same number in all %zu runs of %s (%.6g): either it counts "
			   "exactly or it is no measurement",
			   row->metric.name, row->cells[side].summary.n,
			   comparison->sides[side].name, row->cells[side].summary.mean);
		return;
	}
	AUTO(numbers) double *values = NULL;
	const size_t n = both_sides(comparison, row->metric.name, head, &values);
	const double step = shape_quantum(values, n);
	const double level = fabs(row->cells[0].summary.mean);
	if (!(step > 0.0) || !(level > 0.0))
		return;
	const double percent = 100.0 * step / level;
	if (percent >= comparison->margin_percent)
		guard_warn(comparison, &guard_quantised, head, row->metric.name,
			   "%s moves in steps of %.4g, which are %.2g %% of it: smaller changes "
			   "cannot be seen",
			   row->metric.name, step, percent);
}

static void examine(struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->n_rows; i++)
		for (size_t head = 1; head < comparison->n_sides; head++)
			if (comparison->rows[i].metric.role == ROLE_SCORE)
				examine_score(comparison, &comparison->rows[i], head);
}

const struct guard guard_quantised = {
	.name = "quantised",
	.asks = "is a score constant, or coarser than what is asked of it?",
	.explains =
		"A program that prints its time with two digits, or a clock of 10 ms, gives a score in "
		"steps; a change below one step shows in some runs only, or in none. The guard looks "
		"for a step that all numbers of both sides are whole multiples apart of, with at least "
		"as many repeats as different numbers, and warns when it is no smaller than the margin. "
		"It warns as well when all of 4 or more runs of a side gave the same number. Such a "
		"score is no measurement, unless it counts something exactly, as instructions of a guest "
		"are; then any difference is a change. The verdict stays: ties are allowed for. To cure "
		"it, let the workload do more in one run, or print more digits.",
	.examine = examine,
};
