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
#include "campaign/pace.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <time.h>

#define TORN_TRIES 3

/* A name must not be taken for another way to name a side: CAMPAIGN/SUBJECT, run:ID, @key=value. */
static int name_check(const char *name, struct error *err)
{
	if (name[0] == '\0')
		return error_set(err, EINVAL, "the name of a campaign is empty");
	for (const char *at = name; *at; at++)
		if ((unsigned char)*at < ' ' || *at == '/' || *at == 0x7f)
			return error_set(err, EINVAL,
					 "the campaign name '%s' holds a '/' or a control "
					 "character: take another",
					 name);
	if (name[0] == '@' || text_starts_with(name, "run:"))
		return error_set(err, EINVAL,
				 "the campaign name '%s' begins with '@' or 'run:', which name "
				 "runs: take another",
				 name);
	return 0;
}

/* "hackbench-2026-09-29-140305", local time. New string. */
static char *name_make(const struct plan *plan)
{
	const char *what = plan->name && plan->name[0] ? plan->name : plan->jobs[0]->workload;
	const time_t now = (time_t)(clock_wall_ns() / NS_PER_SEC);
	char stamp[64] = "";
	struct tm local;

	if (localtime_r(&now, &local))
		(void)strftime(stamp, sizeof(stamp), "%Y-%m-%d-%H%M%S", &local);
	char *name = mem_format("%s-%s", what, stamp);

	for (char *at = name; *at; at++)
		if ((unsigned char)*at < ' ' || *at == '/' || *at == 0x7f)
			*at = '-';
	return name;
}

int campaign_start(struct store *store, const struct plan *plan, const char *name,
		   int64_t *ret_campaign, struct error *err)
{
	AUTO(text) char *json = plan_to_json(plan);
	int rc = 0;

	assert(plan->n_jobs > 0);
	if (name) {
		rc = name_check(name, err);
		return rc < 0 ? rc
			      : store_campaign_add(store, name, json, plan->n_runs, ret_campaign,
						   err);
	}

	AUTO(text) char *made = name_make(plan);

	if (name_check(made, NULL) < 0) /* A plan's name that begins with '@'. */
		made[0] = 'x';
	rc = store_campaign_add(store, made, json, plan->n_runs, ret_campaign, err);
	for (unsigned i = 2; rc == -EEXIST && i < 100; i++) { /* Two within one second. */
		AUTO(text) char *another = mem_format("%s-%u", made, i);

		rc = store_campaign_add(store, another, json, plan->n_runs, ret_campaign, err);
	}
	return rc;
}

/* What the store has of a campaign. */
struct tally {
	bool *done; /* Owned. */
	size_t n;
	uint64_t n_done;
	uint64_t n_failed;
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
	unsigned *failed_in_a_row; /* Owned; one a job. */
	size_t sequence;           /* The planned run being carried out. */
};

static inline void auto_release_carrying(struct carrying *at)
{
	free(at->tally.done);
	free(at->failed_in_a_row);
	pace_free(at->pace);
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
		.runs_failed = at->tally.n_failed,
		.failed_in_a_row = at->failed_in_a_row[job],
		.remaining_ns = pace_remaining_ns(at->pace, job, elapsed_ns),
		.job = at->plan->jobs[job],
		.plan = at->plan,
		.sequence = at->sequence,
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

/* Keeps a run and counts it. A run that another process has kept meanwhile is done as well. */
static int keep(struct carrying *at, const struct run *run, uint64_t took_ns, struct error *err)
{
	const struct planned *planned = &at->plan->runs[at->sequence];
	int64_t id = 0;
	int rc = store_run_put(at->store, at->campaign, at->sequence, planned->block,
			       at->plan->jobs[planned->job], run, &id, err);

	if (rc < 0 && rc != -EEXIST)
		return rc;
	if (is_failure(run->outcome)) {
		at->tally.n_failed++;
		at->failed_in_a_row[planned->job]++;
	} else if (run->outcome == RUN_COMPLETE) {
		at->failed_in_a_row[planned->job] = 0;
	}
	if (rc == -EEXIST || has_ended(run->outcome)) {
		at->tally.done[at->sequence] = true;
		at->tally.n_done++;
		pace_note(at->pace, planned->job, took_ns);
	} else if (run->outcome == RUN_TORN) {
		pace_note_repeated(at->pace, planned->job, took_ns);
	}
	say(at, PHASE_TEARDOWN, /* elapsed_ns= */ 0, run, rc == 0 ? id : 0);
	return 0;
}

/* Carries one planned run out and keeps it. *ret_outcome is what came of it. */
static int carry_one(struct carrying *at, enum run_outcome *ret_outcome, struct error *err)
{
	const struct job *job = at->plan->jobs[at->plan->runs[at->sequence].job];
	const struct place *place = place_find(job->place);
	AUTO(run) struct run *run = NULL;
	struct error of_keep = { 0 };

	assert(place); /* check_jobs has seen it. */
	say(at, PHASE_PREPARE, /* elapsed_ns= */ 0, /* kept= */ NULL, /* id= */ 0);
	const uint64_t before_ns = clock_monotonic_ns();
	int rc = place->carry(&at->options->place, job, place_says, at, &run, err);

	assert(rc < 0 || run);
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

/* Can every job that is left be carried out? Asked before the first hour is spent. */
static int check_jobs(const struct carrying *at, struct error *err)
{
	AUTO(text) char *seen = mem_zero(at->plan->n_jobs);

	for (size_t i = 0; i < at->plan->n_runs; i++) {
		const uint32_t index = at->plan->runs[i].job;
		const struct job *job = at->plan->jobs[index];
		const struct place *place = NULL;

		if (at->tally.done[i] || seen[index])
			continue;
		seen[index] = 1;
		place = place_find(job->place);
		if (!place)
			return error_set(err, EINVAL, "there is no place '%s'", job->place);
		int rc = place->check(&at->options->place, job, err);

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
	return check_jobs(at, err);
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
	bool stop = false;
	int rc = prepare(&at, err);

	for (; rc == 0 && !stop && at.sequence < plan->n_runs; at.sequence++)
		if (!at.tally.done[at.sequence])
			rc = carry_planned(&at, &stop, err);
	if (rc == 0 && !stop && at.tally.n_done == plan->n_runs)
		rc = store_campaign_finish(store, campaign, err);
	if (rc == 0)
		*ret_end = stop ? CAMPAIGN_INTERRUPTED : CAMPAIGN_FINISHED;
	return rc;
}
