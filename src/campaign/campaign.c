/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one loop of the laboratory: for each planned run that is not kept yet, carry it at its place
 * and keep it. The store is the journal: what it has is done, so that a campaign can be stopped
 * anywhere and gone on with, without a list of its own.
 */
#include "campaign/campaign.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/text.h"
#include "campaign/decide.h"
#include "campaign/pace.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#define TORN_TRIES 3

/* What the store has of a campaign. */
struct tally {
	bool *done; /* Owned. */
	size_t n;
	uint64_t n_done;
	uint64_t n_failed;
	uint64_t n_spared; /* Not done, and not needed. */
	uint64_t n_behind; /* Places in the order behind the plan that warm-up runs have taken. */
};

static bool has_ended(enum run_outcome outcome)
{
	return outcome != RUN_TORN && outcome != RUN_INTERRUPTED;
}

/* Did it give no measurement, and not because a person stopped it? */
static bool is_failure(enum run_outcome outcome)
{
	return outcome != RUN_COMPLETE && outcome != RUN_INTERRUPTED;
}

static void tally_add(uint64_t sequence, enum run_outcome outcome, void *user)
{
	struct tally *tally = user;

	tally->n_failed += is_failure(outcome);
	if (sequence >= tally->n && sequence - tally->n >= tally->n_behind)
		tally->n_behind = sequence - tally->n + 1;
	if (sequence >= tally->n || tally->done[sequence] || !has_ended(outcome))
		return;
	tally->done[sequence] = true;
	tally->n_done++;
}

static int tally_make(struct store *store, int64_t campaign, const struct plan *plan,
		      struct tally *ret_tally, struct error *err)
{
	struct tally tally = {
		.done = mem_array(plan->n_runs, sizeof(*tally.done)),
		.n = plan->n_runs,
	};
	int rc = store_run_outcomes(store, campaign, tally_add, &tally, err);

	if (rc < 0) {
		free(tally.done);
		return rc;
	}
	*ret_tally = tally;
	return 0;
}

int campaign_done(struct store *store, int64_t campaign, const struct plan *plan, bool **ret_done,
		  struct error *err)
{
	struct tally tally = { 0 };
	int rc = tally_make(store, campaign, plan, &tally, err);

	if (rc == 0)
		*ret_done = tally.done;
	return rc;
}

/* One carrying-out of a campaign. */
struct carrying {
	struct store *store;
	int64_t campaign;
	const struct plan *plan;
	const struct campaign_options *options;
	struct tally tally;
	struct pace *pace;         /* Owned. */
	struct decide *decide;     /* Owned. */
	unsigned *failed_in_a_row; /* Owned; one a job. */
	size_t sequence;           /* The planned run being carried out. */
	bool warming;              /* It is carried out to warm up, and again afterwards. */
	bool warm;                 /* The session needs no warm-up block any more. */
	bool worked;               /* The session has carried something out. */
	uint64_t begun_ns;         /* The session; CLOCK_MONOTONIC. */
};

static inline void auto_release_carrying(struct carrying *at)
{
	free(at->tally.done);
	free(at->failed_in_a_row);
	pace_free(at->pace);
	decide_free(at->decide);
}

static bool is_interrupted(const struct carrying *at)
{
	return at->options->place.interrupted && *at->options->place.interrupted;
}

static void say(struct carrying *at, enum phase phase, uint64_t elapsed_ns, const struct run *kept,
		int64_t id)
{
	const uint32_t job = at->plan->runs[at->sequence].job;
	const struct campaign_progress progress = {
		.runs_done = at->tally.n_done,
		.runs_planned = at->plan->n_runs,
		.runs_spared = at->tally.n_spared,
		.runs_failed = at->tally.n_failed,
		.failed_in_a_row = at->failed_in_a_row[job],
		.remaining_ns = pace_remaining_ns(at->pace, job, elapsed_ns),
		.job = at->plan->jobs[job],
		.plan = at->plan,
		.sequence = at->sequence,
		.warm_up = at->warming,
		.comparison = decide_comparison(at->decide),
		.run_id = id,
		.phase = phase,
		.kept = kept != NULL,
		.run = kept,
	};

	if (at->options->progress)
		at->options->progress(&progress, at->options->user);
}

static void place_says(enum phase phase, uint64_t elapsed_ns, void *user)
{
	say(user, phase, elapsed_ns, /* kept= */ NULL, /* id= */ 0);
}

/* A run that warmed up is of no use for the plan, but tells how long runs take. */
static void count_warm_up(struct carrying *at, const struct run *run, uint64_t took_ns)
{
	at->tally.n_failed += is_failure(run->outcome);
	if (has_ended(run->outcome))
		pace_note_repeated(at->pace, at->plan->runs[at->sequence].job, took_ns);
}

/* A run that another process has kept meanwhile is done as well. */
static void count(struct carrying *at, const struct run *run, bool had_it, uint64_t took_ns)
{
	const struct planned *planned = &at->plan->runs[at->sequence];

	if (is_failure(run->outcome)) {
		at->tally.n_failed++;
		at->failed_in_a_row[planned->job]++;
	} else if (run->outcome == RUN_COMPLETE) {
		at->failed_in_a_row[planned->job] = 0;
	}
	if (had_it || has_ended(run->outcome)) {
		at->tally.done[at->sequence] = true;
		at->tally.n_done++;
		pace_note(at->pace, planned->job, took_ns);
	} else if (run->outcome == RUN_TORN) {
		pace_note_repeated(at->pace, planned->job, took_ns);
	}
}

/* Keeps a run and counts it. */
static int keep(struct carrying *at, const struct run *run, uint64_t took_ns, struct error *err)
{
	const struct planned *planned = &at->plan->runs[at->sequence];
	const uint64_t sequence =
		at->warming ? at->tally.n + at->tally.n_behind++ : (uint64_t)at->sequence;
	const uint32_t block = at->warming ? PLAN_WARM_UP_BLOCK | planned->block : planned->block;
	int64_t id = 0;
	int rc = store_run_put(at->store, at->campaign, sequence, block,
			       at->plan->jobs[planned->job], run, &id, err);

	if (rc < 0 && rc != -EEXIST)
		return rc;
	if (at->warming)
		count_warm_up(at, run, took_ns);
	else
		count(at, run, /* had_it= */ rc == -EEXIST, took_ns);
	say(at, PHASE_TEARDOWN, /* elapsed_ns= */ 0, run, rc == 0 ? id : 0);
	return 0;
}

/* The job at its place, with the scores of its output. *ret_run may be there on an error too: it was
 * measured, and the settings could not be restored after it. */
static int measure(struct carrying *at, const struct job *job, struct run **ret_run,
		   struct error *err)
{
	const struct place *place = place_find(job->place);
	AUTO(job) struct job *carried = NULL;
	struct error of_reading = { 0 };

	assert(place); /* check_jobs has seen it. */
	int rc = harvest_job(at->options->adapters, job, &carried, err);

	if (rc < 0)
		return rc;
	rc = place->carry(&at->options->place, carried, place_says, at, ret_run, err);
	assert(rc < 0 || *ret_run);
	int unread = *ret_run ? harvest_run(at->options->adapters, job, *ret_run, &of_reading) : 0;

	if (rc == 0 && unread < 0 && err)
		*err = of_reading;
	return rc < 0 ? rc : unread;
}

/* Carries one planned run out and keeps it. *ret_outcome is what came of it. */
static int carry_one(struct carrying *at, enum run_outcome *ret_outcome, struct error *err)
{
	const struct job *job = at->plan->jobs[at->plan->runs[at->sequence].job];
	AUTO(run) struct run *run = NULL;
	struct error of_keep = { 0 };

	say(at, PHASE_PREPARE, /* elapsed_ns= */ 0, /* kept= */ NULL, /* id= */ 0);
	const uint64_t before_ns = clock_monotonic_ns();
	int rc = measure(at, job, &run, err);

	if (run) { /* Worth keeping, also when the settings could not be restored after it. */
		int kept = keep(at, run, clock_monotonic_ns() - before_ns, &of_keep);

		*ret_outcome = run->outcome;
		if (rc == 0 && kept < 0) {
			if (err)
				*err = of_keep;
			rc = kept;
		}
	}
	if (rc < 0 && rc != -EINTR)
		(void)error_at(err, "run %zu of %zu", at->sequence + 1, at->plan->n_runs);
	return rc;
}

/* One planned run, again while it is torn. *ret_stop: the person wants to. */
static int carry_planned(struct carrying *at, bool *ret_stop, struct error *err)
{
	enum run_outcome outcome = RUN_TORN;

	for (unsigned i = 0; i < TORN_TRIES && outcome == RUN_TORN; i++) {
		if (is_interrupted(at)) {
			*ret_stop = true;
			return 0;
		}
		int rc = carry_one(at, &outcome, err);

		if (rc == -EINTR && is_interrupted(at)) {
			*ret_stop = true;
			return 0;
		}
		if (rc < 0)
			return rc;
	}
	*ret_stop = outcome == RUN_INTERRUPTED;
	return 0;
}

static size_t point_of(const struct carrying *at, size_t sequence)
{
	return at->plan->runs[sequence].job / at->plan->n_subjects;
}

/* The runs of the point that are left are not needed. */
static void spare_rest(struct carrying *at, size_t point)
{
	for (size_t i = 0; i < at->plan->n_runs; i++) {
		if (at->tally.done[i] || point_of(at, i) != point)
			continue;
		at->tally.n_spared++;
		pace_spare(at->pace, at->plan->runs[i].job);
	}
}

static int look(struct carrying *at, size_t point, struct error *err)
{
	int rc = decide_look(at->decide, point, at->tally.done, err);

	if (rc == 0 && decide_is_over(at->decide, point))
		spare_rest(at, point);
	return rc;
}

/* Whole blocks of these points may have been kept without an answer: assay was killed between the
 * two, or another process kept them. */
static int look_at_all(struct carrying *at, struct error *err)
{
	AUTO(text) char *seen = mem_zero(at->plan->n_points);
	int rc = 0;

	if (!at->plan->stopping.until_decided || at->tally.n_done == 0)
		return 0;
	for (size_t i = 0; i < at->plan->n_runs && rc == 0; i++) {
		const size_t point = point_of(at, i);

		if (at->tally.done[i] || seen[point])
			continue; /* A point without anything left needs no answer. */
		seen[point] = 1;
		rc = look(at, point, err);
	}
	return rc;
}

/* Can every job that is left be carried out? Asked before the first hour is spent. */
static int check_jobs(const struct carrying *at, struct error *err)
{
	AUTO(text) char *seen = mem_zero(at->plan->n_jobs);

	for (size_t i = 0; i < at->plan->n_runs; i++) {
		const uint32_t index = at->plan->runs[i].job;
		const struct job *job = at->plan->jobs[index];
		const struct place *place = NULL;

		if (at->tally.done[i] || seen[index] || decide_is_over(at->decide, point_of(at, i)))
			continue;
		seen[index] = 1;
		place = place_find(job->place);
		if (!place)
			return error_set(err, EINVAL, "there is no place '%s'", job->place);
		AUTO(job) struct job *carried = NULL;
		int rc = harvest_job(at->options->adapters, job, &carried, err);

		if (rc == 0)
			rc = place->check(&at->options->place, carried, err);
		if (rc < 0) {
			(void)error_at(err, "subject '%s'", job->subject);
			return rc;
		}
	}
	return 0;
}

static int prepare(struct carrying *at, struct error *err)
{
	unsigned restored = 0;
	int rc = place_recover(&at->options->place, &restored, err);

	if (rc < 0)
		return rc;
	if (restored)
		log_debug("campaign: %u settings of a run that was cut off are restored", restored);
	rc = tally_make(at->store, at->campaign, at->plan, &at->tally, err);
	if (rc < 0)
		return rc;
	at->failed_in_a_row = mem_array(at->plan->n_jobs, sizeof(*at->failed_in_a_row));
	at->pace = pace_new(at->plan, at->tally.done);
	at->decide = decide_new(&(struct decide_source) { .store = at->store,
							  .campaign = at->campaign,
							  .plan = at->plan,
							  .catalogue = at->options->catalogue,
							  .know = at->options->know,
							  .user = at->options->know_user });
	rc = look_at_all(at, err);
	return rc < 0 ? rc : check_jobs(at, err);
}

/* Never before the first block: each session is to get something done. */
static bool is_time_up(const struct carrying *at)
{
	const uint64_t most_ns = at->plan->stopping.time_max_ns;

	return most_ns > 0 && at->worked && clock_monotonic_ns() - at->begun_ns >= most_ns;
}

static bool is_same_block(const struct carrying *at, size_t one, size_t other)
{
	return one < at->plan->n_runs && other < at->plan->n_runs &&
	       at->plan->runs[one].block == at->plan->runs[other].block;
}

/* The block that comes next, carried out beforehand so that it meets the machine as the later ones
 * do. */
static int warm_up(struct carrying *at, bool *ret_stop, struct error *err)
{
	const size_t planned = at->sequence;
	size_t first = planned;
	int rc = 0;

	at->warm = true;
	while (first > 0 && is_same_block(at, first - 1, planned))
		first--;
	at->warming = true;
	for (at->sequence = first;
	     rc == 0 && !*ret_stop && is_same_block(at, at->sequence, planned); at->sequence++) {
		enum run_outcome outcome = RUN_INTERRUPTED;

		if (!is_interrupted(at))
			rc = carry_one(at, &outcome, err);
		if (rc == -EINTR && is_interrupted(at))
			rc = 0;
		*ret_stop = outcome == RUN_INTERRUPTED;
	}
	at->warming = false;
	at->sequence = planned;
	return rc;
}

/* One planned run with what stands before it and behind it in its block. */
static int carry_next(struct carrying *at, bool *ret_stop, struct error *err)
{
	const size_t point = point_of(at, at->sequence);
	int rc = 0;

	at->worked = true;
	if (at->plan->warm_up && !at->warm)
		rc = warm_up(at, ret_stop, err);
	if (rc == 0 && !*ret_stop)
		rc = carry_planned(at, ret_stop, err);
	if (rc < 0 || *ret_stop || is_same_block(at, at->sequence, at->sequence + 1))
		return rc;
	return at->plan->stopping.until_decided || at->options->estimates ? look(at, point, err)
									  : 0;
}

static int carry_all(struct carrying *at, enum campaign_end *ret_end, struct error *err)
{
	bool stop = false;

	at->begun_ns = clock_monotonic_ns();
	for (; at->sequence < at->plan->n_runs; at->sequence++) {
		const bool begins =
			at->sequence == 0 || !is_same_block(at, at->sequence - 1, at->sequence);

		if (at->tally.done[at->sequence] ||
		    decide_is_over(at->decide, point_of(at, at->sequence)))
			continue;
		if (begins && is_time_up(at)) {
			*ret_end = CAMPAIGN_OUT_OF_TIME;
			return 0;
		}
		int rc = carry_next(at, &stop, err);

		if (rc < 0)
			return rc;
		if (stop) {
			*ret_end = CAMPAIGN_INTERRUPTED;
			return 0;
		}
	}
	*ret_end = CAMPAIGN_FINISHED;
	return 0;
}

int campaign_carry(struct store *store, int64_t campaign, const struct plan *plan,
		   const struct campaign_options *options, enum campaign_end *ret_end,
		   struct error *err)
{
	AUTO(carrying)
	struct carrying at = {
		.store = store,
		.campaign = campaign,
		.plan = plan,
		.options = options,
	};
	enum campaign_end end = CAMPAIGN_FINISHED;
	int rc = prepare(&at, err);

	if (rc == 0)
		rc = carry_all(&at, &end, err);
	if (rc == 0 && end == CAMPAIGN_FINISHED &&
	    at.tally.n_done + at.tally.n_spared == plan->n_runs)
		rc = store_campaign_finish(store, campaign, err);
	if (rc == 0)
		*ret_end = end;
	return rc;
}
