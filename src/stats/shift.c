/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Question: by how much is the head different?
 *
 * Assumption: within each block the order of the sides was drawn, and the change moves every run of
 * the head by the same amount (on a logarithmic scale: by the same factor).
 * Reference: Hodges and Lehmann (1963), "Estimates of location based on rank tests"; Lehmann and
 * Romano (2005), "Testing Statistical Hypotheses", on intervals from tests.
 * Failure mode: a change that widens the head's runs instead of moving them has no one shift; the
 * interval is then one of shifts that look alike, no more. With few runs it is without ends.
 *
 * For the sum of values the interval has no need of a search. With A the head's centred sum under a
 * relabelling and c its number of true head runs above what is expected, the sum after a shift d is
 * A - d c; for the observed labels C - d K. As |c| <= K, the relabelling is at least as far out
 * exactly for d between (C - A) / (K - c) and (C + A) / (K + c), which enclose C / K, the difference
 * of means. So p falls on either side of it, in steps at these ends, and the interval's ends are
 * order statistics of them.
 */
#include "stats/shift.h"

#include "base/mem.h"
#include "stats/inversion.h"
#include "stats/layout.h"
#include "stats/relabel.h"
#include "stats/score.h"
#include "stats/search.h"
#include "stats/select.h"
#include "stats/summary.h"

#include <assert.h>
#include <math.h>

#define NEARLY 1e-9

DEFINE_AUTO(numbers, double *, free);

static int ascending(const void *one, const void *other)
{
	const double a = *(const double *)one;
	const double b = *(const double *)other;
	return (a > b) - (a < b);
}

static size_t count_differences(const struct layout *layout)
{
	size_t n = 0;
	for (size_t b = 0; b < layout->n_blocks; b++)
		n += layout->blocks[b].n_head * (layout->blocks[b].n - layout->blocks[b].n_head);
	return n;
}

static void list_differences(const struct layout *layout, double *ret_differences)
{
	size_t at = 0;
	for (size_t b = 0; b < layout->n_blocks; b++) {
		const struct layout_block *block = &layout->blocks[b];
		const double *own = layout->values + block->first;
		for (size_t head = 0; head < block->n_head; head++)
			for (size_t base = block->n_head; base < block->n; base++)
				ret_differences[at++] = own[head] - own[base];
	}
	qsort(ret_differences, at, sizeof(*ret_differences), ascending);
}

/* Where the shifts begin and end at which each relabelling is as far out as the observed labels. The
 * lower ends with their sign turned, so that the smallest are the largest. */
struct reaches {
	double *below, *above;
	size_t n;
};

static void auto_release_reaches(struct reaches *reaches)
{
	free(reaches->below);
	free(reaches->above);
}

/* sum / weight, no end at all without weight: then the relabelling is as far out at every shift. */
static double reach(double sum, double weight)
{
	return weight > NEARLY ? sum / weight : (double)INFINITY;
}

/* Drawn relabellings come without the observed one, which is as far out at every shift. */
static void find_reaches(const struct layout *layout, uint64_t seed, struct reaches *ret_reaches)
{
	AUTO(numbers) double *scores = mem_array(layout->n, sizeof(*scores));
	const double rounding = score_centred(layout, PERMUTE_MEAN, /* shift= */ 0.0, scores);
	AUTO(relabelled) struct relabelled *relabelled = relabel_new(layout, scores, seed);
	double expected = 0.0; /* Of the head's runs that stay the head's. */
	double heads = 0.0;
	for (size_t b = 0; b < layout->n_blocks; b++) {
		const double n_head = (double)layout->blocks[b].n_head;
		heads += n_head;
		expected += n_head * n_head / (double)layout->blocks[b].n;
	}
	const double sum = score_head_sum(layout, scores);
	const size_t n = relabelled->n + !relabelled->exhaustive;
	*ret_reaches = (struct reaches) { .below = mem_array(n, sizeof(double)),
					  .above = mem_array(n, sizeof(double)),
					  .n = n };
	for (size_t i = 0; i < relabelled->n; i++) {
		const double kept = (double)relabelled->kept[i];
		const double apart = sum - relabelled->sums[i];
		const double together = sum + relabelled->sums[i];
		const double moved = heads - kept;
		const double turned = heads + kept - 2.0 * expected;
		ret_reaches->below[i] =
			fmax(reach(rounding - apart, moved), reach(rounding - together, turned));
		ret_reaches->above[i] =
			fmax(reach(apart + rounding, moved), reach(together + rounding, turned));
	}
	if (!relabelled->exhaustive)
		ret_reaches->below[n - 1] = ret_reaches->above[n - 1] = (double)INFINITY;
}

static void find_mean_interval(const struct reaches *reaches, double alpha, struct shift *shift)
{
	const double out = floor(alpha * (double)reaches->n + NEARLY);
	const size_t place = (size_t)out + 1;
	AUTO(numbers) double *heap = mem_array(place, sizeof(*heap));
	shift->low = -select_largest(reaches->below, reaches->n, place, heap);
	shift->high = select_largest(reaches->above, reaches->n, place, heap);
}

/* A first guess of how far the ends are: as for normal differences of this spread. 0 when all
 * differences are equal. */
static double guess_reach(const struct layout *layout, const double *sorted, size_t n)
{
	double spread = summary_quantile(sorted, n, 0.75) - summary_quantile(sorted, n, 0.25);
	if (!(spread > 0.0))
		spread = sorted[n - 1] - sorted[0];
	return 2.0 * spread / sqrt((double)layout->n);
}

/* Sides that are constant but for the blocks have one shift, if any other is rejected. */
static void find_clipped_interval(const struct layout *layout, double step, double alpha,
				  uint64_t seed, struct shift *shift)
{
	double interval[2] = { shift->estimate, shift->estimate };
	/* Above what rounding does to the values, far below what moves them. */
	const double magnitude = layout_magnitude(layout);
	const double tiny = 1e-12 * (magnitude > 0.0 ? magnitude : 1.0);
	search_interval(layout, shift->estimate, fmax(step, tiny), alpha, seed, interval);
	shift->low = interval[0];
	shift->high = interval[1];
	if (!(step > 0.0) && isfinite(shift->low) && isfinite(shift->high))
		shift->low = shift->high = shift->estimate;
}

void shift_estimate_each(const struct blocked *blocked, enum permute_score score, uint64_t seed,
			 const double *confidences, size_t n, struct shift *ret_shifts)
{
	for (size_t i = 0; i < n; i++)
		ret_shifts[i] = (struct shift) { .estimate = (double)NAN,
						 .low = (double)NAN,
						 .high = (double)NAN };
	AUTO(layout) struct layout *layout = layout_new(blocked);
	if (layout->n_blocks == 0 || n == 0)
		return;
	const size_t n_differences = count_differences(layout);
	AUTO(numbers) double *differences = mem_array(n_differences, sizeof(*differences));
	list_differences(layout, differences);
	const double estimate = summary_quantile(differences, n_differences, 0.5);

	AUTO(inversion) struct inversion *inversion = NULL;
	AUTO(reaches) struct reaches reaches = { 0 };
	if (score == PERMUTE_ALIGNED_RANK)
		inversion = inversion_new(layout, differences, n_differences, estimate, seed);
	else if (score == PERMUTE_MEAN)
		find_reaches(layout, seed, &reaches);
	const double step = guess_reach(layout, differences, n_differences);
	for (size_t i = 0; i < n; i++) {
		struct shift *shift = &ret_shifts[i];
		assert(confidences[i] > 0.0 && confidences[i] < 1.0);
		*shift = (struct shift) { .known = true, .estimate = estimate };
		const double alpha = 1.0 - confidences[i];
		if (inversion)
			inversion_find(inversion, alpha, &shift->low, &shift->high);
		else if (score == PERMUTE_MEAN)
			find_mean_interval(&reaches, alpha, shift);
		else
			find_clipped_interval(layout, step, alpha, seed, shift);
		shift->low = fmin(shift->low, estimate);
		shift->high = fmax(shift->high, estimate);
	}
}

struct shift shift_estimate(const struct blocked *blocked, enum permute_score score,
			    double confidence, uint64_t seed)
{
	struct shift shift;
	shift_estimate_each(blocked, score, seed, &confidence, 1, &shift);
	return shift;
}
