/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Page faults, allocations and free pages move together because one thing moved them. Which rows do
 * so is told by the runs within the sides: two rows whose residuals (the value minus the mean of its
 * side, and of its block where there are blocks) go up and down together, |r| > .9, have one cause.
 * The change itself is taken out first: all that moved would agree about that.
 *
 * Rows are gone through in their order, the most surprising first; each joins the first cluster with
 * whose leader it agrees, else it leads a new one. So every member agrees with the row that stands
 * for it, which chains of neighbours would not promise, and a thousand rows take a hundred thousand
 * comparisons and not a million.
 *
 * Few runs agree by chance: r must also be larger than chance gives in one of a thousand pairs. A
 * missing value counts as no deviation, which can only lower |r|.
 */
#include "verdict/cluster.h"

#include "base/mem.h"
#include "verdict/order.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#define AGREEMENT_LEAST 0.9
#define AGREEMENT_Z 3.29 /* Of Fisher's transform of r: two-sided, one of a thousand. */

struct runs { /* All sides' runs, one behind the other. */
	size_t *sides;
	uint32_t *blocks; /* NULL unless every side knows its own. */
	size_t n;
	uint32_t n_blocks;
	double threshold; /* For |r|. */
};

static inline void release_runs(struct runs *runs)
{
	free(runs->sides);
	free(runs->blocks);
}

static bool know_blocks(const struct comparison *comparison)
{
	for (size_t side = 0; side < comparison->n_sides; side++)
		if (!comparison->orders[side].blocks)
			return false;
	return true;
}

static struct runs runs_make(const struct comparison *comparison)
{
	struct runs runs = { 0 };
	for (size_t side = 0; side < comparison->n_sides; side++)
		runs.n += comparison->orders[side].n;
	runs.sides = mem_array(runs.n, sizeof(*runs.sides));
	runs.blocks = know_blocks(comparison) ? mem_array(runs.n, sizeof(*runs.blocks)) : NULL;
	size_t at = 0;
	for (size_t side = 0; side < comparison->n_sides; side++) {
		const struct side_order *order = &comparison->orders[side];
		for (size_t i = 0; i < order->n; i++) {
			runs.sides[at] = side;
			if (runs.blocks) {
				runs.blocks[at] = order->blocks[i];
				if (order->blocks[i] >= runs.n_blocks)
					runs.n_blocks = order->blocks[i] + 1;
			}
			at++;
		}
	}
	/* Fisher: atanh(r) is about normal with deviation 1 / sqrt(n - 3), of n independent pairs;
	 * taken-out means cost one each. */
	const double free_runs = (double)runs.n - (double)comparison->n_sides -
				 (runs.n_blocks ? (double)runs.n_blocks - 1.0 : 0.0) - 2.0;
	runs.threshold =
		free_runs > 0.0 ? fmax(AGREEMENT_LEAST, tanh(AGREEMENT_Z / sqrt(free_runs))) : 1.0;
	return runs;
}

/* Takes the group means out of the residuals; `groups[i]` below n_groups. NaN stays. */
static void centre(double *residuals, const struct runs *runs, bool by_block, size_t n_groups)
{
	double *sums = mem_array(n_groups, sizeof(*sums));
	size_t *counts = mem_array(n_groups, sizeof(*counts));
	for (size_t i = 0; i < runs->n; i++) {
		const size_t group = by_block ? runs->blocks[i] : runs->sides[i];
		if (isnan(residuals[i]))
			continue;
		sums[group] += residuals[i];
		counts[group]++;
	}
	for (size_t i = 0; i < runs->n; i++) {
		const size_t group = by_block ? runs->blocks[i] : runs->sides[i];
		if (counts[group])
			residuals[i] -= sums[group] / (double)counts[group];
	}
	free(sums);
	free(counts);
}

static bool is_positive(const struct row *row, size_t n_sides)
{
	for (size_t side = 0; side < n_sides; side++)
		if (row->cells[side].summary.n && !(row->cells[side].summary.minimum > 0.0))
			return false;
	return true;
}

/* Residuals of length 1 on the scale that is judged; all 0 when the row never varies. */
static void take_residuals(const struct comparison *comparison, const struct row *row,
			   const struct runs *runs, double *residuals)
{
	const bool logarithmic = is_positive(row, comparison->n_sides);
	size_t at = 0;
	for (size_t side = 0; side < comparison->n_sides; side++)
		for (size_t i = 0; i < comparison->orders[side].n; i++) {
			const double value = row->cells[side].values[i];
			residuals[at++] = logarithmic ? log(value) : value;
		}
	assert(at == runs->n);
	centre(residuals, runs, /* by_block= */ false, comparison->n_sides);
	if (runs->blocks)
		centre(residuals, runs, /* by_block= */ true, runs->n_blocks);
	double squares = 0.0;
	double size = 0.0;
	for (size_t i = 0; i < runs->n; i++) {
		if (isnan(residuals[i]))
			residuals[i] = 0.0;
		squares += residuals[i] * residuals[i];
		size = fmax(size, fabs(residuals[i]));
	}
	/* What is left by rounding alone is nothing. */
	const double scale = size > 1e-12 * fabs(row->cells[0].summary.mean) ? sqrt(squares) : 0.0;
	for (size_t i = 0; i < runs->n; i++)
		residuals[i] = scale > 0.0 ? residuals[i] / scale : 0.0;
}

static bool has_moved(const struct comparison *comparison, const struct row *row)
{
	for (size_t side = 1; side < comparison->n_sides; side++)
		if (row->findings[side].verdict == VERDICT_MOVED_UP ||
		    row->findings[side].verdict == VERDICT_MOVED_DOWN)
			return true;
	return false;
}

static double agreement(const double *one, const double *other, size_t n)
{
	double sum = 0.0;
	for (size_t i = 0; i < n; i++)
		sum += one[i] * other[i];
	return fabs(sum);
}

/* The cluster (from 1) whose leader agrees, else n_leaders + 1. */
static size_t find_cluster(const double *leaders, size_t n_leaders, const double *residuals,
			   const struct runs *runs)
{
	for (size_t i = 0; i < n_leaders; i++)
		if (agreement(leaders + i * runs->n, residuals, runs->n) > runs->threshold)
			return i + 1;
	return n_leaders + 1;
}

void cluster_make(struct comparison *comparison)
{
	__attribute__((cleanup(release_runs))) struct runs runs = runs_make(comparison);
	double *leaders = mem_array((comparison->n_rows + 1) * runs.n, sizeof(*leaders));
	size_t *counts = mem_array(comparison->n_rows + 2, sizeof(*counts));
	size_t n_leaders = 0;
	for (size_t i = 0; i < comparison->n_rows; i++) {
		struct row *row = &comparison->rows[i];
		row->cluster = 0;
		row->n_cluster = 0;
		if (row->metric.role != ROLE_EVIDENCE || !has_moved(comparison, row))
			continue;
		double *residuals = leaders + n_leaders * runs.n;
		take_residuals(comparison, row, &runs, residuals);
		row->cluster = find_cluster(leaders, n_leaders, residuals, &runs);
		if (row->cluster > n_leaders)
			n_leaders++;
		counts[row->cluster]++;
	}
	for (size_t i = 0; i < comparison->n_rows; i++)
		if (comparison->rows[i].cluster)
			comparison->rows[i].n_cluster = counts[comparison->rows[i].cluster];
	free(leaders);
	free(counts);
}
