/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The probabilities of all candidates, from all units. */
#pragma once

#include "bisect/state.h"

/* A commit was measured for the first time: tells apart candidates that it has and has not. */
void posterior_split(struct bisect *bisect, uint32_t commit);

/* Finds everything from `values` to `best_mass` anew. */
void posterior_update(struct bisect *bisect);

/* The changed half of a unit's model under a candidate: bit 0, and a bit for each confirmed one. */
uint8_t posterior_mask(const struct bisect *bisect, uint32_t commit, uint32_t candidate);
