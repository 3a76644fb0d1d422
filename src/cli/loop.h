/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A loop of the person's own: --command and --score are the workload `command` with its parameters
 * `program` and `score`, so that all that runs of a workload can do holds for it.
 */
#pragma once

#include "base/error.h"
#include "cli/options.h"
#include "experiment/experiment.h"

#define OPTIONS_LOOP                                                                               \
	{ .name = "command",                                                                       \
	  .letter = 'c',                                                                           \
	  .value = "COMMAND",                                                                      \
	  .what = "measure this program: words split at blanks, '...' and \"...\" keep them" },    \
	{                                                                                          \
		.name = "score", .value = "SCORE", .words = "score",                               \
		.what = "what --command is judged by, may be repeated: time (default), regex:RE, " \
			"json:POINTER or csv:COLUMN, with ,unit= ,better= ,name= ,pick= behind"    \
	}

/* Is a loop asked for? */
bool loop_is_given(const struct parsed *parsed);

/* Adds it to the experiment. */
int loop_add(const struct parsed *parsed, struct experiment *experiment,
	     const struct catalogue *catalogue, struct error *err);

/* -EINVAL when --score is there without --command, or --command beside a workload. */
int loop_check(const struct parsed *parsed, struct error *err);
