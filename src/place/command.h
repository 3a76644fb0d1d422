/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The probe's command line and environment for a job, and where the probe is.
 */
#pragma once

#include "base/error.h"
#include "place/place.h"
#include "record/job.h"

#include <stddef.h>

#define COMMAND_STREAM_FD 3 /* Where the probe writes its record stream. */

struct command {
	char **words; /* argv, NULL-terminated. */
	size_t n_words, words_capacity;
	char **environment; /* NULL-terminated. */
	size_t n_environment, environment_capacity;
};

void command_done(struct command *command);

/* Prefix words, the probe, its options; the environment is this process's with the subject's
 * variables set. `joins`: control groups to join, NULL-terminated or NULL. -EINVAL for a prefix or
 * binary that cannot be. */
int command_make(struct command *command, const struct place_options *options,
		 const struct job *job, char *const *joins, struct error *err);

/* The probe: options->probe_path, else $ASSAY_PROBE, else beside this program, else in its
 * ../libexec/assay, else in a build tree's src/probe beside src/cli, else the installed path.
 * -ENOENT says where it was looked for. New string. */
int command_probe_find(const struct place_options *options, char **ret_path, struct error *err);
