/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The score of a plain loop: operations per second. LKP quotes the rate of one task
 * (per_process_ops or per_thread_ops, by the mode) and the sum over tasks (workload); the other
 * mode's number has no meaning for this run and says so.
 */
#include "workload/workload.h"

#include <assert.h>
#include <math.h>

enum {
	RATE_PER_PROCESS,
	RATE_PER_THREAD,
	RATE_TOTAL,
};

void workload_score_rate(const struct work *work, const struct tally *tally,
			 struct value *ret_values)
{
	assert(tally->n_workers > 0);
	const bool has_threads = work_has_threads(work);
	const bool measured = isfinite(tally->rate_per_sec) && tally->elapsed_ns > 0;
	const struct value total =
		measured ? value_known(tally->rate_per_sec) : value_missing(MISSING_FAILED);
	const struct value share = measured ? value_known(tally->rate_per_sec / tally->n_workers)
					    : value_missing(MISSING_FAILED);
	ret_values[RATE_PER_PROCESS] = has_threads ? value_not_applicable() : share;
	ret_values[RATE_PER_THREAD] = has_threads ? share : value_not_applicable();
	ret_values[RATE_TOTAL] = total;
}
