/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether anything outlives a run: a supervisor and a harness under one way of isolation, with a grandchild that
 * left its session, lost its parent and closed everything but a pipe that tells of its life.
 */
#pragma once

#include "probe/isolation.h"

#include <stdbool.h>

enum outlive_end {
	OUTLIVE_SUPERVISOR_KILLED, /* SIGKILL to it. */
	OUTLIVE_HARNESS_KILLED,    /* SIGKILL to the harness, then isolation_end. */
	OUTLIVE_ENDED,             /* isolation_end of a harness that still runs. */
	OUTLIVE_KILL_REST, /* The harness calls isolation_kill_rest, lives on and says so. */
};

/* Prints why and skips the test when the way does not work here. */
void outlive_need(enum isolation_choice choice);

/* True when the grandchild was dead within 20 seconds of the end. */
bool outlive_all_died(enum isolation_choice choice, enum outlive_end end);
