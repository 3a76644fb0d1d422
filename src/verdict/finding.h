/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One row of a comparison: a metric, what it was on each side, and what was found of it. */
#pragma once

#include "record/metric.h"
#include "record/value.h"
#include "stats/summary.h"
#include "verdict/options.h"

#include <stdbool.h>
#include <stddef.h>

#define COMPARISON_SAME_CONFIDENCE 0.95 /* Of the interval that "same" is judged by. */

enum verdict {
	VERDICT_BETTER,
	VERDICT_WORSE,
	VERDICT_CHANGED, /* Direction unknown. */
	VERDICT_SAME,    /* The interval lies inside the margin. */
	VERDICT_UNDECIDED,
	VERDICT_WITHHELD, /* A guard forbids a verdict; `reason` says which. */
	VERDICT_MOVED_UP, /* Evidence. */
	VERDICT_MOVED_DOWN,
	VERDICT_UNMOVED,
	VERDICT_NOT_JUDGED, /* Restated scores, costs, and rows without enough known values. */
	VERDICT_COUNT,
};

struct cell {                   /* One metric on one side. */
	struct summary summary; /* Over the known values of complete runs. */
	size_t n_missing;
	size_t n_not_applicable;
	enum missing why;     /* Of the first missing value. */
	const double *values; /* One a complete run, in the order in which they were carried out
			       * where it is known, else as they stand; NaN where not known.
			       * Borrowed from the comparison. */
};

struct finding { /* One metric of one side against the base. */
	enum verdict verdict;
	bool known;    /* Both sides have a value: `change` holds. */
	bool tested;   /* low, high, p and method hold. */
	bool relative; /* change, low, high are per cent of the base mean; else in the metric's unit
			* (base mean 0, or the unit is % : percentage points). */
	double change, low, high;   /* low, high: at confidence 1 - alpha, not adjusted. */
	double same_low, same_high; /* At COMPARISON_SAME_CONFIDENCE: "same" is judged by them. */
	double t;                   /* NaN for methods without one. */
	double p, p_adjusted; /* NaN when not tested; p_adjusted also when outside its family. */
	double smallest_p;  /* What these runs could have given at best; 0 without such a limit. */
	double margin;      /* Of "same", as it held here: per cent, or the metric's unit. */
	const char *method; /* "block permutation", "sequential block permutation", "moderated t",
			       * "Welch t", "Mann-Whitney", "exact"; static. NULL when not tested. */
	bool provisional;   /* Rests on a test that assumes more than the randomisation. */
	size_t look_runs;   /* Runs a side at the look that decided; 0 when not sequential. */
	size_t runs_wanted; /* Undecided: runs a side that would decide with 90 % chance if the
			       * estimate holds; 0 = not known or out of reach. */
	enum verdict unguarded; /* The verdict before a guard withheld it; else the verdict. */
	const char *guard;      /* Name of the guard that withheld it; static. NULL otherwise. */
	char *reason;           /* Why undecided, or withheld; else NULL. */
};

struct row {
	struct metric metric;     /* Strings borrowed from the runs. */
	bool mixed;               /* Its unit or kind is not the same in all runs: never judged. */
	struct cell *cells;       /* One a side. */
	struct finding *findings; /* One a side; [0] is unused. */
	size_t cluster; /* Evidence that moved: rows with the same number move together (one cause);
			 * from 1, 0 = none. The first row of a cluster in the order of rows leads it. */
	size_t n_cluster;        /* Rows in its cluster. */
	const struct mark *mark; /* A person's mark that fits it, or NULL. Borrowed. */
};

const char *verdict_text(enum verdict verdict); /* "better", "moved up", ... */
