/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the workers' slots to what the stream says of the run: tally, scores, worker frames, usage. */
#pragma once

#include "base/error.h"
#include "monitor/monitor.h"
#include "probe/workers.h"
#include "record/wire.h"
#include "workload/work.h"

#include <stdint.h>

/* Sums over the workers. -ETIME when a worker of a loop did not complete one batch inside the window. */
int result_tally(const struct work *work, const struct workers *workers, uint64_t elapsed_ns,
		 struct tally *ret_tally, struct error *err);

/* WORK_LOOP: what the workers used inside their windows. */
struct usage result_usage(const struct workers *workers, uint64_t elapsed_ns);

/* Each of the workload's metrics. tally NULL: the run failed, all are missing. 0 or -errno of a write. */
int result_send_scores(struct wire *wire, const struct work *work, const struct tally *tally);

/* Operations and own elapsed time of each worker; with WORK_FIXED all have the elapsed time of the whole. */
int result_send_workers(struct wire *wire, const struct work *work, const struct workers *workers,
			uint64_t elapsed_ns);
