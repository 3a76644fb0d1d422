/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Places carry a job to where it runs and bring its run back. One operations table each; place_host
 * is this machine. A place applies the subject's settings before each run and restores them after
 * it, also after Ctrl-C; a journal of what it changed lets the next start restore after a crash
 * (place_recover).
 */
#pragma once

#include "base/error.h"
#include "base/text.h"
#include "record/job.h"
#include "record/run.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct place_options {
	const char *probe_path;      /* NULL: beside this program, else in libexec, else in PATH. */
	const char *state_directory; /* Where the journal of applied settings is. */
	const char *
		root; /* "/" or a recorded tree for the monitors and the environment. NULL = "/". */
	const char *isolation; /* "auto", "pid-namespace", "cgroup", "subreaper". NULL = auto. */
	const volatile sig_atomic_t
		*interrupted; /* Becomes non-zero when the person wants to stop. May be NULL. */
};

/* Called while a run is carried out, a few times a second at most. */
typedef void place_progress(enum phase phase, uint64_t elapsed_ns, void *user);

struct place {
	const char *name;
	const char *what;
	/* 0 when the settings of the job can be applied here; else the reason (which setting, why,
	 * what to do). */
	int (*check)(const struct place_options *options, const struct job *job, struct error *err);
	/* Carries the job out. A workload that fails is a run with its outcome, not an error. On an
	 * error *ret_run is NULL (no run could be had), or a run that is worth keeping although
	 * the settings could not be restored after it. */
	int (*carry)(const struct place_options *options, const struct job *job,
		     place_progress *progress, void *user, struct run **ret_run, struct error *err);
};

extern const struct place place_host;

const struct place *place_find(const char *name); /* NULL when absent. */

/* Restores what a crashed assay left applied. *ret_restored counts the settings put back. */
int place_recover(const struct place_options *options, unsigned *ret_restored, struct error *err);

/* True when a crashed assay left something applied that place_recover would restore; puts the files
 * behind `files`, with ", " between them. */
bool place_leftovers(const char *state_directory, struct text *files);
