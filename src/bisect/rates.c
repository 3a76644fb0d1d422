/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Beta-binomial: each level adds log B(failures + 1/2, passes + 1/2) - log B(1/2, 1/2). */
#include "bisect/rates.h"

#include <assert.h>
#include <math.h>

#define LEVELS_MAX 32
#define PRIOR 0.5
#define QUANTILE 1.96
#define LOG_PI 1.1447298858494002 /* log B(1/2, 1/2). */

struct rates rates_judge(const struct rates_group *groups, const uint8_t *masks, size_t n_groups,
			 size_t n_known, bool is_none)
{
	struct rates_group levels[LEVELS_MAX] = { 0 };
	struct rates_group sides[2] = { 0 };
	const size_t n_levels = (size_t)2 << n_known;
	assert(n_levels <= LEVELS_MAX);
	for (size_t g = 0; g < n_groups; g++) {
		const uint8_t mask = is_none ? masks[g] & 0xfe : masks[g];
		assert(mask < n_levels);
		levels[mask].passes += groups[g].passes;
		levels[mask].failures += groups[g].failures;
		sides[mask & 1].passes += groups[g].passes;
		sides[mask & 1].failures += groups[g].failures;
	}
	struct rates rates = { 0 };
	for (size_t i = 0; i < n_levels; i++) {
		const double n = levels[i].passes + levels[i].failures;
		if (n > 0.0)
			rates.log_evidence += lgamma(levels[i].passes + PRIOR) +
					      lgamma(levels[i].failures + PRIOR) -
					      lgamma(n + 2.0 * PRIOR) - LOG_PI;
	}
	double shares[2];
	double variance = 0.0;
	for (size_t i = 0; i < 2; i++) {
		const double n = sides[i].passes + sides[i].failures + 2.0 * PRIOR;
		shares[i] = (sides[i].failures + PRIOR) / n;
		variance += shares[i] * (1.0 - shares[i]) / n;
	}
	rates.first = shares[0];
	rates.second = is_none ? shares[0] : shares[1];
	rates.error = sqrt(variance);
	return rates;
}

/* Agresti and Caffo's interval (2000): one pass and one failure more on each side. */
struct rates_difference rates_compare(const struct rates_group *first,
				      const struct rates_group *second)
{
	const struct rates_group *sides[2] = { first, second };
	double shares[2];
	double guarded[2];
	double variance = 0.0;
	for (size_t i = 0; i < 2; i++) {
		const double n = sides[i]->passes + sides[i]->failures;
		assert(n > 0.0);
		shares[i] = sides[i]->failures / n;
		guarded[i] = (sides[i]->failures + 1.0) / (n + 2.0);
		variance += guarded[i] * (1.0 - guarded[i]) / (n + 2.0);
	}
	const double reach = QUANTILE * sqrt(variance);
	const double estimate = shares[1] - shares[0];
	const double middle = guarded[1] - guarded[0];
	return (struct rates_difference) {
		.estimate = estimate,
		.low = fmax(fmin(middle - reach, estimate), -1.0),
		.high = fmin(fmax(middle + reach, estimate), 1.0),
	};
}
