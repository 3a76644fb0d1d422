/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many runs would do? Normal approximation with Student's quantiles (noncentral t, libRmath) for
 * two sides of n runs each.
 */
#pragma once

#include <stddef.h>

/* The chance to find a shift at two-sided `alpha`; shift and deviation in the same unit. */
double power_of(double shift, double deviation, size_t n, double alpha);

/* The smallest n a side with that power, at least 2; 0 when more than `n_most` would be needed. */
size_t power_runs(double shift, double deviation, double alpha, double power, size_t n_most);

/* The smallest n a side with which a true difference of 0 gives, with that power, a 95 % interval
 * within +-margin. 0 as above. */
size_t power_runs_same(double margin, double deviation, double power, size_t n_most);

/* Clopper and Pearson (1934): the interval of a rate after `hits` of `n`. */
void power_rate_interval(size_t hits, size_t n, double confidence, double *ret_low,
			 double *ret_high);
