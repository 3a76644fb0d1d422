/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From sides to comparisons to print: the runs of each side are loaded, those of the same point
 * (workload and parameters) are put beside each other, judged, and rendered.
 */
#pragma once

#include "base/error.h"
#include "cli/known.h"
#include "cli/options.h"
#include "cli/side.h"
#include "report/report.h"
#include "store/store.h"
#include "verdict/comparison.h"

struct judged; /* Comparisons and all that they borrow. */

struct judge_rules { /* What the command line says of judging. */
	struct verdict_options verdict;
	struct direction *directions; /* Owned; verdict borrows them. */
	const char *point_pattern;    /* Only points that match it; NULL for all. Borrowed. */
};

void judge_rules_done(struct judge_rules *rules);

/* Sides that are whole subjects of one campaign are judged by its plan: the rate and margin that it
 * was carried out with, and by its looks when it ran until it was decided, so that the verdict is the
 * one that ended it. Other sides are judged once. Warm-up runs are left out. -EINVAL when nothing can
 * be compared, with why. `rules` must outlive what is judged. */
int judge_sides(struct store *store, const struct side *sides, size_t n_sides,
		const struct judge_rules *rules, struct judged **ret_judged, struct error *err);
void judge_free(struct judged *judged);

/* The index-th comparison; NULL behind the last one. */
const struct comparison *judge_comparison(const struct judged *judged, size_t index);

/* Prints in the format that the options --format, --json, --all, --evidence ask for, on standard
 * output, below the experiment's question (may be NULL); gives the exit code of the worst score. */
int judge_print(const struct judged *judged, const struct parsed *parsed, const char *question);

/* The comparisons, one a point; a new array. How many. */
size_t judge_comparisons(const struct judged *judged, const struct comparison ***ret_comparisons);

/* What is known of a comparison beyond its runs: the place where noise and marks of the store go
 * into the options. A campaign_options.know; `user` is a struct judge_knowing. */
struct judge_knowing {
	struct store *store;
	const struct judge_rules *rules;
	struct known *known; /* What the store knows; NULL: nothing is asked. Borrowed. */
};
void judge_know(const struct compared_side *sides, size_t n_sides, struct verdict_options *options,
		void *user);

/* The rules from OPTIONS_JUDGE and, where a command has them, OPTIONS_METHOD. */
int judge_options(const struct parsed *parsed, struct judge_rules *ret_rules, struct error *err);

/* One word of --better: "lower", "higher:fio.*". */
int judge_direction(const char *word, struct direction *ret_direction, struct error *err);

/* --effect, or its older name --margin; *ret_percent stays when neither was given, 0 is auto. */
int judge_effect(const struct parsed *parsed, double *ret_percent, struct error *err);

/* Looks at all of OPTIONS_JUDGE, so that a wrong one is told before anything is measured. */
int judge_check(const struct parsed *parsed, struct error *err);

#define OPTIONS_JUDGE                                                                              \
	{ .name = "format",                                                                        \
	  .letter = 'f',                                                                           \
	  .value = "FORMAT",                                                                       \
	  .words = "format",                                                                       \
	  .what = "table, lkp, json or csv" },                                                     \
		{ .name = "all",                                                                   \
		  .letter = 'a',                                                                   \
		  .what = "show every metric, also those that did not move" },                     \
		{ .name = "evidence",                                                              \
		  .value = "N",                                                                    \
		  .what = "rows of evidence to show (default 20)" },                               \
		{ .name = "alpha",                                                                 \
		  .value = "P",                                                                    \
		  .what = "false-alarm rate over all scores of a comparison (default 0.01)" },     \
		{ .name = "effect",                                                                \
		  .value = "PERCENT",                                                              \
		  .words = "effect",                                                               \
		  .what = "a change whose interval lies inside is the verdict same (default "      \
			  "auto: 1, or the score's known noise where that is larger)" },           \
		{ .name = "margin", .value = "PERCENT", .what = "the older name of --effect" },    \
		{ .name = "better",                                                                \
		  .value = "WAY[:METRIC]",                                                         \
		  .words = "better",                                                               \
		  .what = "higher or lower: which way the score (or the metric, a pattern) is "    \
			  "good; may be repeated" },                                               \
	{                                                                                          \
		.name = "point", .value = "PATTERN",                                               \
		.what = "only workloads and parameters that match"                                 \
	}

#define OPTIONS_METHOD                                                                             \
	{ .name = "method",                                                                        \
	  .value = "METHOD",                                                                       \
	  .words = "method",                                                                       \
	  .what = "permutation (default), welch or mann-whitney" },                                \
	{                                                                                          \
		.name = "strict",                                                                  \
		.what = "hold the share of false evidence whatever the metrics have in common"     \
	}

static inline void auto_release_rules(struct judge_rules *rules)
{
	judge_rules_done(rules);
}

DEFINE_AUTO(judged, struct judged *, judge_free);
