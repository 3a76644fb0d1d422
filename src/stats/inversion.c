/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Coarse: the differences within the blocks, with the estimate and a shift beyond all of them on
 * either side, are halved until one that is rejected stands beside one that is not. Fine: between
 * those two all values move along straight lines; the shifts at which lines of two blocks cross are
 * worked out and halved in the same way, shifts and the gaps between them in turn.
 *
 * The head's sum falls with the shift, but the distribution that it is held against changes a little
 * too, so that p may cross alpha several times within a few crossings. So the search goes on
 * outwards for WIGGLE places, and the interval reaches to the outermost that was not rejected.
 */
#include "stats/inversion.h"

#include "base/mem.h"
#include "stats/distribution.h"
#include "stats/permute.h"
#include "stats/score.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define WIGGLE 4
#define NEARLY 1e-12 /* 1 - 0.95 is not 0.05: a p value this near alpha is alpha. */

struct inversion {
	const struct layout *layout;
	uint64_t seed;
	double *shifts; /* Ascending; the first and the last are beyond all differences. */
	double *p;      /* Of the shifts; NaN: not asked for yet. */
	size_t n;
	size_t estimate; /* Its place among the shifts. */
	int32_t *ranks;  /* Scratch. */
	int32_t *sorted; /* What `distribution` is of, when it is not NULL. */
	struct distribution *distribution;
	bool too_much; /* Work for a distribution: relabellings are drawn. */
};

DEFINE_AUTO(numbers, double *, free);

static int ascending_rank(const void *one, const void *other)
{
	const int32_t a = *(const int32_t *)one;
	const int32_t b = *(const int32_t *)other;
	return (a > b) - (a < b);
}

static int ascending(const void *one, const void *other)
{
	const double a = *(const double *)one;
	const double b = *(const double *)other;
	return (a > b) - (a < b);
}

static void sort_blocks(const struct layout *layout, int32_t *ranks)
{
	for (size_t b = 0; b < layout->n_blocks; b++)
		qsort(ranks + layout->blocks[b].first, layout->blocks[b].n, sizeof(*ranks),
		      ascending_rank);
}

static int64_t head_sum(const struct layout *layout, const int32_t *ranks)
{
	int64_t sum = 0;
	for (size_t b = 0; b < layout->n_blocks; b++)
		for (size_t i = 0; i < layout->blocks[b].n_head; i++)
			sum += ranks[layout->blocks[b].first + i];
	return sum;
}

/* In one block without ties the ranks are the same at every shift, and so is their distribution. */
static double p_at(struct inversion *inversion, double shift)
{
	const struct layout *layout = inversion->layout;
	if (inversion->too_much)
		return permute_shifted(layout, shift, PERMUTE_ALIGNED_RANK, inversion->seed).p;
	int32_t *ranks = inversion->ranks;
	score_aligned_ranks(layout, shift, ranks);
	const int64_t sum = head_sum(layout, ranks);
	sort_blocks(layout, ranks);
	const size_t bytes = layout->n * sizeof(*ranks);
	if (!inversion->distribution || memcmp(ranks, inversion->sorted, bytes) != 0) {
		distribution_free(inversion->distribution);
		inversion->distribution = distribution_new(layout, ranks);
		memcpy(inversion->sorted, ranks, bytes);
	}
	if (!inversion->distribution) {
		inversion->too_much = true;
		return p_at(inversion, shift);
	}
	return distribution_p(inversion->distribution, sum);
}

static bool accepts(struct inversion *inversion, double alpha, double shift)
{
	return p_at(inversion, shift) > alpha + NEARLY;
}

static bool accepts_coarse(struct inversion *inversion, double alpha, size_t place)
{
	if (place == inversion->estimate)
		return true;
	if (isnan(inversion->p[place]))
		inversion->p[place] = p_at(inversion, inversion->shifts[place]);
	return inversion->p[place] > alpha + NEARLY;
}

/* Far beyond the differences no two aligned values change order any more: they are at most 4 spreads
 * apart there, and two that meet later close in by at least half of the shift's growth. */
static double reach_of(const struct layout *layout)
{
	double smallest = layout->values[0];
	double largest = layout->values[0];
	for (size_t i = 1; i < layout->n; i++) {
		smallest = fmin(smallest, layout->values[i]);
		largest = fmax(largest, layout->values[i]);
	}
	const double magnitude = fmax(fabs(smallest), fabs(largest));
	if (largest > smallest)
		return 16.0 * (largest - smallest);
	return magnitude > 0.0 ? magnitude : 1.0;
}

struct inversion *inversion_new(const struct layout *layout, const double *differences, size_t n,
				double estimate, uint64_t seed)
{
	assert(n > 0);
	struct inversion *inversion = mem_zero(sizeof(*inversion));
	inversion->layout = layout;
	inversion->seed = seed;
	inversion->ranks = mem_array(layout->n, sizeof(*inversion->ranks));
	inversion->sorted = mem_array(layout->n, sizeof(*inversion->sorted));
	inversion->shifts = mem_array(n + 3, sizeof(*inversion->shifts));
	inversion->p = mem_array(n + 3, sizeof(*inversion->p));

	const double reach = reach_of(layout);
	double *shifts = inversion->shifts;
	shifts[0] = differences[0] - reach;
	size_t at = 1;
	bool has_estimate = false;
	for (size_t i = 0; i < n; i++) {
		if (!has_estimate && estimate <= differences[i]) {
			inversion->estimate = at;
			shifts[at++] = estimate;
			has_estimate = true;
		}
		if (differences[i] > shifts[at - 1])
			shifts[at++] = differences[i];
	}
	assert(has_estimate);
	shifts[at++] = differences[n - 1] + reach;
	inversion->n = at;
	for (size_t i = 0; i < at; i++)
		inversion->p[i] = (double)NAN;
	return inversion;
}

void inversion_free(struct inversion *inversion)
{
	if (!inversion)
		return;
	free(inversion->shifts);
	free(inversion->p);
	free(inversion->ranks);
	free(inversion->sorted);
	distribution_free(inversion->distribution);
	free(inversion);
}

/* Shifts between two neighbours among the coarse ones at which runs of two blocks meet, ascending and
 * each once. Gives how many. */
static size_t find_crossings(const struct layout *layout, double from, double to,
			     double **ret_crossings)
{
	AUTO(numbers) double *start = mem_array(layout->n, sizeof(*start));
	AUTO(numbers) double *end = mem_array(layout->n, sizeof(*end));
	score_align(layout, from, start);
	score_align(layout, to, end);
	double *crossings = NULL;
	size_t capacity = 0;
	size_t n = 0;
	for (size_t b = 1; b < layout->n_blocks; b++) {
		const size_t first = layout->blocks[b].first;
		for (size_t i = first; i < first + layout->blocks[b].n; i++) {
			for (size_t j = 0; j < first; j++) {
				const double before = start[i] - start[j];
				const double after = end[i] - end[j];
				if (!(before > 0.0 && after < 0.0) &&
				    !(before < 0.0 && after > 0.0))
					continue;
				crossings =
					mem_grow(crossings, &capacity, n + 1, sizeof(*crossings));
				crossings[n++] = from + (to - from) * (before / (before - after));
			}
		}
	}
	if (n > 0)
		qsort(crossings, n, sizeof(*crossings), ascending);
	size_t kept = 0;
	for (size_t i = 0; i < n; i++)
		if (kept == 0 || crossings[i] > crossings[kept - 1])
			crossings[kept++] = crossings[i];
	*ret_crossings = crossings;
	return kept;
}

/* The places between two ends: gap, crossing, gap, ..., gap; counted from the rejected end. */
struct places {
	const double *crossings;
	size_t n_crossings;
	double rejected, accepted; /* The ends. */
};

/* The shift at the outer side of a place; place 2 n + 1 is the accepted end. */
static double outer_edge(const struct places *places, size_t place)
{
	const size_t passed = (place + 1) / 2;
	if (passed == 0)
		return places->rejected;
	if (passed > places->n_crossings)
		return places->accepted;
	const bool upward = places->rejected < places->accepted;
	return places->crossings[upward ? passed - 1 : places->n_crossings - passed];
}

static bool accepts_place(struct inversion *inversion, double alpha, const struct places *places,
			  size_t place)
{
	const double outer = outer_edge(places, place);
	if (place % 2 == 1)
		return accepts(inversion, alpha, outer);
	return accepts(inversion, alpha, outer + (outer_edge(places, place + 1) - outer) / 2.0);
}

/* Where the accepted shifts end between a rejected and an accepted neighbour. */
static double find_edge(struct inversion *inversion, double alpha, double rejected, double accepted)
{
	AUTO(numbers) double *crossings = NULL;
	struct places places = { .rejected = rejected, .accepted = accepted };
	places.n_crossings = find_crossings(inversion->layout, fmin(rejected, accepted),
					    fmax(rejected, accepted), &crossings);
	places.crossings = crossings;

	size_t out = 0; /* Places below it are rejected as far as is known. */
	size_t in = 2 * places.n_crossings + 1;
	while (out < in) {
		const size_t middle = out + (in - out) / 2;
		if (accepts_place(inversion, alpha, &places, middle))
			in = middle;
		else
			out = middle + 1;
	}
	for (size_t step = 1; step <= WIGGLE && step <= out; step++) {
		if (accepts_place(inversion, alpha, &places, out - step)) {
			in = out - step;
		}
	}
	return outer_edge(&places, in);
}

/* One end of the interval; `beyond` is the place past all differences on its side. */
static double find_end(struct inversion *inversion, double alpha, size_t beyond)
{
	if (accepts_coarse(inversion, alpha, beyond))
		return beyond == 0 ? -(double)INFINITY : (double)INFINITY;
	size_t rejected = beyond;
	size_t accepted = inversion->estimate;
	while (rejected + 1 < accepted || accepted + 1 < rejected) {
		const size_t middle = (rejected + accepted) / 2;
		if (accepts_coarse(inversion, alpha, middle))
			accepted = middle;
		else
			rejected = middle;
	}
	return find_edge(inversion, alpha, inversion->shifts[rejected],
			 inversion->shifts[accepted]);
}

void inversion_find(struct inversion *inversion, double alpha, double *ret_low, double *ret_high)
{
	*ret_low = find_end(inversion, alpha, 0);
	*ret_high = find_end(inversion, alpha, inversion->n - 1);
	/* The interval must not leave out "no change" when the test of it did not reject. */
	if ((*ret_low > 0.0 || *ret_high < 0.0) && accepts(inversion, alpha, 0.0)) {
		*ret_low = fmin(*ret_low, 0.0);
		*ret_high = fmax(*ret_high, 0.0);
	}
}
