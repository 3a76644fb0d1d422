/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two or more sides beside each other: the one model that every report is rendered from. One
 * comparison is of one point (workload and parameters); the first side is the base, each other side
 * is judged against it. Only complete runs are judged; the others are counted and warned about.
 *
 * Scores: block-permutation test, on the logarithms of what is always positive; p adjusted over the
 * scores of all comparisons that share a budget (family-wise false-alarm rate at most alpha). With too
 * few runs for that test to reach alpha: moderated t, and the verdict is provisional. A campaign that
 * ran until it was decided is judged by its looks (stats/sequential.h). Evidence: moderated t,
 * Benjamini-Hochberg over the monitors (false share at most evidence_rate), metrics that move together
 * are one cluster. Each finding names its method. The design is section 1.5 of the project's paper on
 * statistics; assay-statistics(7) tells it.
 */
#pragma once

#include "base/auto.h"
#include "base/error.h"
#include "record/job.h"
#include "record/run.h"
#include "verdict/finding.h"
#include "verdict/options.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where a run stood in the order of its campaign. */
struct run_place {
	uint64_t block;    /* Equal for the runs of one random block; unique over campaigns. */
	uint64_t sequence; /* Order in which they were carried out, over both sides. */
};

struct compared_side {
	const char *name;      /* Subject's name, or how the side was asked for. Borrowed. */
	const struct job *job; /* Of its first run. Borrowed. */
	const struct run *const *runs; /* Borrowed. */
	size_t n_runs;
	const struct run_place *places; /* One a run; NULL: the order is not known. Borrowed. */
};

struct side_count { /* Runs of a side by how they ended; [RUN_COMPLETE] are the judged ones. */
	size_t outcomes[RUN_OUTCOME_COUNT];
};

/* What a guard has to say; see guard.h. */
struct guard_note {
	const char *guard; /* Name; static. */
	size_t side;       /* The head it is about; 0 = all. */
	char *metric;      /* The score it is about; NULL = all. */
	bool withholds;    /* Else it warns. */
	char *text;        /* One sentence, with the values. */
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
	struct side_count *counts;      /* One a side. */
	struct side_order *orders;      /* One a side; see order.h. */
	struct verdict_options options; /* As asked for; what it points to is borrowed. */
	struct row *rows; /* Scores in the workload's order, restated ones behind them, then
			     evidence (what moved first, by p), then costs. */
	size_t n_rows;
	struct difference *differences; /* Grave ones first. */
	size_t n_differences;
	struct guard_note *notes; /* Withholding ones first. */
	size_t n_notes;
	const struct mark **marks; /* Those of the whole comparison; the rows have theirs. */
	size_t n_marks;
	char **warnings; /* Doubts that every rendering shows, beside the notes. */
	size_t n_warnings;
	double alpha;          /* Family-wise false-alarm rate over the scores. */
	double margin_percent; /* Of "same", as asked for; findings have their own. */
	double evidence_rate;  /* Expected share of false ones among what moved. */
	size_t n_scores_tested, n_evidence_tested; /* Sizes of the two families. */
	size_t n_sharing; /* Comparisons that share one budget; 1 unless they were made to. */
};

/* -EINVAL when the sides may not be compared: another workload, another semantics version, a
 * parameter that no subject sets, fewer than two sides, a side without runs. The sentence says
 * which and both values. */
int comparison_make(const struct compared_side *sides, size_t n_sides,
		    const struct verdict_options *options, struct comparison **ret_comparison,
		    struct error *err);
void comparison_free(struct comparison *comparison);

/* Makes several comparisons (the points of one experiment) share one false-alarm budget: alpha
 * holds for all of them together, and verdicts are found anew (scores are measured anew, because
 * their number decides which test they can have). All must have been made with the same options. */
void comparison_share_budget(struct comparison *const *comparisons, size_t n);

/* The first score, which the sentence is about; NULL when there is none. */
const struct row *comparison_primary(const struct comparison *comparison);

/* Exit code of house style 3.6: 1 when any score is worse, else 125 when any is undecided or
 * withheld, a side has failed runs, or nothing could be judged, else 0. A worse score that a mark
 * expects (within its tolerance) counts as 0, one that a mark calls invalid as 125. */
int comparison_exit_code(const struct comparison *comparison);

/* True when every score of every head is decided: better, worse, changed or same; a campaign need
 * not go on. A withheld verdict is not decided: runs may cure it. */
bool comparison_is_decided(const struct comparison *comparison);

/* Adds a warning that is not there yet. For the files of this room. */
void comparison_warn(struct comparison *comparison, const char *format, ...) PRINTF_LIKE(2, 3);

DEFINE_AUTO(comparison, struct comparison *, comparison_free);
