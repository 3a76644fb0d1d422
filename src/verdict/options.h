/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the judging is told: rates, margin, method, and what is known from elsewhere (noise, directions,
 * marks). Everything is borrowed and must outlive the comparison.
 */
#pragma once

#include "record/catalogue.h"
#include "record/metric.h"
#include "stats/noise.h"
#include "stats/permute.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a person said of a metric or of a whole comparison: it is shown, and hides nothing. */
struct mark {
	char *target; /* A metric's name or pattern ("proc-vmstat.*"), or "" for the comparison. */
	char *point;  /* Pattern of points; "" = any. */
	bool invalid; /* Else expected. */
	double tolerance_percent; /* Changes within it are expected; NaN = any change. */
	char *why;
	char *who; /* Login name. */
	uint64_t when_wall_ns;
};

enum verdict_method {
	METHOD_PERMUTATION, /* With moderated t where it cannot reach alpha. */
	METHOD_WELCH,
	METHOD_MANN_WHITNEY,
	METHOD_COUNT,
};

struct known_noise { /* How much a metric of this workload scatters on this type of machine. */
	const char *metric;
	struct noise noise;
};

/* How often comparisons of a subject with itself found a change, of this workload on this type of
 * machine: what `assay doctor --aa` measured. */
struct measured_alarms {
	size_t n_comparisons, n_alarms;
	double alpha;     /* What was promised to each comparison. */
	double low, high; /* Interval of the rate at 95 %. */
};

struct direction { /* "--better lower METRIC"; the metric may be a pattern, NULL = all scores. */
	const char *metric;
	enum metric_better better;
};

struct verdict_options {
	double alpha;          /* 0 = 0.01; below ALPHA_LEAST it is judged at that. */
	double margin_percent; /* 0 = the larger of 1 and the metric's known noise. */
	double evidence_rate;  /* 0 = 0.05. */
	bool strict;           /* Benjamini-Yekutieli for the evidence. */
	enum verdict_method method;
	enum permute_score score; /* What the permutation test ranks. */
	size_t sequential_max;    /* Runs a side at which alpha is spent, for campaigns that look
				      * while they run; 0 = a fixed number of runs, one look. */
	size_t n_family; /* Scores x heads x points that share alpha, when their number is fixed
			  * beforehand: each is judged at alpha / n_family (adjusted p = p * n_family,
			  * at most 1), at every look and also after comparison_share_budget(), so that
			  * what was decided at one point stays so whatever the others say later.
			  * 0 = Holm over those that are there. */
	uint64_t seed;   /* Of drawn relabellings; the same answer every time. */
	const struct plugin *plugin; /* The workload's row: order of the scores. NULL: by name. */
	const struct known_noise *noise; /* Sorted by metric. Borrowed, as all below. */
	size_t n_noise;
	const struct direction *directions; /* The last that fits wins. */
	size_t n_directions;
	const struct mark *marks;
	size_t n_marks;
	const struct measured_alarms *alarms; /* NULL: not measured. */
};

const char *verdict_method_text(enum verdict_method method); /* "permutation", "welch", ... */
