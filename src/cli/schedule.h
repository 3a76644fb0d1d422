/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options of `assay run` that say when enough has been measured, and what is good. They go before what a file
 * says; among themselves they must not contradict each other.
 */
#pragma once

#include "base/error.h"
#include "cli/options.h"
#include "experiment/experiment.h"

#define OPTIONS_SCHEDULE                                                                           \
	{ .name = "until",                                                                         \
	  .value = "END",                                                                          \
	  .words = "until",                                                                        \
	  .what = "decided (default): until every score of every head has its verdict" },          \
		{ .name = "runs",                                                                  \
		  .letter = 'n',                                                                   \
		  .value = "N",                                                                    \
		  .what = "a fixed number of runs of each subject at each point instead" },        \
		{ .name = "max-runs",                                                              \
		  .value = "N",                                                                    \
		  .what = "the most runs of each subject until decided (default 20, least 8)" },   \
		{ .name = "max-time",                                                              \
		  .value = "TIME",                                                                 \
		  .what = "begin no block after this time; 'assay resume' goes on" },              \
		{ .name = "warm-up-block",                                                         \
		  .what = "begin with a block of runs that are kept and never judged" },           \
	{                                                                                          \
		.name = "aa", .value = "PERCENT",                                                  \
		.what = "share of the runs that measure the base against a twin of itself"         \
	}

/* -EINVAL with a sentence when options contradict each other or the file. The limits of the numbers
 * are experiment_check's. */
int schedule_override(const struct parsed *parsed, struct experiment *experiment,
		      struct error *err);
