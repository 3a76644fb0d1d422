/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From sides to comparisons to print: the runs of each side are loaded, those of the same point
 * (workload and parameters) are put beside each other, judged, and rendered.
 */
#pragma once

#include "base/error.h"
#include "cli/options.h"
#include "cli/side.h"
#include "report/report.h"
#include "store/store.h"
#include "verdict/comparison.h"

struct judged; /* Comparisons and all that they borrow. */

struct judge_rules { /* What the command line says of judging. */
	struct verdict_options verdict;
	const char *point_pattern; /* Only points that match it; NULL for all. Borrowed. */
};

/* -EINVAL when nothing can be compared, with why. */
int judge_sides(struct store *store, const struct side *sides, size_t n_sides,
		const struct judge_rules *rules, struct judged **ret_judged, struct error *err);
void judge_free(struct judged *judged);

/* Prints in the format that the options --format, --json, --all, --evidence ask for, on standard
 * output, below the experiment's question (may be NULL); gives the exit code of the worst score. */
int judge_print(const struct judged *judged, const struct parsed *parsed, const char *question);

/* The rules from the options --alpha, --margin and --point. */
int judge_options(const struct parsed *parsed, struct judge_rules *ret_rules, struct error *err);

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
		{ .name = "margin",                                                                \
		  .value = "PERCENT",                                                              \
		  .what = "a change whose interval lies inside is the verdict same (default 1)" }, \
	{                                                                                          \
		.name = "point", .value = "PATTERN",                                               \
		.what = "only workloads and parameters that match"                                 \
	}

DEFINE_AUTO(judged, struct judged *, judge_free);
