/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long the runs of a plan take on this machine, as far as the store knows. */
#pragma once

#include "experiment/plan.h"
#include "store/store.h"

/* Fills plan->measured_ns for a machine of this type (NULL: unknown). A store that cannot say
 * leaves the estimate. */
void durations_fill(struct store *store, const char *machine, struct plan *plan);

/* The same for the machine that this program is on, or that `root` holds a recorded tree of. */
void durations_here(struct store *store, const char *root, struct plan *plan);
