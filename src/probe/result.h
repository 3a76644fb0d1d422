/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the workers' slots to what the stream says of the run: tally, scores, worker frames, usage. */
#pragma once

#include "base/error.h"
#include "monitor/monitor.h"
#include "probe/plan.h"
#include "probe/workers.h"
#include "record/wire.h"

#include <stdint.h>

/* When the workers were released and when the last of them had ended, or was told to stop. */
struct window {
	uint64_t begin_ns;
	uint64_t end_ns;
};

/* -ETIME when a worker of a loop did not complete one batch inside the window, unless workers
 * take turns and others did: it counts 0 then. */
int result_check(const struct plan *plan, const struct workers *workers, struct error *err);

/* WORK_LOOP: what the workers used inside their windows. */
struct usage result_usage(const struct workers *workers, const struct window *window);

/* Each of the workload's metrics; of several copies side by side the whole (per-task rates of loops are
 * means over all tasks; else what is better higher is summed, and what is better lower is that of the
 * worst copy), and each copy's own as evidence, "<prefix>.instance0.<rest>". 0 or -errno of a write. */
int result_send_scores(struct wire *wire, const struct plan *plan, const struct workers *workers,
		       const struct window *window);

/* The run failed: all of the workload's metrics are missing. */
int result_send_no_scores(struct wire *wire, const struct plan *plan);

/* Operations and own elapsed time of each worker. With WORK_FIXED the time is from the release until the
 * worker's end, and a worker that counted no operations is not sent: it would say nothing of fairness. */
int result_send_workers(struct wire *wire, const struct plan *plan, const struct workers *workers,
			const struct window *window);
