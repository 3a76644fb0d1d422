/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one more measurement is expected to tell, in bits: the mutual information between "this commit
 * is changed" (probability q) and what will be measured there.
 */
#pragma once

#include "base/auto.h"
#include "base/macros.h"

#include <stddef.h>

struct information; /* A table, made once (about a millisecond), interpolated afterwards. */

struct information *information_new(void) NODISCARD;
void information_free(struct information *information);
DEFINE_AUTO(information, struct information *, information_free);

/* A number with normal noise, the levels `effect` deviations apart. */
double information_of_number(const struct information *information, double q, double effect);

/* `n` passes or failures, the shares of failures known. n <= 64. */
double information_of_failures(double q, double unchanged, double changed, size_t n);
