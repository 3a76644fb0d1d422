/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The process that the caller started: it makes the harness under isolation, waits for it, and sees to it that
 * nothing outlives the run and that the stream has a last word.
 */
#pragma once

#include "base/error.h"
#include "probe/plan.h"

/* Carries out the plan. 0 when a run was written, whatever its outcome; else -errno: the surroundings
 * failed. The caller has one thread; some of its signals stay blocked. */
int supervisor_run(const struct plan *plan, struct error *err);
