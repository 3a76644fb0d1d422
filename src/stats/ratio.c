/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Question: by what factor do the means of two samples differ, when the base's mean is itself only
 * an estimate?
 *
 * Assumption: as Welch's test (welch.c).
 * Reference: Fieller (1954), "Some problems in interval estimation". A ratio r is inside when
 * |head - r base| is at most t standard errors of itself, a quadratic in r:
 *
 *     r^2 (base^2 - t^2 vb) - 2 r base head + (head^2 - t^2 vh) <= 0
 *
 * with vb, vh the squared standard errors of the means. At r = 1 this is Welch's test.
 * Failure mode: a base mean within t standard errors of 0 has no bounded interval; `known` is false
 * then. The degrees of freedom are those at r = 1: for ratios far from 1 they are approximate.
 */
#include "stats/ratio.h"

#include "stats/welch.h"

#include <assert.h>
#include <math.h>

#define MATHLIB_STANDALONE 1
#include <Rmath.h>

static double squared_error(const struct summary *side)
{
	return side->deviation * side->deviation / (double)side->n;
}

struct ratio ratio_compare(const struct summary *base, const struct summary *head,
			   double confidence)
{
	assert(confidence > 0.0 && confidence < 1.0);
	const struct ratio unknown = { .ratio = (double)NAN,
				       .low = (double)NAN,
				       .high = (double)NAN };
	const struct welch welch = welch_compare(base, head, confidence);
	if (!welch.known || welch.exact || !(base->mean > 0.0))
		return unknown;
	const double t = qt(0.5 + confidence / 2.0, welch.degrees, /* lower_tail= */ 1,
			    /* log_p= */ 0);
	const double square = base->mean * base->mean - t * t * squared_error(base);
	const double product = base->mean * head->mean;
	const double rest = head->mean * head->mean - t * t * squared_error(head);
	const double root = product * product - square * rest;
	if (!(square > 0.0) || !(root >= 0.0))
		return unknown;
	return (struct ratio) {
		.known = true,
		.ratio = head->mean / base->mean,
		.low = (product - sqrt(root)) / square,
		.high = (product + sqrt(root)) / square,
	};
}
