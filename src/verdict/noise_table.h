/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From repeated runs of unchanged subjects to what is known of each metric's noise, for
 * verdict_options.noise. The runs that are to be judged must not be among the repeated ones.
 *
 * A metric's own point is believed alone once it has NOISE_TABLE_DEGREES of freedom. With fewer,
 * other points of the workload fill up when the metric was always above 0: a deviation in per cent
 * carries over from point to point, one in units does not. Metrics that never varied are left out:
 * they teach nothing, and a prior of no noise would make any change sure.
 *
 * Noise itself is not the same on every day. The degrees of freedom that a row claims are therefore
 * no more than the differences between the groups' own variances allow (moderated_prior_fit).
 */
#pragma once

#include "base/auto.h"
#include "record/repeats.h"
#include "verdict/options.h"

#include <stddef.h>

#define NOISE_TABLE_DEGREES 20.0

struct noise_table {
	struct known_noise *rows; /* Sorted by metric; the names are the table's own. */
	size_t n;
};

/* New; `point` is that which is to be judged. */
struct noise_table *noise_table_make(const struct repeats *repeats, const char *point);
void noise_table_free(struct noise_table *table); /* NULL is allowed. */

DEFINE_AUTO(noise_table, struct noise_table *, noise_table_free);
