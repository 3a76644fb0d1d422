/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From what a stream said to the run: metrics reduced over the measured window, what measuring
 * cost, fairness over workers, and everything that did not come marked missing.
 */
#pragma once

#include "record/decode.h"
#include "record/run.h"

/* Takes all that is in `decoded`, which only decoded_free may touch afterwards. The caller owns the
 * run. */
struct run *finish_run(struct decoded *decoded);
