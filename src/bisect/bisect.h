/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which commit brought the change, when each measurement is noisy. Nothing is thrown away: each
 * commit between the ends keeps a probability, and so does "nothing changed". The next question is
 * the one that tells most for its cost; a commit that is sure enough, with measurements on both sides
 * of it, is measured afresh against its parent, interleaved, and is only then found.
 *
 * A bisection is a pure function of the graph, the options and the evidence in its order: the same
 * three give the same next step and the same answer, bit for bit. Nothing is read, timed or drawn
 * elsewhere (the order of interleaved runs comes from the seed). To go on after an interruption, or
 * to replay, make it anew and add the evidence again.
 *
 *     AUTO(bisect) struct bisect *bisect = bisect_new(graph, &options);
 *     for (each unit in the log) bisect_add(bisect, &unit);
 *     while (bisect_next(bisect)->phase != BISECT_DONE)
 *             bisect_add(bisect, &(struct bisect_unit) { ... measured ... });
 */
#pragma once

#include "base/auto.h"
#include "base/error.h"
#include "base/macros.h"
#include "bisect/evidence.h"
#include "bisect/graph.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BISECT_STEP_UNITS 40 /* At most in one step. */

enum bisect_phase {
	BISECT_ENDS,    /* Do the ends differ? */
	BISECT_SEARCH,  /* Where? */
	BISECT_CONFIRM, /* Is it so, measured afresh? */
	BISECT_DONE,
};

enum bisect_reason {                     /* Why this step. */
		     BISECT_ENDS_DIFFER, /* Measure the ends: do they differ? */
		     BISECT_TELLS_MOST,  /* Tells most for its cost. */
		     BISECT_BALANCE,     /* Too few units on one side of the likeliest change. */
		     BISECT_NEIGHBOUR,   /* Likely enough, and a neighbour was hardly measured. */
		     BISECT_FRESH,       /* Likely enough: measure both sides of it afresh. */
		     BISECT_REST,        /* One change was found and does not explain the ends. */
		     BISECT_FOUND,       /* DONE: as many changes as explain the ends. */
		     BISECT_NO_CHANGE,   /* DONE: the ends do not differ. */
		     BISECT_UNITS_SPENT, /* DONE: units_max. */
		     BISECT_ATTEMPTS_SPENT, /* DONE: what was likely was not confirmed, attempts_max times. */
		     BISECT_ENDS_BROKEN, /* DONE: an end cannot be measured. */
		     BISECT_REASON_COUNT,
};

/* "tells most for its cost". */
const char *bisect_reason_text(enum bisect_reason reason);

struct bisect_step {
	enum bisect_phase phase;
	enum bisect_reason reason;
	enum bisect_purpose purpose; /* To be said in the units. */
	size_t n_units;
	uint32_t commits[BISECT_STEP_UNITS]; /* One unit each, in this order: interleaved where two
					      * are compared, else all the same commit, which one
					      * boot can serve. The rest may be dropped after any
					      * unit; the next step follows from what was added. */
};

struct bisect_effect { /* Of the values of the later commit less those of the earlier one. */
	bool known;
	double estimate; /* Differences of logarithms where they were judged; of shares of failures. */
	double low, high; /* At 95 %; not finite where so few units bound nothing. */
};

struct bisect_change {
	const uint32_t *commits; /* Owned by the bisection. More than one where commits in between
				  * cannot be measured: it is one of them. In walking order. */
	size_t n_commits;
	double probability;     /* Of all of them together, before the fresh measurement. */
	uint32_t before, after; /* The neighbours that were measured against each other. */
	bool is_confirmed;
	double p; /* Of the fresh measurement; NaN before there is one. */
	size_t n_before, n_after;
	struct bisect_effect effect; /* By the fresh measurement alone. */
};

struct bisect_answer {
	enum bisect_reason reason; /* Why it ended, or why the next step is what it is. */
	bool is_logarithmic;       /* Logarithms were judged. */
	struct bisect_change
		changes[BISECT_CHANGES_MAX]; /* Confirmed ones first, as found; the last
							   * is not confirmed when its is_confirmed
							   * says so: the likeliest so far. */
	size_t n_changes;
	struct bisect_effect ends; /* Bad less good, all units at the ends. */
	double share;              /* Of the ends' effect that confirmed changes explain; NaN. */
	bool is_rest; /* The confirmed changes surely do not explain the ends: there is another. */
	size_t n_given, n_seek, n_verify; /* Units with a value, by purpose. */
	size_t n_failed;                  /* Confirmations that failed. */
	size_t n_built, n_broken;         /* Commits that were measured, and could not be. */
};

struct bisect_remaining { /* Expected up to the end of the search, from what is known now. */
	double units, builds, cost;
	double verify_units; /* And those of the fresh measurement. */
};

struct bisect;

/* Borrows the graph and what the options point to. The options must have passed evidence_check. */
struct bisect *bisect_new(const struct graph *graph,
			  const struct bisect_options *options) NODISCARD;
void bisect_free(struct bisect *bisect);
DEFINE_AUTO(bisect, struct bisect *, bisect_free);

/* One more unit. Its kind must be the oracle's (or BROKEN), its commit of the graph. */
void bisect_add(struct bisect *bisect, const struct bisect_unit *unit);

/* All valid until the next unit is added. */
const struct bisect_step *bisect_next(struct bisect *bisect);
struct bisect_answer bisect_answer(struct bisect *bisect);
struct bisect_remaining bisect_remaining(struct bisect *bisect);

/* The probability of each candidate, in walking order (graph_candidates), and that of "nothing
 * changed" (or "nothing else", once a change was found): their sum is 1. */
const double *bisect_posterior(struct bisect *bisect, double *ret_no_change);

/* Measures one unit of `commit`: fills result, value and session; 0 or a negative errno. */
typedef int (*bisect_measure)(void *context, const struct bisect_step *step, uint32_t commit,
			      struct bisect_unit *ret_unit, struct error *err);

/* Asks until it is done. A failure ends it; what was added stays. */
int bisect_run(struct bisect *bisect, bisect_measure measure, void *context, struct error *err);
