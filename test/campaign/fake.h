/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A place that is made for the tests: its runs come from numbers, and it fails, dies or is
 * interrupted when it is told to. It stands in for the room place/, which the tests of campaign/ do
 * not link.
 */
#pragma once

#include "campaign/campaign.h"
#include "store/fixture.h"

#include <signal.h>

#define N_RUNS 8
#define N_LONG 48 /* Of the long plan. */
#define RUN_BASE_WALL (1600000000 * FIXTURE_SECOND)

/* What the place does and what was asked of it. */
struct fake {
	unsigned carries; /* So far. */
	unsigned recovers;
	unsigned recovers_at_first_carry;
	uint64_t number_base;      /* Runs are fixture_run(number_base + carries). */
	unsigned odd_from, odd_to; /* Carries with an outcome other than complete. */
	enum run_outcome odd_outcome;
	unsigned error_at; /* This carry is an error (0 = none). */
	int error_code;
	bool error_keeps_run;
	unsigned interrupt_at; /* The person interrupts during this carry (0 = none). */
	bool refuses_head;
	uint64_t sleep_ns;
	double scores[2]; /* Of base and head, when they matter; 0 = as the fixture draws them. */
	double scatter;   /* Added to them up to four times, in turns of five carries. */
	volatile sig_atomic_t interrupted;
	/* From progress: */
	unsigned kept;
	unsigned most_failed_in_a_row;
	struct campaign_progress last;
};

extern struct fake fake;

/* A store with the campaign "test": N_RUNS runs of base and head in turns, blocks of two. */
struct scene {
	char *directory;
	struct store *store;
	struct plan *plan;
	int64_t campaign;
	struct campaign_options options;
};

void scene_in(struct scene *scene, char *directory); /* Takes the directory. */
/* Until decided: at most N_LONG runs of base and head, in blocks of two of each. */
void scene_long_in(struct scene *scene, char *directory);
void scene_end(struct scene *scene);
/* Carries what is left and checks how it ended. */
void carry_to(struct scene *scene, enum campaign_end want);
struct campaign_row row_of(struct scene *scene); /* Without its strings. */
/* Every kept run is one that the place gave, whole; every planned run has one that ended. */
void check_all_kept(struct scene *scene);
