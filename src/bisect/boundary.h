/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What can be told apart when some commits cannot be measured, and the commits on both sides of a
 * candidate: the nearest ones that have not, and the nearest one that has the change.
 */
#pragma once

#include "bisect/state.h"

#define BOUNDARY_BEFORE_MAX 8

struct boundary {
	uint32_t after;                       /* The nearest measurable commit with the change. */
	uint32_t before[BOUNDARY_BEFORE_MAX]; /* Without it: more than one of a merge; [0] is on
					       * the first parent's side. */
	size_t n_before;                      /* 0 when none can be measured. */
};

/* A commit turned out to be broken: finds `clusters` anew. */
void boundary_cluster(struct bisect *bisect);

/* Of the cluster that begins at `place`. */
struct boundary boundary_find(const struct bisect *bisect, size_t place);
