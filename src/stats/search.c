/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Question: between which shifts is the observed difference nothing special?
 *
 * Assumption: that of the test (permute.h); and that a shift beyond a rejected one is rejected too,
 * which holds but for steps of single relabellings.
 * Reference: Garthwaite (1996), "Confidence intervals from randomization tests", for the inversion.
 * Instead of his stochastic search the p value is taken as that of a normal deviate, which grows
 * about evenly with the shift: a straight line through two shifts lands next to the end. Every third
 * step is a halving, for p values that behave worse.
 * Failure mode: where the p value is not monotone the interval ends at one of the places where it
 * passes alpha.
 */
#include "stats/search.h"

#include "stats/permute.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

#define MATHLIB_STANDALONE 1
#include <Rmath.h>

#define FAR 0x1p20      /* First steps: as far out as any shift can be told apart. */
#define PRECISION 0.004 /* Of the end's distance from the estimate. */
#define FLOOR 0.05      /* Of the first step: ends nearer than that have its precision. */
#define NEARLY 1e-12    /* 1 - 0.95 is not 0.05: a p value this near alpha is alpha. */
#define PATIENCE 3      /* Steps outwards before it is asked whether there is an end at all. */
#define SMALLEST 1e-300 /* Of a p value that has a deviate. */

struct search {
	const struct layout *layout;
	uint64_t seed;
	double estimate;
	double goal; /* The deviate of alpha. */
};

struct place { /* A distance from the estimate, negative below it, and its deviate. */
	double distance;
	double deviate;
};

static double deviate_of(double p)
{
	return -qnorm5(fmax(p, SMALLEST) / 2.0, 0.0, 1.0, /* lower_tail= */ 1, /* log_p= */ 0);
}

static struct place ask(const struct search *search, double distance)
{
	const double p = permute_shifted(search->layout, search->estimate + distance,
					 PERMUTE_CLIPPED, search->seed)
				 .p;
	return (struct place) { .distance = distance, .deviate = deviate_of(p) };
}

static bool is_rejected(const struct search *search, const struct place *place)
{
	return place->deviate >= search->goal;
}

/* Goes outwards from `kept` until a distance is rejected; where none is, it is an infinite one. */
static struct place find_rejected(const struct search *search, double step, struct place *kept)
{
	struct place far = { 0 };
	double distance = step;
	for (int tries = 1;; tries++) {
		const struct place place = ask(search, distance);
		if (is_rejected(search, &place))
			return place;
		*kept = place;
		if (tries == PATIENCE) {
			far = ask(search, FAR * step);
			if (!is_rejected(search, &far))
				return (struct place) { .distance =
								copysign((double)INFINITY, step) };
		}
		const double growth = 1.1 * search->goal / fmax(place.deviate, 0.1);
		distance *= fmin(fmax(growth, 1.25), 8.0);
		if (tries > PATIENCE && fabs(distance) >= fabs(far.distance))
			return far;
	}
}

/* How far the end is from the estimate, on the side that the sign of `step` says. */
static double find_reach(const struct search *search, double step)
{
	struct place kept = { 0 };
	struct place rejected = find_rejected(search, step, &kept);
	bool was_rejected = true;
	for (int steps = 1; isfinite(rejected.distance); steps++) {
		const double gap = rejected.distance - kept.distance;
		const double finest = PRECISION * fmax(fabs(rejected.distance), FLOOR * fabs(step));
		if (fabs(gap) <= finest)
			break;
		/* A little to the other side of the line than the last one came out, so that
		 * the two close in. */
		double share = (search->goal - kept.deviate) / (rejected.deviate - kept.deviate) +
			       (was_rejected ? -0.5 : 0.5) * finest / fabs(gap);
		if (steps % 3 == 0)
			share = 0.5;
		share = fmin(fmax(share, 0.02), 0.98);
		const struct place place = ask(search, kept.distance + share * gap);
		was_rejected = is_rejected(search, &place);
		if (was_rejected)
			rejected = place;
		else
			kept = place;
	}
	return rejected.distance;
}

void search_interval(const struct layout *layout, double estimate, double step, double alpha,
		     uint64_t seed, double ret_interval[static 2])
{
	assert(layout->n_blocks > 0 && step > 0.0 && isfinite(step));
	assert(alpha > 0.0 && alpha < 1.0);
	const struct search search = { .layout = layout,
				       .seed = seed,
				       .estimate = estimate,
				       .goal = deviate_of(alpha + NEARLY) };
	ret_interval[0] = estimate + find_reach(&search, -step);
	ret_interval[1] = estimate + find_reach(&search, step);
	/* The interval must not leave out "no change" when the test of it did not reject. */
	if (ret_interval[0] > 0.0 || ret_interval[1] < 0.0) {
		const struct place nothing = ask(&search, -estimate);
		if (!is_rejected(&search, &nothing)) {
			ret_interval[0] = fmin(ret_interval[0], 0.0);
			ret_interval[1] = fmax(ret_interval[1], 0.0);
		}
	}
}
