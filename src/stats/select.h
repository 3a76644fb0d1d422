/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Order statistics near an end of many numbers, without sorting them all. */
#pragma once

#include <stddef.h>

/* The k-th largest of n numbers, k from 1 to n; -INFINITY counts as a number, NaN does not. `heap`:
 * room for k, scratch. Quick where k is small beside n. */
double select_largest(const double *numbers, size_t n, size_t k, double *heap);
