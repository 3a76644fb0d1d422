/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Isolation: how it is made sure that nothing outlives a run, whatever kills the probe. Three ways,
 * the strongest first; `auto` takes the first that works here.
 *
 *     pid-namespace   The harness is pid 1 of a PID namespace (without root: inside a user
 *                     namespace); when it dies the kernel kills all.
 *     cgroup          The harness lives in a control group of its own; a watcher outside writes
 *                     cgroup.kill when the supervisor has gone.
 *     subreaper       Supervisor and harness adopt orphans; the harness kills all descendants when
 *                     the supervisor has gone. The weak one: it does not survive that both are killed
 *                     at once.
 *
 * The supervisor calls _new before it forks and _end after; the forked harness calls _settle first and
 * _kill_rest last.
 */
#pragma once

#include "base/auto.h"
#include "base/error.h"

#include <stdbool.h>

#include <sys/types.h>

enum isolation_choice {
	ISOLATION_AUTO,
	ISOLATION_PID_NAMESPACE,
	ISOLATION_CGROUP,
	ISOLATION_SUBREAPER,
	ISOLATION_COUNT,
};

struct isolation;

/* "auto", "pid-namespace", "cgroup", "subreaper". False when it is none of these. */
bool isolation_parse(const char *word, enum isolation_choice *ret_choice);

/* Makes what must be there before the fork. The caller has one thread. -EOPNOTSUPP with the reason
 * when the way that was asked for does not work here. */
int isolation_new(enum isolation_choice choice, struct isolation **ret_isolation,
		  struct error *err);
void isolation_free(struct isolation *isolation); /* NULL is allowed. */

/* What goes into the record: "pid-namespace+user-namespace". */
const char *isolation_text(const struct isolation *isolation);

/* In the harness, as its first act: enters, and binds its life to the supervisor's. */
int isolation_settle(struct isolation *isolation, struct error *err);

/* In the harness: kills and reaps everything of this run but the harness itself. */
void isolation_kill_rest(const struct isolation *isolation);

/* In the supervisor: kills the harness (pid; 0 when it has been reaped) and whatever is left. Nothing
 * of the run lives when this returns. */
void isolation_end(struct isolation *isolation, pid_t harness);

DEFINE_AUTO(isolation, struct isolation *, isolation_free);
