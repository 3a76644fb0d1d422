/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The layout of the kernel test robot's mails, for readers and scripts that know it: same columns,
 * same widths. What differs on purpose: the compared things are named as they were asked for and
 * not by a hash, the deviation divides by n - 1, a missing value prints as "missing" and not as 0,
 * the benchmark's own results come first, metrics that move together are one row and a count, and
 * what the columns cannot say (verdicts, guards, marks) stands in lines around them.
 */
#include "base/mem.h"
#include "report/column.h"
#include "report/evidence.h"
#include "report/formats.h"
#include "report/method.h"
#include "report/number.h"
#include "report/reason.h"

#include <math.h>
#include <stdio.h>

#define RULE_WIDTH 89
#define BASE_WIDTH 16
#define HEAD_WIDTH 27
#define NUMBER_WIDTH 10
#define DEVIATION_WIDTH 6
#define EVIDENCE_MAX_PRESET 20
#define DEVIATION_SHOWN_ABOVE 2.0

static void add_repeated(struct text *text, char letter, size_t n)
{
	for (size_t i = 0; i < n; i++)
		text_add_bytes(text, &letter, 1);
}

/* Names and values of the parameters that all sides share, on two lines. */
static void add_axes(struct text *text, const struct comparison *comparison)
{
	const struct job *job = comparison->sides[0].job;
	struct text names = { 0 };
	struct text values = { 0 };
	for (size_t i = 0; i < job->n_arguments; i++) {
		const struct argument *argument = &job->arguments[i];
		bool shared = true;
		for (size_t side = 1; side < comparison->n_sides; side++)
			shared &= text_equal(
				argument->value,
				job_argument(comparison->sides[side].job, argument->name));
		if (!shared)
			continue;
		text_add(&names, "%s/", argument->name);
		text_add(&values, "%s/", argument->text ? argument->text : argument->value);
	}
	add_repeated(text, '=', RULE_WIDTH);
	text_add(text, "\n%stestcase:\n  %s%s\n\n", text_string(&names), text_string(&values),
		 job->workload);
	text_done(&names);
	text_done(&values);
}

static void add_columns(struct text *text, const struct comparison *comparison)
{
	text_add(text, "subject: \n");
	for (size_t side = 0; side < comparison->n_sides; side++)
		text_add(text, "  %s\n", comparison->sides[side].name);
	text_add(text, "\n");
	for (size_t side = 0; side < comparison->n_sides; side++) {
		column_right(text, comparison->sides[side].name, side ? HEAD_WIDTH : BASE_WIDTH);
		text_add(text, " ");
	}
	text_add(text, "\n");
	for (size_t side = 0; side < comparison->n_sides; side++) {
		add_repeated(text, '-', side ? HEAD_WIDTH : BASE_WIDTH);
		text_add(text, " ");
	}
	text_add(text, "\n");
}

/* ---- failures ---- */

static bool has_outcome(const struct comparison *comparison, size_t outcome)
{
	for (size_t side = 0; side < comparison->n_sides; side++)
		if (comparison->counts[side].outcomes[outcome])
			return true;
	return false;
}

static void add_failures_cell(struct text *text, size_t failed, size_t n)
{
	if (failed)
		text_add(text, "%11zu", failed);
	else
		text_add(text, "%11s", "");
	char runs[NUMBER_BYTES];
	(void)snprintf(runs, sizeof(runs), ":%-4zu", n);
	text_add(text, "%s", runs);
}

static void add_failure_row(struct text *text, const struct comparison *comparison, size_t outcome)
{
	const size_t n_base = comparison->sides[0].n_runs;
	const size_t n_base_failed = comparison->counts[0].outcomes[outcome];
	add_failures_cell(text, n_base_failed, n_base);
	for (size_t side = 1; side < comparison->n_sides; side++) {
		const size_t n = comparison->sides[side].n_runs;
		const size_t n_failed = comparison->counts[side].outcomes[outcome];
		text_add(text, "%10.0f%% ",
			 100.0 * ((double)n_failed / (double)n -
				  (double)n_base_failed / (double)n_base));
		add_failures_cell(text, n_failed, n);
	}
	text_add(text, "  run.%s\n", run_outcome_text((enum run_outcome)outcome));
}

static void add_failures(struct text *text, const struct comparison *comparison)
{
	bool any = false;
	for (size_t outcome = RUN_COMPLETE + 1; outcome < RUN_OUTCOME_COUNT; outcome++) {
		if (!has_outcome(comparison, outcome))
			continue;
		if (!any) {
			text_add(text, "       fail:runs");
			for (size_t side = 1; side < comparison->n_sides; side++)
				text_add(text, "  %%reproduction    fail:runs");
			text_add(text, "\n           |    ");
			for (size_t side = 1; side < comparison->n_sides; side++)
				text_add(text, "         |             |    ");
			text_add(text, "\n");
		}
		any = true;
		add_failure_row(text, comparison, outcome);
	}
}

/* ---- numbers ---- */

static void add_mean(struct text *text, const struct cell *cell)
{
	const double mean = cell->summary.mean;
	if (cell->summary.n == 0)
		text_add(text, "%*s", NUMBER_WIDTH, cell->n_not_applicable ? "n/a" : "missing");
	else if (fabs(mean) < 1000.0)
		text_add(text, "%*.2f", NUMBER_WIDTH, mean);
	else if (fabs(mean) > 1e8)
		text_add(text, "%*.4g", NUMBER_WIDTH, mean);
	else
		text_add(text, "%*.0f", NUMBER_WIDTH, trunc(mean));

	const double deviation = summary_relative_deviation(&cell->summary);
	if (deviation > DEVIATION_SHOWN_ABOVE)
		text_add(text, " ±%3.0f%%", trunc(deviation));
	else
		text_add(text, "%*s", DEVIATION_WIDTH, "");
}

/* Of the two means that stand beside it, as readers of this layout compute it; the verdicts below
 * rest on the finding's own estimate. */
static void add_change(struct text *text, const struct row *row, size_t side)
{
	const struct finding *finding = &row->findings[side];
	const double base = row->cells[0].summary.mean;
	const double difference = row->cells[side].summary.mean - base;
	const double percent = 100.0 * difference / fabs(base);
	if (!finding->known)
		text_add(text, "%*s", NUMBER_WIDTH + 2, "");
	else if (!finding->relative)
		text_add(text, "%+*.1f  ", NUMBER_WIDTH, difference);
	else if (fabs(percent) < 100000.0)
		text_add(text, "%+*.1f%% ", NUMBER_WIDTH, percent);
	else
		text_add(text, "%+*.2g%% ", NUMBER_WIDTH, percent);
}

static void add_row(struct text *text, const struct comparison *comparison, const struct row *row)
{
	add_mean(text, &row->cells[0]);
	for (size_t side = 1; side < comparison->n_sides; side++) {
		add_change(text, row, side);
		add_mean(text, &row->cells[side]);
	}
	text_add(text, "  %s\n", row->metric.name);
}

static bool has_values(const struct comparison *comparison, const struct row *row)
{
	for (size_t side = 0; side < comparison->n_sides; side++)
		if (row->cells[side].summary.n)
			return true;
	return false;
}

static void add_results(struct text *text, const struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->n_rows; i++) {
		const struct row *row = &comparison->rows[i];
		const bool is_result =
			row->metric.role == ROLE_SCORE || row->metric.role == ROLE_RESTATED;
		if (is_result && (has_values(comparison, row) || row->cells[0].n_missing))
			add_row(text, comparison, row);
	}
}

/* One row for each group of metrics that move together, and how many rows are not shown. */
static void add_moved(struct text *text, const struct comparison *comparison, size_t limit)
{
	AUTO(evidence) struct evidence *evidence = evidence_make(comparison, /* side= */ 0);
	size_t n_followers = 0;
	size_t n_rest = evidence->n_moved;
	for (size_t i = 0; i < evidence->n_groups && i < limit; i++) {
		const struct evidence_group *group = &evidence->groups[i];
		add_row(text, comparison, &comparison->rows[evidence->rows[group->first]]);
		n_followers += group->n - 1;
		n_rest -= group->n;
	}
	if (n_followers)
		text_add(text, "(%zu more row%s moved together with one of these)\n", n_followers,
			 n_followers == 1 ? "" : "s");
	if (n_rest)
		text_add(text, "(%zu more row%s moved)\n", n_rest, n_rest == 1 ? "" : "s");
}

static void add_numbers(struct text *text, const struct comparison *comparison,
			const struct report_options *options)
{
	text_add(text, "         %%stddev");
	for (size_t side = 1; side < comparison->n_sides; side++)
		text_add(text, "     %%change         %%stddev");
	text_add(text, "\n             \\  ");
	for (size_t side = 1; side < comparison->n_sides; side++)
		text_add(text, "        |                \\  ");
	text_add(text, "\n");
	if (options->all) {
		for (size_t i = 0; i < comparison->n_rows; i++)
			add_row(text, comparison, &comparison->rows[i]);
		return;
	}
	add_results(text, comparison);
	add_moved(text, comparison,
		  options->evidence_max ? options->evidence_max : EVIDENCE_MAX_PRESET);
}

/* ---- what the columns cannot say ---- */

static void add_verdict(struct text *text, const struct comparison *comparison,
			const struct row *row, size_t side)
{
	const struct finding *finding = &row->findings[side];
	if (finding->verdict == VERDICT_NOT_JUDGED)
		return;
	AUTO(text) char *word = reason_word(finding);
	AUTO(text) char *test = reason_test(comparison, row, side);
	AUTO(text) char *reason = reason_verdict(comparison, finding);
	text_add(text, "verdict: %s", row->metric.name);
	if (comparison->n_sides > 2)
		text_add(text, " of %s", comparison->sides[side].name);
	text_add(text, " is %s%s%s; %s\n", word, reason[0] ? ": " : "", reason, test);
}

static void add_verdicts(struct text *text, const struct comparison *comparison)
{
	text_add(text, "\n");
	for (size_t i = 0; i < comparison->n_rows; i++) {
		const struct row *row = &comparison->rows[i];
		for (size_t side = 1; side < comparison->n_sides; side++)
			if (row->metric.role == ROLE_SCORE)
				add_verdict(text, comparison, row, side);
		if (!row->mark)
			continue;
		AUTO(text)
		char *mark =
			reason_mark(row->mark, comparison->n_sides == 2 ? &row->findings[1] : NULL);
		text_add(text, "mark: %s %s\n", row->metric.name, mark);
	}
}

static void add_doubts(struct text *text, const struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->n_marks; i++) {
		AUTO(text) char *mark = reason_mark(comparison->marks[i], /* finding= */ NULL);
		text_add(text, "mark: %s\n", mark);
	}
	for (size_t i = 0; i < comparison->n_notes; i++) {
		AUTO(text) char *note = reason_note(comparison, &comparison->notes[i]);
		text_add(text, "guard: %s\n", note);
	}
	for (size_t i = 0; i < comparison->n_warnings; i++)
		text_add(text, "warning: %s\n", comparison->warnings[i]);
}

static void add_legend(struct text *text, const struct comparison *const *comparisons, size_t n)
{
	const struct comparison *comparison = comparisons[0];
	char share[NUMBER_BYTES];
	number_percent(comparison->evidence_rate, share, sizeof(share));
	AUTO(text) char *methods = method_text(comparisons, n, ROLE_EVIDENCE);
	text_add(
		text,
		"\nColumns: mean over the complete runs; %%stddev: standard deviation over runs (n - 1), "
		"%% of the mean,\nshown above 2 %%; %%change: of the mean against the first column's, "
		"percentage points for metrics\nin %%; verdicts rest on the test's own estimate. "
		"Monitors are listed when they moved, the most\nsurprising first (%s, %s, about %s %% "
		"of them may be false).\n",
		methods, method_adjustment(comparison, ROLE_EVIDENCE), share);
}

static void render(const struct comparison *const *comparisons, size_t n,
		   const struct report_options *options, struct text *ret_text)
{
	for (size_t i = 0; i < n; i++) {
		const struct comparison *comparison = comparisons[i];
		AUTO(text) char *sentence = report_sentence(comparison);
		text_add(ret_text, "%s%s\n", i ? "\n" : "", sentence);
		add_doubts(ret_text, comparison);
		text_add(ret_text, "\n");
		add_axes(ret_text, comparison);
		add_columns(ret_text, comparison);
		add_failures(ret_text, comparison);
		add_numbers(ret_text, comparison, options);
		add_verdicts(ret_text, comparison);
	}
	if (n)
		add_legend(ret_text, comparisons, n);
}

const struct report_format format_lkp = {
	.name = "lkp",
	.what = "the column layout of the kernel test robot's mails",
	.render = render,
};
