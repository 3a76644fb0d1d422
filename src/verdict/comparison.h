/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two or more sides beside each other: the one model that every report is rendered from. One
 * comparison is of one point (workload and parameters); the first side is the base, each other side
 * is judged against it. Only complete runs are judged; the others are counted and warned about.
 *
 * Scores: Welch interval of the difference of means, p adjusted after Holm over the scores of the
 * comparison (family-wise false-alarm rate at most alpha). Evidence: the same test,
 * Benjamini-Hochberg over the monitors (false share at most evidence_rate). Until the statistics
 * room offers the block-permutation test this is the method; each finding names it.
 */
#pragma once

#include "base/auto.h"
#include "base/error.h"
#include "record/catalogue.h"
#include "record/job.h"
#include "record/run.h"
#include "stats/summary.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

struct compared_side {
	const char *name;      /* Subject's name, or how the side was asked for. Borrowed. */
	const struct job *job; /* Of its first run. Borrowed. */
	const struct run *const *runs; /* Borrowed. */
	size_t n_runs;
};

struct side_count { /* Runs of a side by how they ended; [RUN_COMPLETE] are the judged ones. */
	size_t outcomes[RUN_OUTCOME_COUNT];
};

struct cell {                   /* One metric on one side. */
	struct summary summary; /* Over the known values of complete runs. */
	size_t n_missing;
	size_t n_not_applicable;
	enum missing why; /* Of the first missing value. */
};

struct finding { /* One metric of one side against the base. */
	enum verdict verdict;
	bool known;    /* Both sides have a value: `change` holds. */
	bool tested;   /* Both sides have two: low, high, p and method hold. */
	bool relative; /* change, low, high are per cent of the base mean; else in the metric's unit
			* (base mean 0, or the unit is % : percentage points). */
	double change, low, high;   /* low, high: at confidence 1 - alpha, not adjusted. */
	double same_low, same_high; /* At COMPARISON_SAME_CONFIDENCE: "same" is judged by them. */
	double t;                   /* NaN when exact. */
	double p, p_adjusted; /* NaN when not tested; p_adjusted also when outside its family. */
	const char *method;   /* "Welch t", "exact"; static. NULL when not tested. */
	char *reason;         /* Why undecided for want of data, or withheld; else NULL. */
};

struct row {
	struct metric metric;     /* Strings borrowed from the runs. */
	bool mixed;               /* Its unit or kind is not the same in all runs: never judged. */
	struct cell *cells;       /* One a side. */
	struct finding *findings; /* One a side; [0] is unused. */
};

struct difference { /* A value of the environment that differs between the base and a side, beyond
		       the subject. */
	char *fact;
	size_t side;
	bool grave;      /* It is known to decide speed: kernel, CPU, mitigations, governor ... */
	char *base_text; /* "missing (permission denied)", "varies: a, b" where it was so. */
	char *side_text;
};

struct comparison {
	char *point;                       /* Workload and parameters. */
	const struct compared_side *sides; /* Borrowed; must outlive the comparison. */
	size_t n_sides;
	struct side_count *counts; /* One a side. */
	struct row *rows; /* Scores in the workload's order, restated ones behind them, then
			     evidence (what moved first, by p), then costs. */
	size_t n_rows;
	struct difference *differences; /* Grave ones first. */
	size_t n_differences;
	char **warnings; /* Doubts that every rendering shows. */
	size_t n_warnings;
	double alpha;          /* Family-wise false-alarm rate over the scores. */
	double margin_percent; /* Of "same". */
	double evidence_rate;  /* Expected share of false ones among what moved. */
	size_t n_scores_tested, n_evidence_tested; /* Sizes of the two families. */
	size_t n_sharing; /* Comparisons that share one budget; 1 unless they were made to. */
};

struct verdict_options {
	double alpha;                /* 0 = 0.01. */
	double margin_percent;       /* 0 = 1. */
	double evidence_rate;        /* 0 = 0.05. */
	const struct plugin *plugin; /* The workload's row: order of the scores. NULL: by name. */
};

/* -EINVAL when the sides may not be compared: another workload, another semantics version, a
 * parameter that no subject sets, fewer than two sides, a side without runs. The sentence says
 * which and both values. */
int comparison_make(const struct compared_side *sides, size_t n_sides,
		    const struct verdict_options *options, struct comparison **ret_comparison,
		    struct error *err);
void comparison_free(struct comparison *comparison);

/* Makes several comparisons (the points of one experiment) share one false-alarm budget: alpha
 * holds for all of them together, and verdicts are found anew. All must have been made with the
 * same options. */
void comparison_share_budget(struct comparison *const *comparisons, size_t n);

/* The first score, which the sentence is about; NULL when there is none. */
const struct row *comparison_primary(const struct comparison *comparison);

const char *verdict_text(enum verdict verdict); /* "better", "moved up", ... */

/* Exit code of house style 3.6: 1 when any score is worse, else 125 when any is undecided or
 * withheld, a side has failed runs, or nothing could be judged, else 0. */
int comparison_exit_code(const struct comparison *comparison);

/* Adds a warning that is not there yet. For the files of this room. */
void comparison_warn(struct comparison *comparison, const char *format, ...) PRINTF_LIKE(2, 3);

DEFINE_AUTO(comparison, struct comparison *, comparison_free);
