/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A run of any workload that is held at a chosen stage, where it has all that it will ever have, and killed there.
 * The hooks of the row are the row's own, called by hooks that hold; the rest of the probe is the shipped one.
 */
#pragma once

#include "base/random.h"
#include "probe/isolation.h"
#include "record/run.h"
#include "workload/workload.h"

#include <stdbool.h>

enum stage {
	STAGE_PREPARE,       /* Behind the hook. */
	STAGE_BEFORE_WORKER, /* Behind that of the last worker. */
	STAGE_AFTER_WORKER,  /* Behind that of the first worker. */
	STAGE_ENTER,         /* Behind that of the first worker. */
	STAGE_BARRIER,       /* Behind enter of the last worker: all others wait at the barrier. */
	STAGE_WARMUP,        /* Behind the first worker's first batch. */
	STAGE_WINDOW,        /* While all work; a fixed amount of work: in front of it. */
	STAGE_LEAVE,         /* In front of the first worker's hook. */
	STAGE_RETIRE,        /* In front of the hook. */
	STAGE_COUNT,         /* Nothing is held, nothing is killed. */
};

enum victim {
	VICTIM_HARNESS,    /* SIGKILL. */
	VICTIM_WORKER,     /* SIGKILL; with threads, and where there is none, the harness. */
	VICTIM_SUPERVISOR, /* SIGKILL. */
	VICTIM_ASKED,      /* SIGTERM to the supervisor. */
	VICTIM_COUNT,
};

struct staged {
	const struct workload *row;
	enum stage stage;
	enum victim victim;
	enum isolation_choice isolation;
	bool as_user;          /* Root becomes an ordinary user first. */
	bool patient;          /* A window of two seconds: for a batch that takes long here. */
	const char *directory; /* For the run's files. */
	struct random *random; /* Draws the words of the parameters. */
};

struct staged_end {
	bool killed;  /* The stage was reached, and the victim was sent its signal. */
	bool hung;    /* It did not end by itself within 60 seconds. */
	bool refused; /* No parameters were found that the row takes. */
	enum run_outcome outcome;
	char reason[256]; /* Of an outcome that is not complete, or of the refusal. */
	char told[512];   /* The parameters. */
};

/* The parameters are the least that the row allows, two workers, 0.05 seconds, and drawn words. */
struct staged_end staged_run(const struct staged *staged);

const char *stage_text(enum stage stage);
const char *victim_text(enum victim victim);
