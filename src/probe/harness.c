/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sequence of a run. Two windows are kept apart and made to coincide as nearly as they can: that of the
 * workers (each takes its own time) and that of the monitors. At its begin all monitors are read into
 * memory first, then the window opens; at its end the window closes, looping workers stand still, and
 * then the monitors are read. So reading costs no score anything, and the counters contain all of
 * the window and hardly more.
 */
#include "probe/harness.h"

#include "assay_build.h"
#include "base/clock.h"
#include "probe/barrier.h"
#include "probe/environment.h"
#include "probe/mappings.h"
#include "probe/output.h"
#include "probe/result.h"
#include "probe/sampler.h"
#include "probe/usage.h"
#include "probe/workers.h"
#include "record/wire.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

struct harness {
	const struct plan *plan;
	const struct workload *row;
	struct wire *wire;
	struct workers *workers; /* NULL until made. */
	struct sampler *sampler;
	struct mappings mappings;
	uint64_t deadline_ns;
	struct window window; /* Of the workers. */
	struct usage usage;
	unsigned prepared;   /* Copies of the workload. */
	bool stuck;          /* Threads are left that use everything. */
	int broken;          /* First -errno of a write to the stream. */
	struct error reason; /* Why the run was not complete. */
};

static void said(struct harness *harness, int result)
{
	if (result < 0 && !harness->broken)
		harness->broken = result;
}

static uint64_t mark(struct harness *harness, enum phase phase)
{
	const uint64_t now = clock_monotonic_ns();
	said(harness, wire_phase(harness->wire, phase, now));
	return now;
}

static void introduce(struct harness *harness, const struct isolation *isolation)
{
	const char *by = harness->row->about.semantics_by;
	const struct wire_hello hello = {
		.version = ASSAY_VERSION,
		.workload = harness->row->about.name,
		.prefix = plugin_prefix(&harness->row->about),
		.isolation = isolation ? isolation_text(isolation) : "none",
		.semantics = plugin_semantics(&harness->row->about,
					      by ? work_word(harness->plan->works[0], by) : NULL),
		.started_wall_ns = clock_wall_ns(),
	};
	said(harness, wire_hello(harness->wire, &hello));
	if (harness->plan->with_environment) {
		said(harness, environment_record(harness->plan->root_fd, harness->wire));
		if (plugin_parameter_find(&harness->row->about, "program"))
			said(harness,
			     environment_record_program(
				     harness->wire, work_word(harness->plan->works[0], "program")));
	}
	harness->sampler = sampler_new(harness->plan, harness->wire);
}

/* ---- the measured window ---- */

/* Reads the monitors, marks the phase and gives its time. */
static uint64_t begin_window(struct harness *harness)
{
	sampler_first(harness->sampler);
	const uint64_t at_ns = mark(harness, PHASE_MEASURE);
	sampler_begin(harness->sampler, at_ns);
	return at_ns;
}

/* Reads the monitors after a window that ended at `at_ns`. */
static void end_window(struct harness *harness, uint64_t at_ns)
{
	const uint64_t stop_ns = sampler_last(harness->sampler, at_ns);
	said(harness, wire_phase(harness->wire, PHASE_STOP, stop_ns));
}

static int measure_loop(struct harness *harness)
{
	struct workers *workers = harness->workers;
	const uint64_t start_ns = mark(harness, PHASE_WARMUP);
	workers_release(workers);
	int failed = workers_watch(workers, start_ns + work_warmup_ns(harness->plan->works[0]),
				   &harness->reason);
	if (failed)
		return failed;
	(void)begin_window(harness);
	const uint64_t begin_ns = workers_note(workers, /* at_end= */ false);
	workers_tell(workers, PHASE_MEASURE);
	failed = workers_watch(workers, begin_ns + work_duration_ns(harness->plan->works[0]),
			       &harness->reason);
	sampler_stop(harness->sampler);
	const uint64_t end_ns = workers_note(workers, /* at_end= */ true);
	workers_tell(workers, PHASE_STOP);
	if (!failed)
		failed = workers_await_still(workers, &harness->reason);
	if (failed)
		return failed;
	end_window(harness, end_ns);
	harness->window = (struct window) { .begin_ns = begin_ns, .end_ns = end_ns };
	workers_dismiss(workers);
	failed = workers_reap(workers, &harness->reason);
	harness->usage = result_usage(workers, &harness->window);
	return failed;
}

/* Usage between two readings of all workers; of threads the sampler's part is taken away. */
static struct usage usage_of_fixed(const struct harness *harness, const struct rusage *begin,
				   const struct rusage *end)
{
	struct usage usage = { .elapsed_ns = harness->window.end_ns - harness->window.begin_ns };
	usage_add(&usage, begin, end);
	if (work_has_threads(harness->plan->works[0])) {
		struct rusage own_begin;
		struct rusage own_end;
		sampler_own(harness->sampler, &own_begin, &own_end);
		usage_take_away(&usage, &own_begin, &own_end);
	}
	return usage;
}

static int measure_fixed(struct harness *harness)
{
	const int who = work_has_threads(harness->plan->works[0]) ? RUSAGE_SELF : RUSAGE_CHILDREN;
	struct rusage begin;
	struct rusage end;
	(void)begin_window(harness);
	(void)getrusage(who, &begin);
	const uint64_t begin_ns = clock_monotonic_ns();
	workers_release(harness->workers);
	const int failed = workers_reap(harness->workers, &harness->reason);
	const uint64_t end_ns = clock_monotonic_ns();
	(void)getrusage(who, &end);
	sampler_stop(harness->sampler);
	if (failed)
		return failed;
	end_window(harness, end_ns);
	harness->window = (struct window) { .begin_ns = begin_ns, .end_ns = end_ns };
	harness->usage = usage_of_fixed(harness, &begin, &end);
	return 0;
}

/* Each copy at its place, so that what it maps and touches is there. */
static int prepare(struct harness *harness)
{
	const struct plan *plan = harness->plan;
	int failed = 0;
	while (!failed && harness->prepared < plan->n_works) {
		const unsigned copy = harness->prepared;
		work_set_root(plan->works[copy], plan->root_fd);
		failed = instances_bind(plan->instances, copy, &harness->reason);
		if (!failed && harness->row->prepare)
			failed = harness->row->prepare(plan->works[copy], &harness->reason);
		instances_release(plan->instances);
		if (!failed)
			harness->prepared++;
	}
	return failed;
}

static int carry_out(struct harness *harness)
{
	(void)mark(harness, PHASE_PREPARE);
	int failed = mappings_add(&harness->mappings, &harness->reason);
	if (!failed)
		failed = prepare(harness);
	if (failed)
		return failed;
	failed = workers_new(harness->plan, harness->deadline_ns, &harness->workers,
			     &harness->reason);
	if (!failed)
		failed = workers_start(harness->workers, &harness->reason);
	if (!failed)
		sampler_follow(harness->sampler);
	if (!failed)
		failed = sampler_start(harness->sampler, &harness->reason);
	if (failed)
		return failed;
	return harness->row->shape == WORK_LOOP ? measure_loop(harness) : measure_fixed(harness);
}

/* ---- afterwards ---- */

static void emit_score(void *sink, const struct metric *metric, struct value value)
{
	struct harness *harness = sink;
	said(harness, wire_score(harness->wire, metric, value));
}

static void send_results(struct harness *harness)
{
	struct wire *wire = harness->wire;
	said(harness, result_send_scores(wire, harness->plan, harness->workers, &harness->window));
	sampler_report(harness->sampler, &harness->usage, emit_score, harness);
	said(harness, result_send_workers(wire, harness->plan, harness->workers, &harness->window));
}

static enum run_outcome outcome_of(int failed)
{
	if (failed == 0)
		return RUN_COMPLETE;
	return failed == -EOPNOTSUPP ? RUN_UNSUPPORTED : RUN_FAILED;
}

/* Nothing of the workload lives after this, but for threads that hang. */
static void clear_away(struct harness *harness, int failed, const struct isolation *isolation)
{
	sampler_stop(harness->sampler);
	if (failed && harness->workers)
		harness->stuck = !workers_kill(harness->workers);
	(void)mark(harness, PHASE_TEARDOWN);
	if (isolation)
		isolation_kill_rest(isolation);
}

/* After the scores, which may be made of what prepare stored. */
static void retire(const struct harness *harness)
{
	for (unsigned i = 0; !harness->stuck && harness->row->retire && i < harness->prepared; i++)
		harness->row->retire(harness->plan->works[i]);
}

int harness_run(const struct plan *plan, const struct isolation *isolation, int output_fd)
{
	assert(plan->n_works > 0);
	struct harness harness = { .plan = plan, .row = work_row(plan->works[0]) };
	harness.deadline_ns = UINT64_MAX;
	if (plan->time_limit_ns)
		harness.deadline_ns = clock_monotonic_ns() + plan->time_limit_ns;
	barrier_hold_back_child_signals();
	harness.wire = wire_new(plan->wire_fd);
	introduce(&harness, isolation);
	int failed = carry_out(&harness);
	clear_away(&harness, failed, isolation);
	if (!failed)
		failed = result_check(plan, harness.workers, &harness.reason);
	if (failed)
		said(&harness, result_send_no_scores(harness.wire, plan));
	else
		send_results(&harness);
	retire(&harness);
	said(&harness, sampler_finish(harness.sampler));
	if (output_fd >= 0)
		said(&harness, output_send(output_fd, harness.wire));
	if (failed && harness.reason.code == 0)
		(void)error_errno(&harness.reason, -failed, "the workload gave no reason");
	said(&harness,
	     wire_end(harness.wire, outcome_of(failed), failed ? harness.reason.text : ""));
	if (!harness.stuck) {
		sampler_free(harness.sampler);
		workers_free(harness.workers);
		mappings_remove(&harness.mappings);
	}
	wire_free(harness.wire);
	return harness.broken ? HARNESS_UNHEARD : HARNESS_WRITTEN;
}
