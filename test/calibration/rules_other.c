/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Other tools' rules. See rules_other.h. */
#include "calibration/rules_other.h"

#include "base/mem.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MATHLIB_STANDALONE 1
#include <Rmath.h>

#define EXACT_MAX 50
#define EXACT_TIES_MAX 25
#define LKP_RUNS_LEAST 3
#define LKP_RATIO_MAX 5.0
#define LKP_DISTANCE 5.0
#define MMTESTS_REACH 1.96

struct rules {
	/* For sides without ties: chance that the doubled rank sum of head is at most s. */
	double *at_most[EXACT_MAX + 1][EXACT_MAX + 1];
};

struct rules *rules_new(void)
{
	return mem_zero(sizeof(struct rules));
}

void rules_free(struct rules *rules)
{
	if (!rules)
		return;
	for (size_t i = 0; i <= EXACT_MAX; i++)
		for (size_t j = 0; j <= EXACT_MAX; j++)
			free(rules->at_most[i][j]);
	free(rules);
}

static int compare_numbers(const void *one, const void *other)
{
	const double a = *(const double *)one;
	const double b = *(const double *)other;
	return (a > b) - (a < b);
}

struct spread { /* As LKP sees a side. */
	double lowest, highest, median;
};

static struct spread spread_of(const double *numbers, size_t n)
{
	double *sorted = mem_array(n, sizeof(*sorted));
	memcpy(sorted, numbers, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), compare_numbers);
	const struct spread spread = { sorted[0], sorted[n - 1], sorted[n / 2] };
	free(sorted);
	return spread;
}

static bool lkp_is_large(const struct spread *base, const struct spread *head, double ratio_least)
{
	if (base->median <= 0.0 || head->median <= 0.0)
		return LKP_RATIO_MAX > ratio_least && base->median < head->median;
	const double ratio = fmax(base->median, head->median) / fmin(base->median, head->median);
	return fmin(ratio, LKP_RATIO_MAX) > ratio_least;
}

static bool lkp_has_runs(const struct both *both)
{
	return both->n_base && both->n_head &&
	       (both->n_base >= LKP_RUNS_LEAST || both->n_head >= LKP_RUNS_LEAST);
}

bool rules_lkp(const struct both *both, double ratio_least)
{
	if (!lkp_has_runs(both))
		return false;
	const struct spread base = spread_of(both->base, both->n_base);
	const struct spread head = spread_of(both->head, both->n_head);
	const bool is_up = head.lowest > base.median && head.median > base.highest;
	const bool is_down = base.lowest > head.median && base.median > head.highest;
	return (is_up || is_down) && lkp_is_large(&base, &head, ratio_least);
}

static bool is_whole(double number)
{
	return floor(number) >= number;
}

bool rules_lkp_distance(const struct both *both, double ratio_least)
{
	if (!lkp_has_runs(both))
		return false;
	const struct spread base = spread_of(both->base, both->n_base);
	const struct spread head = spread_of(both->head, both->n_head);
	const double gap = fmax(head.lowest - base.highest, base.lowest - head.highest);
	const double change = fabs(head.median - base.median);
	if (is_whole(head.median) && is_whole(base.median) && change >= 1.0 && change <= 1.0)
		return false;
	if (both->n_base < LKP_RUNS_LEAST || both->n_head < LKP_RUNS_LEAST) {
		const double range = fmax(base.highest - base.lowest, head.highest - head.lowest);
		return gap > LKP_DISTANCE * range && lkp_is_large(&base, &head, ratio_least);
	}
	return gap > 0.0 && gap > change / 2 && lkp_is_large(&base, &head, ratio_least);
}

struct moments {
	double mean, variance; /* Sample variance; NaN with one number. */
};

static struct moments moments_of(const double *numbers, size_t n)
{
	double sum = 0.0;
	for (size_t i = 0; i < n; i++)
		sum += numbers[i];
	const double mean = sum / (double)n;
	double squares = 0.0;
	for (size_t i = 0; i < n; i++)
		squares += (numbers[i] - mean) * (numbers[i] - mean);
	return (struct moments) { mean, squares / ((double)n - 1.0) };
}

bool rules_mmtests(const struct both *both)
{
	if (both->n_base < 2 || both->n_head < 2)
		return false;
	const struct moments base = moments_of(both->base, both->n_base);
	const struct moments head = moments_of(both->head, both->n_head);
	const double reach = MMTESTS_REACH * (sqrt(base.variance) + sqrt(head.variance));
	return fabs(head.mean - base.mean) > reach;
}

double rules_welch(const struct both *both)
{
	if (both->n_base < 2 || both->n_head < 2)
		return 1.0;
	const struct moments base = moments_of(both->base, both->n_base);
	const struct moments head = moments_of(both->head, both->n_head);
	const double base_share = base.variance / (double)both->n_base;
	const double head_share = head.variance / (double)both->n_head;
	const double error = base_share + head_share;
	if (error <= 0.0)
		return fabs(head.mean - base.mean) > 0.0 ? 0.0 : 1.0;
	const double degrees = error * error /
			       (base_share * base_share / ((double)both->n_base - 1.0) +
				head_share * head_share / ((double)both->n_head - 1.0));
	const double t = fabs(head.mean - base.mean) / sqrt(error);
	return 2.0 * pt(t, degrees, /* lower */ 0, /* log */ 0);
}

struct ranked { /* All runs in one order, ranks doubled so that ties stay whole. */
	size_t n;
	unsigned ranks[4 * EXACT_MAX]; /* In ascending order of the values. */
	unsigned head_sum;
	double tie_term; /* Sum of t^3 - t over groups of equal values. */
};

struct valued {
	double value;
	bool is_head;
};

static int compare_valued(const void *one, const void *other)
{
	return compare_numbers(&((const struct valued *)one)->value,
			       &((const struct valued *)other)->value);
}

static void rank_both(const struct both *both, struct ranked *ret_ranked)
{
	struct valued runs[4 * EXACT_MAX];
	const size_t n = both->n_base + both->n_head;
	assert(n <= 4 * EXACT_MAX);
	for (size_t i = 0; i < n; i++)
		runs[i] = i < both->n_base ? (struct valued) { both->base[i], false }
					   : (struct valued) { both->head[i - both->n_base], true };
	qsort(runs, n, sizeof(runs[0]), compare_valued);
	*ret_ranked = (struct ranked) { .n = n };
	for (size_t i = 0; i < n;) {
		size_t end = i + 1;
		while (end < n && runs[end].value <= runs[i].value)
			end++;
		const double tied = (double)(end - i);
		ret_ranked->tie_term += tied * tied * tied - tied;
		for (size_t j = i; j < end; j++) {
			ret_ranked->ranks[j] =
				(unsigned)(i + end + 1); /* Twice (first + last) / 2. */
			ret_ranked->head_sum += runs[j].is_head ? ret_ranked->ranks[j] : 0;
		}
		i = end;
	}
}

/* In how many ways do n_head of the ranks sum up to s? Counted rank by rank; then as the chance that
 * the sum is at most s. New array of total + 1. */
static double *count_sums(const struct ranked *ranked, size_t n_head, size_t total)
{
	const size_t width = total + 1;
	double *ways = mem_array((n_head + 1) * width, sizeof(*ways));
	ways[0] = 1.0;
	for (size_t i = 0; i < ranked->n; i++)
		for (size_t chosen = n_head; chosen >= 1; chosen--)
			for (size_t s = total; s >= ranked->ranks[i]; s--)
				ways[chosen * width + s] +=
					ways[(chosen - 1) * width + s - ranked->ranks[i]];
	double *at_most = mem_array(width, sizeof(*at_most));
	double sum = 0.0;
	for (size_t s = 0; s < width; s++)
		at_most[s] = sum += ways[n_head * width + s];
	for (size_t s = 0; s < width; s++)
		at_most[s] /= sum;
	free(ways);
	return at_most;
}

static double two_sided(const double *at_most, size_t s)
{
	const double below = at_most[s];
	const double above = 1.0 - (s > 0 ? at_most[s - 1] : 0.0);
	return fmin(1.0, 2.0 * fmin(below, above));
}

static double normal_p(const struct both *both, const struct ranked *ranked)
{
	const double n_base = (double)both->n_base;
	const double n_head = (double)both->n_head;
	const double n = n_base + n_head;
	const double u = ranked->head_sum / 2.0 - n_head * (n_head + 1.0) / 2.0;
	const double variance =
		n_base * n_head / 12.0 * (n + 1.0 - ranked->tie_term / (n * (n - 1.0)));
	if (variance <= 0.0)
		return 1.0;
	const double away = fmax(fabs(u - n_base * n_head / 2.0) - 0.5, 0.0);
	return fmin(1.0, 2.0 * pnorm(away / sqrt(variance), 0.0, 1.0, /* lower */ 0, /* log */ 0));
}

double rules_mann_whitney(struct rules *rules, const struct both *both)
{
	if (both->n_base == 0 || both->n_head == 0)
		return 1.0;
	struct ranked ranked;
	rank_both(both, &ranked);
	const size_t most = ranked.tie_term > 0.0 ? EXACT_TIES_MAX : EXACT_MAX;
	if (both->n_base > most || both->n_head > most)
		return normal_p(both, &ranked);

	const size_t total = ranked.n * (ranked.n + 1);
	if (ranked.tie_term > 0.0) {
		double *at_most = count_sums(&ranked, both->n_head, total);
		const double p = two_sided(at_most, ranked.head_sum);
		free(at_most);
		return p;
	}
	double **kept = &rules->at_most[both->n_base][both->n_head];
	if (!*kept)
		*kept = count_sums(&ranked, both->n_head, total);
	return two_sided(*kept, ranked.head_sum);
}
