/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A metric is one named number of a run: a workload's score or a monitor's reading. It says itself
 * what it is: unit, kind, direction and role, from its row to the last column of a report.
 *
 * A monitor reads *channels* (raw readings); a metric is made from channels over the measured
 * window by its kind. The kinds are worked out in one place, record/reduce.c, never in a monitor.
 */
#pragma once

#include "record/value.h"

#include <stddef.h>
#include <stdint.h>

#define METRIC_NAME_BYTES 192

/* Numbers are part of the wire and store formats: only append. */
enum metric_kind {
	METRIC_SCORE = 0,   /* Given by the workload as it is. */
	METRIC_COUNTER = 1, /* Sum of the differences of its channels over the window. */
	METRIC_RATE = 2,    /* The same per second of the window. */
	METRIC_SHARE = 3,   /* 100 * (sum of differences of `parts`) / (sum of differences of
			       `whole`), percent. */
	METRIC_GAUGE = 4,   /* Time-weighted mean over the window (sum of its channels' means). */
	METRIC_MAXIMUM = 5, /* Largest reading in the window (of one channel). */
	METRIC_LAST = 6,    /* Last reading in the window (of one channel). */
	METRIC_SETTLED =
		7, /* Seconds of the window after which its one channel stayed within 5 % of
			       its last reading. */
	METRIC_KIND_COUNT,
};

enum metric_better {
	BETTER_NONE = 0, /* Has no direction: it moved or it did not. */
	BETTER_HIGHER = 1,
	BETTER_LOWER = 2,
	BETTER_UNKNOWN = 3, /* Nobody said; never becomes better or worse. */
	BETTER_COUNT,
};

enum metric_role {
	ROLE_SCORE = 0,    /* Judged: gets a verdict, shares the scores' false-alarm budget. */
	ROLE_RESTATED = 1, /* A score in another unit or formula: shown beside it, never judged a
			      second time. */
	ROLE_EVIDENCE = 2, /* A monitor's reading, or fairness over workers: it moved or not. */
	ROLE_COST = 3,     /* What assay's own measuring cost. */
	ROLE_COUNT,
};

struct metric {
	const char *name; /* Full name: "proc-vmstat.pgfault". */
	const char *unit; /* "KiB", "ops/s", "%"; "1" for a pure count. */
	const char *what; /* One line for a person; may be "". */
	enum metric_kind kind;
	enum metric_better better;
	enum metric_role role;
};

const char *metric_kind_text(enum metric_kind kind); /* "counter", "gauge", ... */
const char *
metric_better_text(enum metric_better better); /* "higher", "lower", "none", "unknown". */
const char *metric_role_text(enum metric_role role);
