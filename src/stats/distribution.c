/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums of whole numbers fall on few points, so that their distribution can be carried along instead
 * of the relabellings: within a block by going through its few choices, or through its runs one by
 * one (each is chosen with the chance that is left for it: sampling without replacement), over the
 * blocks by convolution. The blocks are taken as two parts, each convolved alone, because what is
 * asked for, the share beyond a distance, is had from two parts without convolving them; that
 * halves the work. All summands are positive: small shares are as precise as large ones.
 *
 * The scores are counted in their greatest common divisor above the block's smallest: twice the mean
 * ranks are all even when there are no ties.
 */
#include "stats/distribution.h"

#include "base/mem.h"
#include "stats/relabel.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define LIST_MAX 256.0 /* Choices of a block that are gone through. */
#define NEARLY 1e-6    /* Expectations are fractions: nearer than this is equal. */

struct part {
	double *shares; /* By sum above the part's smallest. */
	size_t range;   /* Largest sum; one less than the number of shares. */
};

struct distribution {
	int64_t unit;
	int64_t smallest;       /* Sum, in scores. */
	double expected;        /* Above the smallest, in units. */
	struct part one, other; /* The other's shares are summed up from below. */
	double *other_above;    /* The other's shares summed up from above. */
};

struct block_sums {
	int64_t smallest; /* Of the head, in scores. */
	size_t range;     /* Largest - smallest, in units. */
	size_t bottom;    /* The smaller side's smallest sum, in units above the block's lowest. */
};

DEFINE_AUTO(indexes, uint32_t *, free);
DEFINE_AUTO(numbers, double *, free);
DEFINE_AUTO(sizes, size_t *, free);
DEFINE_AUTO(block_sums, struct block_sums *, free);

static int64_t common_divisor(int64_t a, int64_t b)
{
	while (b != 0) {
		const int64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

static int64_t unit_of(const struct layout *layout, const int32_t *sorted)
{
	int64_t unit = 0;
	for (size_t b = 0; b < layout->n_blocks && unit != 1; b++) {
		const struct layout_block *block = &layout->blocks[b];
		const int32_t *own = sorted + block->first;
		for (size_t i = 1; i < block->n; i++)
			unit = common_divisor(unit, own[i] - own[i - 1]);
	}
	return unit > 0 ? unit : 1;
}

static size_t smaller_side(const struct layout_block *block)
{
	const size_t n_base = block->n - block->n_head;
	return block->n_head < n_base ? block->n_head : n_base;
}

static struct block_sums sums_of(const struct layout_block *block, const int32_t *sorted,
				 int64_t unit)
{
	const int32_t *own = sorted + block->first;
	int64_t smallest = 0;
	int64_t largest = 0;
	for (size_t i = 0; i < block->n_head; i++) {
		smallest += own[i];
		largest += own[block->n - 1 - i];
	}
	int64_t bottom = 0;
	for (size_t i = 0; i < smaller_side(block); i++)
		bottom += own[i] - own[0];
	return (struct block_sums) { .smallest = smallest,
				     .range = (size_t)((largest - smallest) / unit),
				     .bottom = (size_t)(bottom / unit) };
}

/* Additions of one block, if the sums before it reach `range_before`. Choosing run by run, about one
 * in eight of all runs, rows and sums is touched. */
static double work_of(const struct layout_block *block, const struct block_sums *sums,
		      size_t range_before)
{
	const double choices = relabel_choose(block->n, block->n_head);
	const double points = fmin(choices, (double)sums->range + 1.0);
	const size_t n_steps = block->n * smaller_side(block);
	const double one_by_one = (double)n_steps * (double)(sums->bottom + sums->range + 1) / 8.0;
	const double own = choices <= LIST_MAX ? choices * (double)block->n_head : one_by_one;
	return own + points * ((double)range_before + 1.0);
}

static void list_choices(const struct layout_block *block, const int32_t *own, int64_t unit,
			 const struct block_sums *sums, double *ret_shares)
{
	const double share = 1.0 / relabel_choose(block->n, block->n_head);
	AUTO(indexes) uint32_t *chosen = mem_array(block->n_head, sizeof(*chosen));
	for (size_t i = 0; i < block->n_head; i++)
		chosen[i] = (uint32_t)i;
	do {
		int64_t sum = -sums->smallest;
		for (size_t i = 0; i < block->n_head; i++)
			sum += own[chosen[i]];
		ret_shares[sum / unit] += share;
	} while (relabel_next(chosen, block->n_head, block->n));
}

/* Choosing k of a block's runs, one run after the other, the smallest first. */
struct choosing {
	const size_t *below; /* below[i]: sum of the i smallest values. */
	size_t n, k;
	size_t width;
	double *rows; /* rows + j * width: with j chosen so far, the chance of each sum. */
};

/* With j of k chosen and `left` runs left, this run is chosen with chance (k - j) / left. Of a row only
 * the sums are touched that j of the first `at` runs can have. */
static void take_run(const struct choosing *choosing, size_t at)
{
	const size_t *below = choosing->below;
	const size_t k = choosing->k;
	const size_t left = choosing->n - at;
	const size_t value = below[at + 1] - below[at];
	const size_t j_most = at < k ? at + 1 : k;
	const size_t j_least = k > left ? k - left : 0;
	for (size_t j = j_most + 1; j-- > j_least;) {
		double *row = choosing->rows + j * choosing->width;
		if (j <= at) {
			const double stay = 1.0 - fmin(1.0, (double)(k - j) / (double)left);
			for (size_t x = below[j]; x <= below[at] - below[at - j]; x++)
				row[x] *= stay;
		}
		if (j == 0)
			continue;
		const double *fewer = row - choosing->width;
		const double go = fmin(1.0, (double)(k - j + 1) / (double)left);
		for (size_t x = below[j - 1]; x <= below[at] - below[at - (j - 1)]; x++)
			row[x + value] += go * fewer[x];
	}
}

/* The smaller side is chosen run by run; the head's sums are the base's turned round. Values count
 * above the smallest of the block, and a sum of k of them above the sum of the k smallest. */
static void take_one_by_one(const struct layout_block *block, const int32_t *own, int64_t unit,
			    const struct block_sums *sums, double *ret_shares)
{
	const size_t k = smaller_side(block);
	const size_t width = sums->bottom + sums->range + 1;
	AUTO(sizes) size_t *below = mem_array(block->n + 1, sizeof(*below));
	for (size_t i = 0; i < block->n; i++)
		below[i + 1] = below[i] + (size_t)((own[i] - own[0]) / unit);
	AUTO(numbers) double *rows = mem_array((k + 1) * width, sizeof(*rows));
	rows[0] = 1.0;
	const struct choosing choosing = {
		.below = below, .n = block->n, .k = k, .width = width, .rows = rows
	};
	for (size_t i = 0; i < block->n; i++)
		take_run(&choosing, i);
	const double *full = rows + k * width + sums->bottom;
	for (size_t x = 0; x <= sums->range; x++)
		ret_shares[x] = k == block->n_head ? full[x] : full[sums->range - x];
}

/* part * block; `scratch` is as large as the part's shares will become at most. */
static void convolve(struct part *part, const double *shares, size_t range, double *scratch)
{
	memcpy(scratch, part->shares, (part->range + 1) * sizeof(*scratch));
	memset(part->shares, 0, (part->range + range + 1) * sizeof(*scratch));
	for (size_t offset = 0; offset <= range; offset++) {
		const double share = shares[offset];
		if (!(share > 0.0))
			continue;
		double *sums = part->shares + offset;
		for (size_t i = 0; i <= part->range; i++)
			sums[i] += share * scratch[i];
	}
	part->range += range;
}

static void add_block(struct part *part, const struct layout_block *block, const int32_t *sorted,
		      int64_t unit, const struct block_sums *sums)
{
	AUTO(numbers) double *shares = mem_array(sums->range + 1, sizeof(*shares));
	AUTO(numbers) double *scratch = mem_array(part->range + 1, sizeof(*scratch));
	const int32_t *own = sorted + block->first;
	if (relabel_choose(block->n, block->n_head) <= LIST_MAX)
		list_choices(block, own, unit, sums, shares);
	else
		take_one_by_one(block, own, unit, sums, shares);
	convolve(part, shares, sums->range, scratch);
}

/* The blocks that make up the first part: those within the first half of the range. */
static size_t split(const struct block_sums *sums, size_t n, size_t total)
{
	size_t range = 0;
	size_t at = 0;
	while (at < n && 2 * range < total)
		range += sums[at++].range;
	return at;
}

static double total_work(const struct layout *layout, const struct block_sums *sums, size_t middle)
{
	double work = 0.0;
	size_t range = 0;
	for (size_t b = 0; b < layout->n_blocks; b++) {
		if (b == middle)
			range = 0;
		work += work_of(&layout->blocks[b], &sums[b], range);
		range += sums[b].range;
	}
	return work;
}

static void fill_part(struct part *part, const struct layout *layout, const int32_t *sorted,
		      int64_t unit, const struct block_sums *sums)
{
	size_t range = 0;
	for (size_t b = 0; b < layout->n_blocks; b++)
		range += sums[b].range;
	part->shares = mem_array(range + 1, sizeof(*part->shares));
	part->shares[0] = 1.0;
	part->range = 0;
	for (size_t b = 0; b < layout->n_blocks; b++)
		add_block(part, &layout->blocks[b], sorted, unit, &sums[b]);
	assert(part->range == range);
}

static double expectation(const struct layout *layout, const int32_t *sorted)
{
	double expected = 0.0;
	for (size_t b = 0; b < layout->n_blocks; b++) {
		const struct layout_block *block = &layout->blocks[b];
		double sum = 0.0;
		for (size_t i = block->first; i < block->first + block->n; i++)
			sum += (double)sorted[i];
		expected += sum * (double)block->n_head / (double)block->n;
	}
	return expected;
}

static void sum_up(struct distribution *distribution)
{
	struct part *other = &distribution->other;
	distribution->other_above = mem_array(other->range + 1, sizeof(double));
	double sum = 0.0;
	for (size_t i = other->range + 1; i-- > 0;)
		distribution->other_above[i] = sum += other->shares[i];
	sum = 0.0;
	for (size_t i = 0; i <= other->range; i++)
		other->shares[i] = sum += other->shares[i];
}

struct distribution *distribution_new(const struct layout *layout, const int32_t *sorted)
{
	assert(layout->n_blocks > 0);
	const int64_t unit = unit_of(layout, sorted);
	AUTO(block_sums) struct block_sums *sums = mem_array(layout->n_blocks, sizeof(*sums));
	size_t total = 0;
	int64_t smallest = 0;
	for (size_t b = 0; b < layout->n_blocks; b++) {
		sums[b] = sums_of(&layout->blocks[b], sorted, unit);
		total += sums[b].range;
		smallest += sums[b].smallest;
	}
	const size_t middle = split(sums, layout->n_blocks, total);
	if (total_work(layout, sums, middle) > DISTRIBUTION_WORK_MAX)
		return NULL;

	struct distribution *distribution = mem_zero(sizeof(*distribution));
	distribution->unit = unit;
	distribution->smallest = smallest;
	distribution->expected = (expectation(layout, sorted) - (double)smallest) / (double)unit;
	const struct layout front = layout_prefix(layout, middle);
	const struct layout back = { .values = layout->values,
				     .n = layout->n,
				     .blocks = layout->blocks + middle,
				     .n_blocks = layout->n_blocks - middle };
	fill_part(&distribution->one, &front, sorted, unit, sums);
	fill_part(&distribution->other, &back, sorted, unit, sums + middle);
	sum_up(distribution);
	return distribution;
}

void distribution_free(struct distribution *distribution)
{
	if (!distribution)
		return;
	free(distribution->one.shares);
	free(distribution->other.shares);
	free(distribution->other_above);
	free(distribution);
}

/* The share at least `distance` from the expectation, in units. */
static double tail(const struct distribution *distribution, double distance)
{
	const struct part *one = &distribution->one;
	const struct part *other = &distribution->other;
	const double upper = ceil(distribution->expected + distance - NEARLY);
	const double lower = floor(distribution->expected - distance + NEARLY);
	const int64_t above = (int64_t)upper;
	const int64_t below = (int64_t)lower;
	if (below >= above)
		return 1.0;
	const int64_t range = (int64_t)other->range;
	double share = 0.0;
	for (size_t i = 0; i <= one->range; i++) {
		const int64_t from = above - (int64_t)i;
		const int64_t to = below - (int64_t)i;
		double beyond = 0.0;
		if (from <= range)
			beyond += distribution->other_above[from > 0 ? from : 0];
		if (to >= 0)
			beyond += other->shares[to < range ? to : range];
		share += one->shares[i] * beyond;
	}
	return fmin(share, 1.0);
}

double distribution_p(const struct distribution *distribution, int64_t head_sum)
{
	/* Whole: all sums are multiples of the unit apart. */
	const int64_t steps = (head_sum - distribution->smallest) / distribution->unit;
	const double sum = (double)steps;
	return tail(distribution, fabs(sum - distribution->expected));
}

double distribution_smallest_p(const struct distribution *distribution)
{
	const double range = (double)(distribution->one.range + distribution->other.range);
	return tail(distribution, fmax(distribution->expected, range - distribution->expected));
}
