/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A linear model with a conjugate prior: precision K of the coefficients in units of the spread,
 * inverse gamma of shape 1/2 and a tiny scale for the spread. With V = 1 + rho 11' in each session,
 *
 *     log p = (log |K| - log |A| - log |V|) / 2 - (1/2 + n/2) log(b + (y'Wy - c'Ac) / 2),
 *
 * where W is the inverse of V, A = K + X'WX and Ac = X'Wy. For two levels without sessions that is the
 * formula with the sums of squares within the sides. One pass over groups, whatever the units.
 */
#include "bisect/levels.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define SHAPE 0.5

static const double ratios[] = { 0.0, 0.3, 1.0, 4.0 }; /* Variances of sessions, in the units'. */
#define N_RATIOS (sizeof(ratios) / sizeof(ratios[0]))

struct system { /* A, Ac, and what else the sum needs. */
	size_t n_columns;
	double a[LEVELS_COLUMNS_MAX][LEVELS_COLUMNS_MAX];
	double right[LEVELS_COLUMNS_MAX];
	double squares, log_volume; /* y'Wy and log |V|. */
};

struct session { /* Sums over the groups of one. */
	double n, sum;
	double columns[LEVELS_COLUMNS_MAX];
};

/* Columns of the model that a mask switches on. */
static size_t columns_of(uint8_t mask, size_t n_known, bool is_none,
			 size_t ret_columns[LEVELS_COLUMNS_MAX])
{
	size_t n = 0;
	ret_columns[n++] = !is_none && (mask & 1);
	for (size_t i = 1; i <= n_known; i++)
		if (mask >> i & 1)
			ret_columns[n++] = (is_none ? 0 : 1) + i;
	return n;
}

/* Takes the offset of a session out, as far as its variance says. */
static void end_session(struct system *system, struct session *session, double ratio)
{
	const double weight = ratio / (1.0 + ratio * session->n);
	for (size_t i = 0; i < system->n_columns; i++) {
		for (size_t j = 0; j < system->n_columns; j++)
			system->a[i][j] -= weight * session->columns[i] * session->columns[j];
		system->right[i] -= weight * session->columns[i] * session->sum;
	}
	system->squares -= weight * session->sum * session->sum;
	system->log_volume += log1p(ratio * session->n);
	memset(session, 0, sizeof(*session));
}

static void add_up(const struct levels_data *data, const uint8_t *masks, size_t n_known,
		   bool is_none, double ratio, struct system *system)
{
	struct session session = { 0 };
	system->squares = data->squares;
	for (size_t i = 0; i < system->n_columns; i++)
		system->a[i][i] = LEVELS_PRECISION;
	for (size_t g = 0; g < data->n_groups; g++) {
		const struct levels_group *group = &data->groups[g];
		size_t columns[LEVELS_COLUMNS_MAX];
		const size_t n = columns_of(masks[g], n_known, is_none, columns);
		for (size_t i = 0; i < n; i++) {
			for (size_t j = 0; j < n; j++)
				system->a[columns[i]][columns[j]] += group->n;
			system->right[columns[i]] += group->sum;
			session.columns[columns[i]] += group->n;
		}
		session.n += group->n;
		session.sum += group->sum;
		if (ratio > 0.0 && (g + 1 == data->n_groups || group[1].session != group->session))
			end_session(system, &session, ratio);
	}
}

/* Cholesky in place, below the diagonal. Gives log |A|. */
static double factor(struct system *system)
{
	double log_determinant = 0.0;
	for (size_t j = 0; j < system->n_columns; j++) {
		for (size_t i = j; i < system->n_columns; i++) {
			double sum = system->a[i][j];
			for (size_t k = 0; k < j; k++)
				sum -= system->a[i][k] * system->a[j][k];
			system->a[i][j] = i == j ? sqrt(fmax(sum, 1e-12)) : sum / system->a[j][j];
		}
		log_determinant += 2.0 * log(system->a[j][j]);
	}
	return log_determinant;
}

static void solve_down(const struct system *system, double *x)
{
	for (size_t i = 0; i < system->n_columns; i++) {
		for (size_t k = 0; k < i; k++)
			x[i] -= system->a[i][k] * x[k];
		x[i] /= system->a[i][i];
	}
}

static void solve_up(const struct system *system, double *x)
{
	for (size_t i = system->n_columns; i-- > 0;) {
		for (size_t k = i + 1; k < system->n_columns; k++)
			x[i] -= system->a[k][i] * x[k];
		x[i] /= system->a[i][i];
	}
}

static double length_squared(const double *x, size_t n)
{
	double sum = 0.0;
	for (size_t i = 0; i < n; i++)
		sum += x[i] * x[i];
	return sum;
}

static struct levels judge_at(const struct levels_data *data, const uint8_t *masks, size_t n_known,
			      bool is_none, double ratio)
{
	struct system system = { .n_columns = (is_none ? 1 : 2) + n_known };
	assert(system.n_columns <= LEVELS_COLUMNS_MAX);
	add_up(data, masks, n_known, is_none, ratio, &system);
	const double log_a = factor(&system);
	double x[LEVELS_COLUMNS_MAX];
	memcpy(x, system.right, sizeof(x));
	solve_down(&system, x);
	const double left = fmax(system.squares - length_squared(x, system.n_columns), 0.0);
	solve_up(&system, x);
	const double scale = data->least + 0.5 * left;
	const double n_columns = (double)system.n_columns;
	struct levels levels = {
		.log_evidence =
			0.5 * (n_columns * log(LEVELS_PRECISION) - log_a - system.log_volume) -
			(SHAPE + 0.5 * data->n) * log(scale),
		.first = x[0],
		.second = is_none ? x[0] : x[1],
		.deviation = sqrt(scale / (SHAPE + 0.5 * fmax(data->n - n_columns, 1.0))),
	};
	double contrast[LEVELS_COLUMNS_MAX] = { -1.0, 1.0 };
	solve_down(&system, contrast);
	levels.error = levels.deviation * sqrt(length_squared(contrast, system.n_columns));
	return levels;
}

struct levels levels_judge(const struct levels_data *data, const uint8_t *masks, size_t n_known,
			   bool is_none)
{
	assert(data->least > 0.0);
	if (!data->has_sessions)
		return judge_at(data, masks, n_known, is_none, /* ratio= */ 0.0);
	struct levels best = { .log_evidence = -(double)INFINITY };
	double sum = 0.0;
	for (size_t i = 0; i < N_RATIOS; i++) {
		const struct levels levels = judge_at(data, masks, n_known, is_none, ratios[i]);
		if (levels.log_evidence > best.log_evidence) {
			sum = sum * exp(best.log_evidence - levels.log_evidence) + 1.0;
			best = levels;
		} else {
			sum += exp(levels.log_evidence - best.log_evidence);
		}
	}
	const size_t n_ratios = N_RATIOS;
	best.log_evidence += log(sum / (double)n_ratios);
	return best;
}
