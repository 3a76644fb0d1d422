/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Aligned ranks after Hodges and Lehmann (1962), "Rank methods for combination of independent
 * experiments in analysis of variance", with the block's median as its location. Clipped values after
 * Huber (1964), "Robust estimation of a location parameter", his function of residuals over their
 * robust deviation: it holds outliers off at next to no price on normal noise. A true change widens
 * the residuals, and the reach with them.
 */
#include "stats/score.h"

#include "base/mem.h"
#include "stats/robust.h"

#include <assert.h>
#include <float.h>
#include <math.h>

struct place {
	double value;
	size_t run;
};

DEFINE_AUTO(places, struct place *, free);
DEFINE_AUTO(numbers, double *, free);
DEFINE_AUTO(ranks, int32_t *, free);

/* Enough for a few subtractions of numbers of the magnitude; quantised values stay far above it. */
static double rounding_of(double magnitude)
{
	return 64.0 * DBL_EPSILON * magnitude;
}

static int ascending_place(const void *one, const void *other)
{
	const double a = ((const struct place *)one)->value;
	const double b = ((const struct place *)other)->value;
	return (a > b) - (a < b);
}

static int ascending(const void *one, const void *other)
{
	const double a = *(const double *)one;
	const double b = *(const double *)other;
	return (a > b) - (a < b);
}

static void sort_numbers(double *numbers, size_t n)
{
	if (n > 32) {
		qsort(numbers, n, sizeof(*numbers), ascending);
		return;
	}
	for (size_t i = 1; i < n; i++) {
		const double number = numbers[i];
		size_t at = i;
		for (; at > 0 && numbers[at - 1] > number; at--)
			numbers[at] = numbers[at - 1];
		numbers[at] = number;
	}
}

void score_align(const struct layout *layout, double shift, double *ret_aligned)
{
	AUTO(numbers) double *sorted = mem_array(layout->n, sizeof(*sorted));
	for (size_t b = 0; b < layout->n_blocks; b++) {
		const struct layout_block *block = &layout->blocks[b];
		double *aligned = ret_aligned + block->first;
		for (size_t i = 0; i < block->n; i++) {
			const double value = layout->values[block->first + i];
			aligned[i] = i < block->n_head ? value - shift : value;
			sorted[i] = aligned[i];
		}
		sort_numbers(sorted, block->n);
		const double below = sorted[(block->n - 1) / 2];
		const double median = below + (sorted[block->n / 2] - below) / 2.0;
		for (size_t i = 0; i < block->n; i++)
			aligned[i] -= median;
	}
}

void score_aligned_ranks(const struct layout *layout, double shift, int32_t *ret_doubled)
{
	const size_t n = layout->n;
	assert(n < INT32_MAX / 2);
	AUTO(numbers) double *aligned = mem_array(n, sizeof(*aligned));
	AUTO(places) struct place *places = mem_array(n, sizeof(*places));
	score_align(layout, shift, aligned);
	for (size_t i = 0; i < n; i++)
		places[i] = (struct place) { .value = aligned[i], .run = i };
	qsort(places, n, sizeof(*places), ascending_place);

	const double rounding = rounding_of(fmax(layout_magnitude(layout), fabs(shift)));
	for (size_t first = 0; first < n;) {
		size_t last = first;
		while (last + 1 < n && places[last + 1].value - places[last].value <= rounding)
			last++;
		for (size_t i = first; i <= last; i++)
			ret_doubled[places[i].run] = (int32_t)(first + last + 2);
		first = last + 1;
	}
}

static void centre(const struct layout *layout, double *numbers)
{
	for (size_t b = 0; b < layout->n_blocks; b++) {
		const struct layout_block *block = &layout->blocks[b];
		double *own = numbers + block->first;
		double mean = 0.0;
		for (size_t i = 0; i < block->n; i++)
			mean += own[i] / (double)block->n;
		for (size_t i = 0; i < block->n; i++)
			own[i] -= mean;
	}
}

/* The middle size of the residuals; of those that are not 0 where half of them are, as with a coarse
 * clock. 0 when all are. */
static double middle_size(const struct layout *layout, double shift, const double *aligned)
{
	const double rounding = rounding_of(fmax(layout_magnitude(layout), fabs(shift)));
	AUTO(numbers) double *sizes = mem_array(layout->n, sizeof(*sizes));
	size_t zeros = 0;
	for (size_t i = 0; i < layout->n; i++) {
		sizes[i] = fabs(aligned[i]);
		zeros += sizes[i] <= rounding;
	}
	sort_numbers(sizes, layout->n);
	const size_t from = 2 * zeros >= layout->n ? zeros : 0;
	const size_t n = layout->n - from;
	return n > 0 ? (sizes[from + (n - 1) / 2] + sizes[from + n / 2]) / 2.0 : 0.0;
}

void score_clipped(const struct layout *layout, double shift, int32_t *ret_steps)
{
	AUTO(numbers) double *aligned = mem_array(layout->n, sizeof(*aligned));
	score_align(layout, shift, aligned);
	const double reach = PERMUTE_CLIP * ROBUST_NORMAL * middle_size(layout, shift, aligned);
	for (size_t i = 0; i < layout->n; i++) {
		const double share = reach > 0.0 ? aligned[i] / reach : 0.0;
		ret_steps[i] = (int32_t)lround(PERMUTE_CLIP_STEPS * fmin(fmax(share, -1.0), 1.0));
	}
}

void score_whole(const struct layout *layout, enum permute_score score, double shift,
		 int32_t *ret_scores)
{
	assert(score != PERMUTE_MEAN);
	if (score == PERMUTE_CLIPPED)
		score_clipped(layout, shift, ret_scores);
	else
		score_aligned_ranks(layout, shift, ret_scores);
}

double score_centred(const struct layout *layout, enum permute_score score, double shift,
		     double *ret_centred)
{
	double magnitude = 0.0;
	if (score != PERMUTE_MEAN) {
		AUTO(ranks) int32_t *whole = mem_array(layout->n, sizeof(*whole));
		score_whole(layout, score, shift, whole);
		for (size_t i = 0; i < layout->n; i++)
			ret_centred[i] = (double)whole[i];
		magnitude = fmax(2.0 * (double)layout->n, PERMUTE_CLIP_STEPS);
	} else {
		for (size_t b = 0; b < layout->n_blocks; b++) {
			const struct layout_block *block = &layout->blocks[b];
			for (size_t i = block->first; i < block->first + block->n; i++)
				ret_centred[i] = layout->values[i];
			for (size_t i = block->first; i < block->first + block->n_head; i++)
				ret_centred[i] -= shift;
		}
		magnitude = fmax(layout_magnitude(layout), fabs(shift));
	}
	centre(layout, ret_centred);
	/* Each of n summands may be off by a few roundings of the magnitude. */
	return rounding_of(magnitude) * (double)layout->n;
}

double score_head_sum(const struct layout *layout, const double *scores)
{
	double sum = 0.0;
	for (size_t b = 0; b < layout->n_blocks; b++) {
		const struct layout_block *block = &layout->blocks[b];
		for (size_t i = block->first; i < block->first + block->n_head; i++)
			sum += scores[i];
	}
	return sum;
}
