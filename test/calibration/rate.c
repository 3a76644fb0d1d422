/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rates and claims. The interval is worked out here and not by the room under test. See rate.h. */
#include "calibration/rate.h"

#include "base/mem.h"

#include <math.h>

#define MATHLIB_STANDALONE 1
#include <Rmath.h>

#define TAIL 0.005 /* Of the 99 % intervals. */
#define LOWER 1
#define NO_LOG 0

struct rate rate_of(uint64_t hits, uint64_t trials)
{
	const double k = (double)hits;
	const double n = (double)trials;
	return (struct rate) {
		.hits = hits,
		.trials = trials,
		.share = k / n,
		.low = hits == 0 ? 0.0 : qbeta(TAIL, k, n - k + 1, LOWER, NO_LOG),
		.high = hits == trials ? 1.0 : qbeta(1.0 - TAIL, k + 1, n - k, LOWER, NO_LOG),
	};
}

bool rate_keeps(const struct rate *rate, double promised)
{
	return rate->low <= promised &&
	       (rate->trials < RATE_LONG_ENOUGH || rate->high < RATE_PROVEN * promised);
}

bool rate_reaches(const struct rate *rate, double figure)
{
	return rate->high >= figure;
}

char *rate_show(const struct rate *rate)
{
	const int decimals = rate->high < 0.1 ? 2 : 1;
	return mem_format("%.*f (%.*f-%.*f)", decimals, 100 * rate->share, decimals,
			  100 * rate->low, decimals, 100 * rate->high);
}

const char *claims_check(struct claims *claims, bool claimed, bool holds)
{
	if (!claimed)
		return "";
	claims->n_met += holds;
	claims->n_not_met += !holds;
	return holds ? " met" : " NOT MET";
}

struct mean mean_of(double sum, double sum_of_squares, uint64_t n)
{
	const double count = (double)n;
	const double mean = sum / count;
	const double variance = fmax(sum_of_squares / count - mean * mean, 0.0);
	const double error = sqrt(variance / (count - 1.0));
	const double reach =
		n > 1 ? qt(1.0 - TAIL, count - 1.0, LOWER, NO_LOG) * error : (double)INFINITY;
	return (struct mean) { .mean = mean, .low = mean - reach, .high = mean + reach };
}
