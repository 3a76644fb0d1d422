/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The programs that ours are held against: one row says how the original is started, how its number is read,
 * what ours is, and where the original is at fault. A row may also say why there is nothing to compare.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum peer_reading {
	PEER_BEHIND,  /* The number stands behind the marker: "Time: 1.183". */
	PEER_BEFORE,  /* The number stands before the marker: "1826 records/s". */
	PEER_ELAPSED, /* The seconds that the program takes, which prints none. */
};

struct peer_source {          /* Where a program comes from. */
	const char *suite;    /* What --only selects by: "perf". */
	const char *program;  /* In PATH, or in the directory that the variable names. */
	const char *variable; /* "ASSAY_PERF": the program, or its directory. NULL: PATH only. */
	bool is_directory;
	bool in_path; /* It is looked for in PATH when the variable is not set. */
};

struct peer {
	const struct peer_source *source;
	const char *name;     /* "sched messaging process socket". */
	const char *original; /* Arguments, separated by one blank. */
	const char *ours;     /* Workload and its parameters, likewise. */
	const char *metric;   /* Of ours; NULL: its first score. */
	enum peer_reading reading;
	const char *marker;
	unsigned lines;     /* The number is taken at this marker, and the program is ended. */
	double per;         /* The original's number is divided by this to mean what ours means. */
	bool one_task;      /* Two programs of one task run side by side, a CPU each. */
	double seconds;     /* About, of one pair. */
	const char *fault;  /* Of the original, told below the row; or NULL. */
	const char *absent; /* Why nothing of ours is comparable; all else is empty then. */
};

extern const struct peer peers[];
extern const size_t peer_count;

/* Where the tests of will-it-scale come from; their rows are made from the table of workloads. */
extern const struct peer_source peer_will_it_scale;

/* The program's path for exec; NULL with the reason in the buffer. New string. */
char *peer_find(const struct peer_source *source, const char *program, char *reason, size_t size);
