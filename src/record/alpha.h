/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which false-alarm rates may be asked for: by an option, by an experiment file, by a plan.
 *
 * The least one keeps 1 - alpha, the confidence of intervals, well apart from 1. It is smaller than any
 * number of runs that a person would wait for can give: 9 blocks of 2 + 2 runs are just enough.
 */
#pragma once

#define ALPHA_LEAST 1e-6
#define ALPHA_MOST 0.5
