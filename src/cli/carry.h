/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `run` and `resume` share: a campaign is carried out with progress, Ctrl-C is taken, and at
 * the end its subjects are compared (or its one subject is summed up).
 */
#pragma once

#include "base/error.h"
#include "cli/options.h"
#include "experiment/plan.h"
#include "place/place.h"
#include "store/store.h"

#define OPTIONS_CARRY                                                                              \
	{ .name = "isolation",                                                                     \
	  .value = "WAY",                                                                          \
	  .words = "isolation",                                                                    \
	  .what = "how children are kept from outliving a run: auto, pid-namespace, cgroup, "      \
		  "subreaper" },                                                                   \
		{ .name = "root",                                                                  \
		  .value = "DIR",                                                                  \
		  .words = "directory",                                                            \
		  .what = "read monitors and environment from a recorded tree" },                  \
	{                                                                                          \
		.name = "quiet", .letter = 'q', .what = "no progress"                              \
	}

/* The place options that the command line gives; state_directory is owned by the caller. */
struct place_options carry_place_options(const struct parsed *parsed, char *state_directory);

/* Looks at the options of OPTIONS_CARRY and OPTIONS_JUDGE before anything is measured. */
int carry_check(const struct parsed *parsed, struct error *err);

/* From now on Ctrl-C, a hang-up and a request to end are told by place_options.interrupted. */
void carry_take_signals(void);

/* Undoes what a crashed assay left applied, and says so. */
int carry_recover(const struct place_options *options, struct error *err);

/* Carries the campaign out and prints its result; gives an exit code. Errors are printed. */
int carry_campaign(struct store *store, int64_t campaign, const struct plan *plan,
		   const struct parsed *parsed, const struct place_options *place);

/* Prints the result of what is kept, without carrying anything out. */
int carry_print(struct store *store, int64_t campaign, const struct plan *plan,
		const struct parsed *parsed);
