/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The t test for few runs that knows how much this metric usually scatters: Smyth (2004). The
 * variance of the runs, with its degrees of freedom, is averaged with a prior variance worth d0
 * degrees. The prior comes from earlier runs of unchanged subjects on the same type of machine, or
 * from the other metrics of the same comparison (moderated_prior_fit).
 *
 * It assumes independent, roughly normal runs. Do not winsorise the few runs themselves: at 3 robust
 * deviations 3 + 3 normal runs are called different 4 % of the time instead of 1 % (the MAD of three
 * is too small too often). A prior that knows of outliers, not winsorised away either, is what keeps
 * the rate. Interleaving takes care of slow drift only. A verdict that rests on it is provisional.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct moderated_prior {
	double variance; /* s0 squared, in the unit of the values squared. */
	double degrees;  /* d0; 0: no prior, the ordinary pooled t; INFINITY: the prior alone. */
};

struct moderated {
	bool known;        /* False when no variance can be had: a side without runs, no degrees, or
		     * constant sides without a prior (welch_exact_p is for them). */
	double difference; /* head mean - base mean. */
	double low, high;  /* At the confidence asked for. */
	double t, p, degrees;
};

/* Numbers of runs, means and sums of squares about the own mean of the two sides. */
struct moderated_sides {
	size_t n_base, n_head;
	double base_mean, head_mean;
	double squares; /* Of both sides together, n_base + n_head - 2 degrees (fewer when block
			 * means were taken out: `degrees`). */
	double degrees;
};

struct moderated moderated_compare(const struct moderated_sides *sides,
				   const struct moderated_prior *prior, double confidence);

/* Variances of many metrics, each with `degrees[i]` of freedom, to their common prior: moments of
 * the logarithms (trigamma). Entries of 0 or NaN are left out. {NaN, 0} when fewer than 3 stay. */
struct moderated_prior moderated_prior_fit(const double *variances, const double *degrees,
					   size_t n);
