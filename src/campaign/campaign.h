/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Carries a plan out: each planned run that the store does not have yet, at its place, into the
 * store. Ctrl-C, kill -9 and a full disk lose nothing that was committed; carrying the same
 * campaign out again goes on where it stopped. Once a point is decided (campaign/decide.h) the rest
 * of its runs is not needed and is not carried out.
 */
#pragma once

#include "base/error.h"
#include "experiment/plan.h"
#include "intake/harvest.h"
#include "place/place.h"
#include "store/store.h"
#include "verdict/comparison.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#define CAMPAIGN_FAILED_MANY 5

struct campaign_progress { /* What a progress line can say. */
	uint64_t runs_done, runs_planned;
	uint64_t runs_spared; /* Planned, and not needed: their points are decided. */
	uint64_t runs_failed; /* Kept runs that gave no measurement: failed, unsupported, torn. */
	unsigned failed_in_a_row; /* Of this job, up to now; CAMPAIGN_FAILED_MANY and more: it
				     hardly works here. */
	uint64_t remaining_ns;    /* Estimate from the measured times so far (from plan_estimate_ns
				  before). */
	const struct job *job;    /* The job being carried out, or just kept. */
	const struct plan *plan;  /* That it belongs to. */
	uint64_t sequence;        /* Its place in the order of the plan, from 0. */
	bool warm_up;             /* It warms the session up: kept, never judged. */
	const struct comparison *comparison; /* Of the last look, at whichever point; NULL before
						one. */
	int64_t run_id; /* Of the run that was just kept, in the store; 0 when it has none. */
	enum phase phase;
	bool kept;             /* A run was just kept. */
	const struct run *run; /* The kept run, else NULL. */
};

struct campaign_options {
	struct place_options place;
	void (*progress)(const struct campaign_progress *progress, void *user); /* May be NULL. */
	void *user;
	/* As in struct decide_source. */
	const struct catalogue *catalogue;
	void (*know)(const struct compared_side *sides, size_t n_sides,
		     struct verdict_options *options, void *user);
	void *know_user;
	/* Of the programs whose output is read here; NULL: none. */
	const struct adapters *adapters;
	bool estimates; /* Looks also where nothing can be decided, for progress to tell of. */
};

enum campaign_end {
	CAMPAIGN_FINISHED,
	CAMPAIGN_INTERRUPTED, /* By the person; what was measured is kept. */
	CAMPAIGN_OUT_OF_TIME, /* The plan's time for a session is spent; no block was begun since. */
};

/* Puts the plan into the store under `name` (NULL: made from the plan's name or workload, and the
 * time). -EINVAL when it could be taken for something else in a word that names a side. */
int campaign_start(struct store *store, const struct plan *plan, const char *name,
		   int64_t *ret_campaign, struct error *err);

/* Carries out what is left of a campaign, in one session. A failed workload is a kept run; an error is a failure of
 * the surroundings. A torn run is tried again at once, a few times; when none came to its end the
 * campaign goes on and stays unfinished, so that carrying it out again tries once more. */
int campaign_carry(struct store *store, int64_t campaign, const struct plan *plan,
		   const struct campaign_options *options, enum campaign_end *ret_end,
		   struct error *err);

/* Of the campaign's planned runs, which the store has: a new array of n_runs flags. */
int campaign_done(struct store *store, int64_t campaign, const struct plan *plan, bool **ret_done,
		  struct error *err);
