/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Guard: do the sides differ in more than the subject? Compares the environment that each run
 * recorded. It warns; it withholds nothing.
 */
#pragma once

#include "verdict/comparison.h"

/* Fills comparison->differences and adds warnings. */
void environment_guard(struct comparison *comparison);
