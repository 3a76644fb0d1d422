/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Question: between which shifts is the observed difference nothing special?
 *
 * Assumption: that of the test (permute.h); and that a shift beyond a rejected one is rejected too,
 * which holds but for steps of single relabellings.
 * Reference: Garthwaite (1996), "Confidence intervals from randomization tests", for the inversion;
 * halving instead of his stochastic search, since the same relabellings serve every shift.
 * Failure mode: where the p value is not monotone the interval ends at one of the places where it
 * passes alpha.
 */
#include "stats/search.h"

#include "stats/permute.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

#define FAR 0x1p20 /* Steps: as far out as any shift can be told apart. */
#define HALVINGS 9

static bool is_rejected(const struct layout *layout, double shift, double alpha, uint64_t seed)
{
	return permute_shifted(layout, shift, PERMUTE_CLIPPED, seed).p <= alpha;
}

/* How far the end is from the estimate, on the side that the sign of `step` says. */
static double find_reach(const struct layout *layout, double estimate, double step, double alpha,
			 uint64_t seed)
{
	if (!is_rejected(layout, estimate + FAR * step, alpha, seed))
		return copysign((double)INFINITY, step);
	double kept = 0.0;
	double rejected = step;
	while (fabs(rejected) < FAR * fabs(step) &&
	       !is_rejected(layout, estimate + rejected, alpha, seed)) {
		kept = rejected;
		rejected *= 2.0;
	}
	for (int i = 0; i < HALVINGS; i++) {
		const double middle = kept + (rejected - kept) / 2.0;
		if (is_rejected(layout, estimate + middle, alpha, seed))
			rejected = middle;
		else
			kept = middle;
	}
	return rejected;
}

void search_interval(const struct layout *layout, double estimate, double step, double alpha,
		     uint64_t seed, double ret_interval[static 2])
{
	assert(layout->n_blocks > 0 && step > 0.0 && isfinite(step));
	ret_interval[0] = estimate + find_reach(layout, estimate, -step, alpha, seed);
	ret_interval[1] = estimate + find_reach(layout, estimate, step, alpha, seed);
}
