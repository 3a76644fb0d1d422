/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is known of a metric's noise, as a prior of the t test and as a margin. */
#pragma once

#include "stats/moderated.h"
#include "verdict/comparison.h"
#include "verdict/pair.h"

/* A prior with fewer degrees of freedom is not used, and none counts for more: the machine has loud
 * and quiet days, so that many runs of other days say no more of today's noise. */
#define PRIOR_DEGREES_LEAST 8.0
#define PRIOR_DEGREES_MOST 20.0

/* From verdict_options.noise, on the scale of the pair. Degrees 0 when nothing fit is known. */
struct moderated_prior prior_known(const struct comparison *comparison, const char *metric,
				   const struct pair *pair);

/* The margin of "same" in the unit of the finding's change: as asked for, else the larger of 1 % and
 * the known noise between two measurements of one subject. That noise counts when base and head
 * share no block; where they do, what moves a whole campaign moves both alike. Against a base of 0
 * in a unit other than % there is no margin: 0. */
double prior_margin(const struct comparison *comparison, const struct row *row,
		    const struct pair *pair, bool blocked);
