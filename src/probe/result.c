/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tally, scores and usage of a run. See result.h. */
#include "probe/result.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/mem.h"
#include "probe/usage.h"

#include <assert.h>
#include <errno.h>
#include <unistd.h>

/* A worker's own part of the window. */
static struct worker worker_of(const struct work *work, const struct slot *slot,
			       uint64_t elapsed_ns)
{
	if (work_row(work)->shape == WORK_FIXED)
		return (struct worker) {
			.operations = atomic_load_explicit(&slot->operations, memory_order_relaxed),
			.elapsed_ns = elapsed_ns,
		};
	assert(slot->end.at_ns >= slot->begin.at_ns);
	assert(slot->end.operations >= slot->begin.operations);
	return (struct worker) {
		.operations = slot->end.operations - slot->begin.operations,
		.elapsed_ns = slot->end.at_ns - slot->begin.at_ns,
	};
}

int result_tally(const struct work *work, const struct workers *workers, uint64_t elapsed_ns,
		 struct tally *ret_tally, struct error *err)
{
	struct tally tally = { .elapsed_ns = elapsed_ns, .n_workers = workers_count(workers) };
	const long online = sysconf(_SC_NPROCESSORS_ONLN);
	tally.cpus_online = online > 0 ? (unsigned)online : 1;
	for (unsigned i = 0; i < tally.n_workers; i++) {
		const struct slot *slot = workers_slot(workers, i);
		if (work_row(work)->shape == WORK_LOOP && slot->begin.at_ns == 0)
			return error_set(err, ETIME,
					 "worker %u completed no batch inside the measured window",
					 i);
		const struct worker worker = worker_of(work, slot, elapsed_ns);
		tally.operations += worker.operations;
		if (worker.elapsed_ns > 0)
			tally.rate_per_sec +=
				(double)worker.operations / clock_seconds(worker.elapsed_ns);
	}
	*ret_tally = tally;
	return 0;
}

struct usage result_usage(const struct workers *workers, uint64_t elapsed_ns)
{
	struct usage usage = { .elapsed_ns = elapsed_ns };
	for (unsigned i = 0; i < workers_count(workers); i++) {
		const struct slot *slot = workers_slot(workers, i);
		usage_add(&usage, &slot->begin.used, &slot->end.used);
	}
	return usage;
}

static size_t count_metrics(const struct metric *metrics)
{
	size_t n = 0;
	while (metrics && metrics[n].name)
		n++;
	return n;
}

int result_send_scores(struct wire *wire, const struct work *work, const struct tally *tally)
{
	const struct workload *row = work_row(work);
	const size_t n = count_metrics(row->about.metrics);
	AUTO(text) char *block = mem_array(n, sizeof(struct value));
	struct value *values = (void *)block;
	for (size_t i = 0; i < n; i++)
		values[i] = value_missing(MISSING_FAILED);
	if (tally && row->score)
		row->score(work, tally, values);
	else if (tally)
		workload_score_rate(work, tally, values);
	for (size_t i = 0; i < n; i++) {
		const int failed = wire_score(wire, &row->about.metrics[i], values[i]);
		if (failed)
			return failed;
	}
	return 0;
}

int result_send_workers(struct wire *wire, const struct work *work, const struct workers *workers,
			uint64_t elapsed_ns)
{
	for (unsigned i = 0; i < workers_count(workers); i++) {
		const struct worker worker = worker_of(work, workers_slot(workers, i), elapsed_ns);
		const int failed = wire_worker(wire, i, &worker);
		if (failed)
			return failed;
	}
	return 0;
}
