/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A process that waits for the death of everything that was forked from here, and then removes what a run
 * left by name: so that not even SIGKILL to the whole run leaves a file behind. It has a session of its own, holds
 * nothing open but the pipe that tells it of their lives, and does nothing when the run ends well.
 */
#pragma once

#include "base/error.h"

struct janitor;

/* The scratch's prefix (scratch.h) is copied. The caller has one thread. */
int janitor_new(const char *prefix, struct janitor **ret_janitor, struct error *err);

/* Sends it away, with nothing to do. For the process that made it; NULL is allowed. */
void janitor_free(struct janitor *janitor);
