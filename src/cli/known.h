/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the store knows beyond the runs that are judged: the noise of each metric on this type of
 * machine, the marks of people, and the measured false-alarm rate. It goes into the options of a
 * verdict, which borrow it.
 */
#pragma once

#include "base/auto.h"
#include "base/error.h"
#include "store/store.h"
#include "verdict/comparison.h"

#include <stddef.h>

struct known;

struct known *known_new(struct store *store); /* The store is borrowed. */
void known_free(struct known *known);         /* NULL is allowed. */

/* Puts what is known of the comparison of these sides into `options`; it stays until known_free().
 * Each question is put to the store once, so that the looks of a campaign all go by the same noise.
 *
 * Noise comes from campaigns older than all that are judged: what is judged feeds no prior of its
 * own, and gets the same verdict when it is judged again. Sides without places, or on several types
 * of machines, have no known noise. */
int known_fill(struct known *known, const struct compared_side *sides, size_t n_sides,
	       struct verdict_options *options, struct error *err);

DEFINE_AUTO(known, struct known *, known_free);
