/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ranks with ties, and the test of Mann and Whitney (1947) for those who ask for it: exact without
 * ties up to 50 a side (libRmath's pwilcox), else the normal distribution with tie and continuity
 * correction.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Mean ranks from 1. Gives the tie term, the sum of t^3 - t over the groups of equal numbers. */
double rank_make(const double *numbers, size_t n, double *ret_ranks);

struct mann_whitney {
	bool known; /* False when a side is empty. */
	bool exact;
	double u;      /* Of the head: pairs in which the head is larger, ties count half. */
	double effect; /* u / (n_base * n_head), the chance that a run of head is larger. */
	double p;      /* Two-sided. */
};

struct mann_whitney rank_mann_whitney(const double *base, size_t n_base, const double *head,
				      size_t n_head);
