/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measures the evidence of one head at a time in two passes: first the variance of every metric, then,
 * when all variances are known, the common prior and every test.
 *
 * The common prior is fitted to two kinds of metrics apart: those on the logarithmic scale, where a
 * variance is relative anyway, and the others, whose variance is made relative to the size of their
 * values. A metric of known noise has its own prior.
 */
#include "verdict/evidence.h"

#include "base/mem.h"
#include "stats/moderated.h"
#include "verdict/measure.h"
#include "verdict/pair.h"
#include "verdict/prior.h"

#include <math.h>
#include <stdlib.h>

struct piece {                    /* One metric on one head. */
	double variance, degrees; /* For values of size 1. */
	double unit;              /* What the values' size is; 1 on the logarithmic scale. */
	bool measured, logarithmic;
};

struct work { /* One head. */
	struct comparison *comparison;
	size_t side;
	struct pair_plan plan;
	struct pair pair;     /* Room for one metric. */
	struct piece *pieces; /* One a row. */
};

static void release_work(struct work *work)
{
	pair_plan_done(&work->plan);
	pair_done(&work->pair);
	free(work->pieces);
}

static bool is_evidence(const struct row *row)
{
	return row->metric.role == ROLE_EVIDENCE || row->metric.role == ROLE_COST;
}

static bool has_both(const struct row *row, size_t side)
{
	return !row->mixed && row->cells[0].summary.n > 0 && row->cells[side].summary.n > 0;
}

static double mean_size(const struct pair *pair)
{
	double sum = 0.0;
	for (size_t i = 0; i < pair->n; i++)
		sum += fabs(pair->values[i]);
	return sum / (double)pair->n;
}

/* First pass: a row that has no variance gets its finding at once. */
static void take_row(struct work *work, struct row *row, struct piece *piece)
{
	const struct pair *pair = &work->pair;
	struct finding *finding = &row->findings[work->side];
	measure_change(pair, row, work->side, finding);
	finding->margin = prior_margin(work->comparison, row, pair, /* blocked= */ true);
	if (pair->n_side[0] < 2 || pair->n_side[1] < 2)
		return;
	if (pair->constant) {
		measure_exactly(pair, finding);
		return;
	}
	const struct moderated_prior none = { .variance = (double)NAN };
	struct pair_moderated sum;
	if (!pair_moderated(pair, &none, &sum))
		return;
	piece->measured = true;
	piece->logarithmic = pair->logarithmic;
	piece->unit = pair->logarithmic ? 1.0 : mean_size(pair);
	piece->variance = sum.variance / (piece->unit * piece->unit);
	piece->degrees = sum.sides.degrees;
}

static void take_rows(struct work *work)
{
	for (size_t i = 0; i < work->comparison->n_rows; i++) {
		struct row *row = &work->comparison->rows[i];
		if (!is_evidence(row))
			continue;
		row->findings[work->side] = measure_nothing();
		if (!has_both(row, work->side))
			continue;
		pair_fill(&work->pair, &work->plan, row, work->side);
		take_row(work, row, &work->pieces[i]);
	}
}

/* The common prior of the pieces on one scale, for values of size 1. */
static struct moderated_prior fit(const struct work *work, bool logarithmic)
{
	const size_t n = work->comparison->n_rows;
	double *variances = mem_array(n, sizeof(*variances));
	double *degrees = mem_array(n, sizeof(*degrees));
	size_t n_used = 0;
	for (size_t i = 0; i < n; i++)
		if (work->pieces[i].measured && work->pieces[i].logarithmic == logarithmic) {
			variances[n_used] = work->pieces[i].variance;
			degrees[n_used++] = work->pieces[i].degrees;
		}
	const struct moderated_prior prior = moderated_prior_fit(variances, degrees, n_used);
	free(variances);
	free(degrees);
	return prior;
}

/* Second pass. */
static void test_row(const struct work *work, const struct moderated_prior *prior,
		     struct finding *finding)
{
	const struct pair *pair = &work->pair;
	struct pair_moderated sum;
	if (!pair_moderated(pair, prior, &sum))
		return;
	const struct moderated moderated =
		moderated_compare(&sum.sides, &sum.prior, 1.0 - work->comparison->alpha);
	if (!moderated.known)
		return;
	finding->tested = true;
	finding->change = pair_change(pair, moderated.difference);
	finding->low = pair_change(pair, moderated.low);
	finding->high = pair_change(pair, moderated.high);
	finding->t = moderated.t;
	finding->p = moderated.p;
	finding->method = "moderated t";
}

static void test_rows(struct work *work)
{
	const struct moderated_prior logarithmic = fit(work, true);
	const struct moderated_prior plain = fit(work, false);
	for (size_t i = 0; i < work->comparison->n_rows; i++) {
		const struct piece *piece = &work->pieces[i];
		struct row *row = &work->comparison->rows[i];
		if (!piece->measured)
			continue;
		pair_fill(&work->pair, &work->plan, row, work->side);
		struct moderated_prior prior =
			prior_known(work->comparison, row->metric.name, &work->pair);
		if (!(prior.degrees > 0.0)) {
			prior = piece->logarithmic ? logarithmic : plain;
			prior.variance *= piece->unit * piece->unit;
		}
		test_row(work, &prior, &row->findings[work->side]);
	}
}

void evidence_measure(struct comparison *comparison)
{
	for (size_t side = 1; side < comparison->n_sides; side++) {
		__attribute__((cleanup(release_work))) struct work work = {
			.comparison = comparison,
			.side = side,
			.plan = pair_plan_make(comparison, side),
			.pieces = mem_array(comparison->n_rows, sizeof(struct piece)),
		};
		work.pair = pair_room(&work.plan);
		take_rows(&work);
		test_rows(&work);
	}
}
