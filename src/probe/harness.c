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
#include "probe/environment.h"
#include "probe/output.h"
#include "probe/result.h"
#include "probe/sampler.h"
#include "probe/usage.h"
#include "probe/workers.h"
#include "record/wire.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <string.h>

struct harness {
	const struct plan *plan;
	const struct workload *row;
	struct wire *wire;
	struct workers *workers; /* NULL until made. */
	struct sampler *sampler;
	uint64_t deadline_ns;
	uint64_t elapsed_ns; /* Of the window. */
	struct usage usage;
	bool prepared;
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
	const struct wire_hello hello = {
		.version = ASSAY_VERSION,
		.workload = harness->row->about.name,
		.prefix = plugin_prefix(&harness->row->about),
		.isolation = isolation ? isolation_text(isolation) : "none",
		.semantics = harness->row->about.semantics,
		.started_wall_ns = clock_wall_ns(),
	};
	said(harness, wire_hello(harness->wire, &hello));
	if (harness->plan->with_environment)
		said(harness, environment_record(harness->plan->root_fd, harness->wire));
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
	int failed = workers_watch(workers, start_ns + work_warmup_ns(harness->plan->work),
				   &harness->reason);
	if (failed)
		return failed;
	(void)begin_window(harness);
	const uint64_t begin_ns = clock_monotonic_ns();
	workers_tell(workers, PHASE_MEASURE);
	failed = workers_watch(workers, begin_ns + work_duration_ns(harness->plan->work),
			       &harness->reason);
	sampler_stop(harness->sampler);
	const uint64_t end_ns = clock_monotonic_ns();
	workers_tell(workers, PHASE_STOP);
	if (!failed)
		failed = workers_await_still(workers, &harness->reason);
	if (failed)
		return failed;
	end_window(harness, end_ns);
	harness->elapsed_ns = end_ns - begin_ns;
	workers_dismiss(workers);
	failed = workers_reap(workers, &harness->reason);
	harness->usage = result_usage(workers, harness->elapsed_ns);
	return failed;
}

/* Usage between two readings of all workers; of threads the sampler's part is taken away. */
static struct usage usage_of_fixed(const struct harness *harness, const struct rusage *begin,
				   const struct rusage *end)
{
	struct usage usage = { .elapsed_ns = harness->elapsed_ns };
	usage_add(&usage, begin, end);
	if (work_has_threads(harness->plan->work)) {
		struct rusage own_begin;
		struct rusage own_end;
		sampler_own(harness->sampler, &own_begin, &own_end);
		usage_take_away(&usage, &own_begin, &own_end);
	}
	return usage;
}

static int measure_fixed(struct harness *harness)
{
	const int who = work_has_threads(harness->plan->work) ? RUSAGE_SELF : RUSAGE_CHILDREN;
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
	harness->elapsed_ns = end_ns - begin_ns;
	harness->usage = usage_of_fixed(harness, &begin, &end);
	return 0;
}

static int carry_out(struct harness *harness)
{
	struct work *work = harness->plan->work;
	(void)mark(harness, PHASE_PREPARE);
	int failed = harness->row->prepare ? harness->row->prepare(work, &harness->reason) : 0;
	if (failed)
		return failed;
	harness->prepared = true;
	failed = workers_new(work, harness->deadline_ns, harness->plan->time_limit_ns,
			     &harness->workers, &harness->reason);
	if (!failed)
		failed = workers_start(harness->workers, &harness->reason);
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

static void send_results(struct harness *harness, const struct tally *tally)
{
	const struct work *work = harness->plan->work;
	said(harness, result_send_scores(harness->wire, work, tally));
	if (!tally)
		return;
	sampler_report(harness->sampler, &harness->usage, emit_score, harness);
	said(harness,
	     result_send_workers(harness->wire, work, harness->workers, harness->elapsed_ns));
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
	if (harness->prepared && !harness->stuck && harness->row->retire)
		harness->row->retire(harness->plan->work);
}

static void nothing(int number)
{
	(void)number;
}

/* SIGCHLD only interrupts the waits that let it in. */
static void hold_back_child_signals(void)
{
	struct sigaction action = { .sa_handler = nothing };
	(void)sigaction(SIGCHLD, &action, /* old= */ NULL);
	sigset_t child;
	(void)sigemptyset(&child);
	(void)sigaddset(&child, SIGCHLD);
	(void)sigprocmask(SIG_BLOCK, &child, /* old= */ NULL);
}

int harness_run(const struct plan *plan, const struct isolation *isolation, int output_fd)
{
	assert(plan->work);
	struct harness harness = { .plan = plan, .row = work_row(plan->work) };
	harness.deadline_ns = UINT64_MAX;
	if (plan->time_limit_ns)
		harness.deadline_ns = clock_monotonic_ns() + plan->time_limit_ns;
	hold_back_child_signals();
	harness.wire = wire_new(plan->wire_fd);
	introduce(&harness, isolation);
	int failed = carry_out(&harness);
	clear_away(&harness, failed, isolation);
	struct tally tally;
	if (!failed)
		failed = result_tally(plan->work, harness.workers, harness.elapsed_ns, &tally,
				      &harness.reason);
	send_results(&harness, failed ? NULL : &tally);
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
	}
	wire_free(harness.wire);
	return harness.broken ? HARNESS_UNHEARD : HARNESS_WRITTEN;
}
