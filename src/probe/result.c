/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tallies, scores and usage of a run. See result.h. */
#include "probe/result.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"
#include "probe/usage.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool loops(const struct plan *plan)
{
	return work_row(plan->works[0])->shape == WORK_LOOP;
}

static uint64_t length_ns(const struct window *window)
{
	assert(window->end_ns >= window->begin_ns);
	return window->end_ns - window->begin_ns;
}

/* A worker's own part of the window; of workers that take turns all of the window, since they wait in it. */
static struct worker worker_of(const struct plan *plan, const struct workers *workers,
			       unsigned index, uint64_t elapsed_ns)
{
	const struct slot *slot = workers_slot(workers, index);
	if (!loops(plan))
		return (struct worker) {
			.operations = atomic_load_explicit(&slot->operations, memory_order_relaxed),
			.elapsed_ns = elapsed_ns,
		};
	if (workers_take_turns(workers))
		return (struct worker) { .operations = workers_noted(workers, index),
					 .elapsed_ns = elapsed_ns };
	assert(slot->end.at_ns >= slot->begin.at_ns);
	assert(slot->end.operations >= slot->begin.operations);
	return (struct worker) {
		.operations = slot->end.operations - slot->begin.operations,
		.elapsed_ns = slot->end.at_ns - slot->begin.at_ns,
	};
}

/* A worker that has a CPU to itself does a batch in any window that is long enough to measure. Of those that
 * take turns some may get none, which is a count of 0 and no fault, as long as others had one. */
int result_check(const struct plan *plan, const struct workers *workers, struct error *err)
{
	const unsigned n = workers_count(workers);
	const bool turns = workers_take_turns(workers);
	unsigned n_idle = 0;
	unsigned first_idle = 0;
	for (unsigned i = n; loops(plan) && i-- > 0;)
		if (turns ? workers_noted(workers, i) == 0
			  : workers_slot(workers, i)->begin.at_ns == 0) {
			first_idle = i;
			n_idle++;
		}
	if (n_idle == 0 || (turns && n_idle < n))
		return 0;
	return error_set(err, ETIME, "worker %u completed no batch inside the measured window",
			 first_idle);
}

/* Sums over `n` workers from `first` on. */
static struct tally tally_of(const struct plan *plan, const struct workers *workers, unsigned first,
			     unsigned n, uint64_t elapsed_ns)
{
	const long online = sysconf(_SC_NPROCESSORS_ONLN);
	struct tally tally = {
		.elapsed_ns = elapsed_ns,
		.n_workers = n,
		.cpus_online = online > 0 ? (unsigned)online : 1,
	};
	for (unsigned i = first; i < first + n; i++) {
		const struct worker worker = worker_of(plan, workers, i, elapsed_ns);
		tally.operations += worker.operations;
		if (worker.elapsed_ns > 0)
			tally.rate_per_sec +=
				(double)worker.operations / clock_seconds(worker.elapsed_ns);
	}
	return tally;
}

struct usage result_usage(const struct workers *workers, const struct window *window)
{
	struct usage usage = { .elapsed_ns = length_ns(window) };
	for (unsigned i = 0; i < workers_count(workers); i++) {
		const struct slot *slot = workers_slot(workers, i);
		if (slot->begin.at_ns == 0 && slot->end.at_ns > 0)
			continue; /* It got no turn. */
		usage_add(&usage, &slot->begin.used, &slot->end.used);
	}
	return usage;
}

/* ---- scores ---- */

static const struct metric *metrics_of(const struct plan *plan, size_t *ret_n)
{
	const struct metric *metrics = work_row(plan->works[0])->about.metrics;
	*ret_n = 0;
	while (metrics && metrics[*ret_n].name)
		(*ret_n)++;
	return metrics;
}

static void score(const struct work *work, const struct tally *tally, struct value *ret_values)
{
	if (work_row(work)->score)
		work_row(work)->score(work, tally, ret_values);
	else
		workload_score_rate(work, tally, ret_values);
}

static int send(struct wire *wire, const struct metric *metrics, const struct value *values,
		size_t n)
{
	int failed = 0;
	for (size_t i = 0; !failed && i < n; i++)
		failed = wire_score(wire, &metrics[i], values[i]);
	return failed;
}

struct sink {
	struct wire *wire;
	int failed; /* First -errno. */
};

static void emit(void *opaque, const struct metric *metric, struct value value)
{
	struct sink *sink = opaque;
	assert(metric->role == ROLE_EVIDENCE);
	if (!sink->failed)
		sink->failed = wire_score(sink->wire, metric, value);
}

/* What only the machine can name. */
static int send_more(struct wire *wire, const struct work *work)
{
	struct sink sink = { .wire = wire };
	if (work_row(work)->more)
		work_row(work)->more(work, emit, &sink);
	return sink.failed;
}

int result_send_no_scores(struct wire *wire, const struct plan *plan)
{
	size_t n;
	const struct metric *metrics = metrics_of(plan, &n);
	int failed = 0;
	for (size_t i = 0; !failed && i < n; i++)
		failed = wire_score(wire, &metrics[i], value_missing(MISSING_FAILED));
	return failed;
}

/* From release until the last worker of the copy had done its work. */
static uint64_t copy_elapsed_ns(const struct plan *plan, const struct workers *workers,
				unsigned first, unsigned n, const struct window *window)
{
	if (loops(plan))
		return length_ns(window);
	uint64_t end_ns = window->begin_ns;
	for (unsigned i = first; i < first + n; i++)
		if (workers_slot(workers, i)->end.at_ns > end_ns)
			end_ns = workers_slot(workers, i)->end.at_ns;
	return end_ns - window->begin_ns;
}

/* "will-it-scale.workload" of copy 2: "will-it-scale.instance2.workload". */
static void name_of_copy(const char *prefix, const char *name, unsigned copy,
			 char buffer[static METRIC_NAME_BYTES])
{
	const size_t length = strlen(prefix);
	const bool has_prefix = text_starts_with(name, prefix) && name[length] == '.';
	(void)snprintf(buffer, METRIC_NAME_BYTES, "%s.instance%u.%s", prefix, copy,
		       has_prefix ? name + length + 1 : name);
}

static int send_copy(struct wire *wire, const struct plan *plan, unsigned copy,
		     const struct value *values)
{
	size_t n;
	const struct metric *metrics = metrics_of(plan, &n);
	const char *prefix = plugin_prefix(&work_row(plan->works[copy])->about);
	int failed = 0;
	for (size_t i = 0; !failed && i < n; i++) {
		char name[METRIC_NAME_BYTES];
		struct metric own = metrics[i];
		name_of_copy(prefix, metrics[i].name, copy, name);
		own.name = name;
		own.role = ROLE_EVIDENCE;
		failed = wire_score(wire, &own, values[i]);
	}
	return failed;
}

/* Rates of the whole add up over copies; percentages and rates of one task do not, nor does what is
 * better when it is low: there the worst copy speaks for all. */
static bool adds_up(const struct metric *metric)
{
	return metric->better != BETTER_LOWER && !text_equal(metric->unit, "%") &&
	       !text_ends_with(metric->unit, "/task");
}

/* Takes one copy's value into the whole's. A value that is not known makes the whole not known. */
static void combine(const struct metric *metric, struct value *whole, struct value part)
{
	if (!value_is_known(*whole))
		return;
	const bool lower = metric->better == BETTER_LOWER;
	if (!value_is_known(part))
		*whole = part;
	else if (adds_up(metric))
		whole->number += part.number;
	else if (lower ? part.number > whole->number : part.number < whole->number)
		whole->number = part.number;
}

static int send_copies(struct wire *wire, const struct plan *plan, const struct workers *workers,
		       const struct window *window, struct value *whole)
{
	size_t n;
	const struct metric *metrics = metrics_of(plan, &n);
	const unsigned n_each = workers_count(workers) / plan->n_works;
	AUTO(text) char *block = mem_array(n, sizeof(struct value));
	struct value *values = (void *)block;
	int failed = 0;
	for (unsigned copy = 0; !failed && copy < plan->n_works; copy++) {
		const unsigned first = copy * n_each;
		const uint64_t elapsed_ns = copy_elapsed_ns(plan, workers, first, n_each, window);
		const struct tally tally = tally_of(plan, workers, first, n_each, elapsed_ns);
		score(plan->works[copy], &tally, values);
		failed = send_copy(wire, plan, copy, values);
		for (size_t i = 0; i < n; i++) {
			if (copy == 0)
				whole[i] = values[i];
			else
				combine(&metrics[i], &whole[i], values[i]);
		}
	}
	return failed;
}

int result_send_scores(struct wire *wire, const struct plan *plan, const struct workers *workers,
		       const struct window *window)
{
	size_t n;
	const struct metric *metrics = metrics_of(plan, &n);
	AUTO(text) char *block = mem_array(n, sizeof(struct value));
	struct value *values = (void *)block;
	int failed = 0;
	if (plan->n_works > 1)
		failed = send_copies(wire, plan, workers, window, values);
	/* A plain rate of several copies is a rate like any other, over more tasks. */
	if (plan->n_works == 1 || !work_row(plan->works[0])->score) {
		const struct tally tally =
			tally_of(plan, workers, 0, workers_count(workers), length_ns(window));
		score(plan->works[0], &tally, values);
	}
	if (!failed)
		failed = send(wire, metrics, values, n);
	return failed ? failed : send_more(wire, plan->works[0]);
}

/* Of fixed work only the tasks that count operations show fairness (a sender of hackbench; its
 * receivers count none), each until its own end. */
int result_send_workers(struct wire *wire, const struct plan *plan, const struct workers *workers,
			const struct window *window)
{
	unsigned sent = 0;
	int failed = 0;
	for (unsigned i = 0; i < workers_count(workers) && !failed; i++) {
		const struct slot *slot = workers_slot(workers, i);
		struct worker worker = worker_of(plan, workers, i, length_ns(window));
		if (!loops(plan)) {
			if (worker.operations == 0)
				continue;
			if (slot->end.at_ns > window->begin_ns)
				worker.elapsed_ns = slot->end.at_ns - window->begin_ns;
		}
		failed = wire_worker(wire, sent++, &worker);
	}
	return failed;
}
