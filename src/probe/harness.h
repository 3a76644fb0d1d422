/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run from hello to end, in the process that makes the workers. Whatever happens to the workload, the
 * stream gets its last word and says what happened.
 */
#pragma once

#include "probe/isolation.h"
#include "probe/plan.h"

#define HARNESS_WRITTEN 0   /* The run is in the stream, whatever its outcome. */
#define HARNESS_UNHEARD 128 /* The stream could not be written. */

/* output_fd: what output_capture gave, or -1. `isolation` may be NULL (nothing is killed then). The
 * caller is a process of its own with one thread, and ends after this: after a failure threads may be
 * left. */
int harness_run(const struct plan *plan, const struct isolation *isolation, int output_fd);
