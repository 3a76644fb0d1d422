/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Workloads and a monitor that misbehave on request, and a way to carry out a run of them in a child and read
 * its stream.
 */
#pragma once

#include "monitor/monitor.h"
#include "probe/plan.h"
#include "record/run.h"
#include "workload/work.h"

#include <stddef.h>

/* A WORK_LOOP. Beside the usual parameters: how = plain, hang, die, exit, fail, refuse, unsupported, slow,
 * kill-all. Worker 1 misbehaves, or worker 0 when it is alone. */
extern const struct workload fake_loop;
/* A WORK_FIXED with mode, nr_task and how; a worker does 7 operations. */
extern const struct workload fake_fixed;

/* A counter that grows by 10 a sample, and a gauge that is never filled in. */
extern const struct monitor fake_monitor;
/* The same, at the edges only. */
extern const struct monitor fake_edges_monitor;
/* Not available: "planted absence". */
extern const struct monitor fake_absent_monitor;

/* Makes a work from "name=value" texts; ends the test when they are wrong. */
struct work *fake_work(const struct workload *row, const char *const *settings);

/* A plan for one work: no monitors, a limit of 20 seconds, subreaper isolation. */
struct plan fake_plan(struct work *const *work);

/* Carries the plan out by supervisor_run in a child and reads the stream. The child gets `signal_number`
 * when the measured phase has been reached (0: none). */
struct run *fake_run(const struct plan *plan, int signal_number);

/* Reads what was written to `fd` (a file, from its start) as a stream. */
struct run *fake_read(int fd);
