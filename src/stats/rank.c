/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Question: do the runs of one side tend to be larger than those of the other, whatever their
 * distribution?
 *
 * Assumption: independent runs of one distribution under "nothing changed". The order in which they
 * were carried out is not used.
 * Reference: Mann and Whitney (1947), "On a test of whether one of two random variables is
 * stochastically larger than the other"; the variance with ties is Lehmann (1975), Nonparametrics.
 * Failure mode: drift or autocorrelation when one side runs before the other (false alarms up to
 * 80 %). With ties or more than 50 runs a side p is approximate; few runs cannot give a small p
 * (3 + 3: 0.1 at best).
 */
#include "stats/rank.h"

#include "base/auto.h"
#include "base/mem.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MATHLIB_STANDALONE 1
#include <Rmath.h>

#define EXACT_MAX 50 /* Runs a side up to which the exact distribution is quick. */

struct place {
	double number;
	size_t index;
};

DEFINE_AUTO(places, struct place *, free);
DEFINE_AUTO(ranks, double *, free);

static int by_number(const void *one, const void *other)
{
	const struct place *a = one;
	const struct place *b = other;
	return (a->number > b->number) - (a->number < b->number);
}

double rank_make(const double *numbers, size_t n, double *ret_ranks)
{
	AUTO(places) struct place *places = mem_array(n, sizeof(*places));
	for (size_t i = 0; i < n; i++)
		places[i] = (struct place) { .number = numbers[i], .index = i };
	qsort(places, n, sizeof(*places), by_number);
	double ties = 0.0;
	for (size_t first = 0; first < n;) {
		size_t end = first + 1;
		while (end < n && !(places[end].number > places[first].number))
			end++;
		/* Ranks first + 1 to end, whose mean this is. */
		for (size_t i = first; i < end; i++)
			ret_ranks[places[i].index] = 0.5 * (double)(first + 1 + end);
		const double tied = (double)(end - first);
		ties += tied * tied * tied - tied;
		first = end;
	}
	return ties;
}

static double exact_p(double u, double n_base, double n_head)
{
	/* The distribution is symmetric: the smaller tail, twice. */
	const double smaller = fmin(u, n_base * n_head - u);
	const double tail = pwilcox(smaller, n_head, n_base, /* lower_tail= */ 1, /* log_p= */ 0);
	wilcox_free();
	return fmin(1.0, 2.0 * tail);
}

static double normal_p(double u, double n_base, double n_head, double ties)
{
	const double n = n_base + n_head;
	const double variance = n_base * n_head / 12.0 * (n + 1.0 - ties / (n * (n - 1.0)));
	const double distance = fabs(u - n_base * n_head / 2.0) - 0.5;
	if (!(variance > 0.0) || distance <= 0.0)
		return 1.0;
	return 2.0 * pnorm(-distance / sqrt(variance), /* mean= */ 0.0, /* deviation= */ 1.0,
			   /* lower_tail= */ 1, /* log_p= */ 0);
}

struct mann_whitney rank_mann_whitney(const double *base, size_t n_base, const double *head,
				      size_t n_head)
{
	if (n_base == 0 || n_head == 0)
		return (struct mann_whitney) { .u = (double)NAN,
					       .effect = (double)NAN,
					       .p = (double)NAN };
	const size_t n = n_base + n_head;
	AUTO(ranks) double *numbers = mem_array(n, sizeof(*numbers));
	AUTO(ranks) double *ranks = mem_array(n, sizeof(*ranks));
	memcpy(numbers, base, n_base * sizeof(*numbers));
	memcpy(numbers + n_base, head, n_head * sizeof(*numbers));
	const double ties = rank_make(numbers, n, ranks);
	double sum = 0.0;
	for (size_t i = n_base; i < n; i++)
		sum += ranks[i];
	const double a = (double)n_base;
	const double b = (double)n_head;
	const double u = sum - b * (b + 1.0) / 2.0;
	const bool exact = !(ties > 0.0) && n_base <= EXACT_MAX && n_head <= EXACT_MAX;
	const struct mann_whitney answer = {
		.known = true,
		.exact = exact,
		.u = u,
		.effect = u / (a * b),
		.p = exact ? exact_p(u, a, b) : normal_p(u, a, b, ties),
	};
	assert(answer.effect >= 0.0 && answer.effect <= 1.0);
	return answer;
}
