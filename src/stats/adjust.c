/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Question: which of many tests may be believed when all of them share one false-alarm budget?
 *
 * Assumption: each p is a valid p value (at most alpha with probability at most alpha when nothing
 * changed). Holm: nothing else. Benjamini-Hochberg: the tests are independent or positively
 * dependent. Benjamini-Yekutieli: nothing else.
 * Reference: Holm (1979), "A simple sequentially rejective multiple test procedure"; Benjamini and
 * Hochberg (1995), "Controlling the false discovery rate"; Benjamini and Yekutieli (2001), "The
 * control of the false discovery rate in multiple testing under dependency".
 * Failure mode: Holm over very many tests finds nothing (use it for the few scores);
 * Benjamini-Hochberg promises a share, so among 100 findings 5 may be false; strong negative
 * dependence can exceed it. Benjamini-Yekutieli pays for that with a factor of about 8 at 1,500
 * tests.
 */
#include "stats/adjust.h"

#include "base/auto.h"
#include "base/mem.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

struct entry {
	double p;
	size_t index;
};

DEFINE_AUTO(entries, struct entry *, free);

static int by_p(const void *one, const void *other)
{
	const struct entry *a = one;
	const struct entry *b = other;
	if (a->p < b->p || a->p > b->p)
		return a->p < b->p ? -1 : 1;
	return a->index < b->index ? -1 : 1;
}

/* The tests that took place, by p. Answers how many; the others get NaN at once. */
static size_t sort_known(const double *p, size_t n, struct entry *entries, double *ret_adjusted)
{
	size_t known = 0;
	for (size_t i = 0; i < n; i++) {
		ret_adjusted[i] = (double)NAN;
		if (isnan(p[i]))
			continue;
		assert(p[i] >= 0.0 && p[i] <= 1.0);
		entries[known++] = (struct entry) { .p = p[i], .index = i };
	}
	qsort(entries, known, sizeof(*entries), by_p);
	return known;
}

void adjust_holm(const double *p, size_t n, double *ret_adjusted)
{
	AUTO(entries) struct entry *entries = mem_array(n, sizeof(*entries));
	const size_t known = sort_known(p, n, entries, ret_adjusted);
	double largest = 0.0;
	for (size_t rank = 0; rank < known; rank++) {
		largest = fmax(largest, fmin(1.0, (double)(known - rank) * entries[rank].p));
		ret_adjusted[entries[rank].index] = largest;
	}
}

/* The share of false ones, with each p times the price of the dependence that is allowed. */
static void adjust_share(const double *p, size_t n, bool any_dependence, double *ret_adjusted)
{
	AUTO(entries) struct entry *entries = mem_array(n, sizeof(*entries));
	const size_t known = sort_known(p, n, entries, ret_adjusted);
	double price = 1.0;
	for (size_t rank = 1; any_dependence && rank < known; rank++)
		price += 1.0 / (double)(rank + 1);
	double smallest = 1.0;
	for (size_t rank = known; rank-- > 0;) {
		const double p_here = price * (double)known / (double)(rank + 1) * entries[rank].p;
		smallest = fmin(smallest, p_here);
		ret_adjusted[entries[rank].index] = smallest;
	}
}

void adjust_benjamini_hochberg(const double *p, size_t n, double *ret_adjusted)
{
	adjust_share(p, n, /* any_dependence= */ false, ret_adjusted);
}

void adjust_benjamini_yekutieli(const double *p, size_t n, double *ret_adjusted)
{
	adjust_share(p, n, /* any_dependence= */ true, ret_adjusted);
}
