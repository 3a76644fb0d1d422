/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two or more sides beside each other: the one model that every report is rendered from. One
 * comparison is of one point (workload and parameters); the first side is the base, each other side
 * is judged against it.
 *
 * Scores: Welch interval of the difference of means, p adjusted after Holm over the scores of the
 * comparison (family-wise false-alarm rate at most alpha). Evidence: the same test,
 * Benjamini-Hochberg over the monitors (false share at most 5 %). Until the statistics room offers
 * the block-permutation test this is the method; each finding names it.
 */
#pragma once

#include "base/auto.h"
#include "base/error.h"
#include "record/job.h"
#include "record/run.h"
#include "stats/summary.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

struct compared_side {
	const char *name;      /* Subject's name, or how the side was asked for. Borrowed. */
	const struct job *job; /* Of its first run. Borrowed. */
	const struct run *const *runs; /* Borrowed. */
	size_t n_runs;
};

struct cell {                   /* One metric on one side. */
	struct summary summary; /* Over the known values of complete runs. */
	size_t n_missing;
	size_t n_not_applicable;
	enum missing why; /* Of the first missing value. */
};

struct finding { /* One metric of one side against the base. */
	enum verdict verdict;
	bool known;    /* The numbers below hold. */
	bool relative; /* change, low, high are per cent of the base mean; else in the metric's unit
			* (base mean 0, or the unit is % : percentage points). */
	double change, low, high;
	double p, p_adjusted; /* NaN when not tested. */
	const char *method;   /* "Welch t", "exact"; static. */
};

struct row {
	struct metric metric;     /* Strings borrowed from the runs. */
	struct cell *cells;       /* One a side. */
	struct finding *findings; /* One a side; [0] is unused. */
};

struct difference { /* A value of the environment that differs between the base and a side, beyond
		       the subject. */
	char *fact;
	size_t side;
	char *base_text; /* "missing (permission denied)" where it was so. */
	char *side_text;
};

struct comparison {
	char *point;                       /* Workload and parameters. */
	const struct compared_side *sides; /* Borrowed; must outlive the comparison. */
	size_t n_sides;
	struct row *rows; /* Scores in the workload's order, restated ones behind them, then
			     evidence by p, then costs. */
	size_t n_rows;
	struct difference *differences;
	size_t n_differences;
	char **warnings; /* Doubts that every rendering shows. */
	size_t n_warnings;
	double alpha;          /* Family-wise false-alarm rate over the scores. */
	double margin_percent; /* Of "same". */
	size_t n_scores_tested, n_evidence_tested;
};

struct verdict_options {
	double alpha;          /* 0 = 0.01. */
	double margin_percent; /* 0 = 1. */
	double evidence_rate;  /* 0 = 0.05. */
};

/* -EINVAL when the sides may not be compared: another workload, another semantics version, fewer
 * than two sides. The sentence says which and both values. */
int comparison_make(const struct compared_side *sides, size_t n_sides,
		    const struct verdict_options *options, struct comparison **ret_comparison,
		    struct error *err);
void comparison_free(struct comparison *comparison);

const char *verdict_text(enum verdict verdict); /* "better", "moved up", ... */

/* Exit code of house style 3.6: 1 when any score is worse, else 125 when any is undecided or
 * withheld or a side has failed runs, else 0. */
int comparison_exit_code(const struct comparison *comparison);

DEFINE_AUTO(comparison, struct comparison *, comparison_free);
