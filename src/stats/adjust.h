/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Many tests, one false-alarm budget. All give adjusted p values: rejecting those at most alpha
 * keeps the rate.
 */
#pragma once

#include <stddef.h>

/* Holm (1979): the chance of any false rejection is at most alpha, under any dependence. NaN
 * entries are left out. */
void adjust_holm(const double *p, size_t n, double *ret_adjusted);

/* Benjamini and Hochberg (1995): the expected share of false ones among the rejected is at most
 * alpha under independence or positive dependence. NaN entries are left out. */
void adjust_benjamini_hochberg(const double *p, size_t n, double *ret_adjusted);

/* Benjamini and Yekutieli (2001): as above, under any dependence, at the price of a factor of
 * 1 + 1/2 + ... + 1/n. NaN entries are left out. */
void adjust_benjamini_yekutieli(const double *p, size_t n, double *ret_adjusted);
