/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the columns and words of the table mean, and how each number was found. */
#include "base/mem.h"
#include "report/method.h"
#include "report/number.h"
#include "report/reason.h"
#include "report/table.h"

/* Which scores share the false-alarm budget. */
static char *describe_family(const struct comparison *comparison, size_t n)
{
	const size_t tested = method_family_size(comparison, ROLE_SCORE);
	const char *plural = tested == 1 ? "" : "s";
	if (comparison->n_sharing > 1)
		return mem_format("the %zu tested score%s of %zu points together", tested, plural,
				  comparison->n_sharing);
	if (n > 1)
		return mem_text("the tested scores of each point by itself");
	return mem_format("%zu tested score%s", tested, plural);
}

static void add_columns(const struct table *table)
{
	table_line(table, "mean",
		   "arithmetic mean over the complete runs of a side; missing: it could not be "
		   "read, the reason stands below; n/a: it has no meaning here");
	table_line(table, "± sd%",
		   "standard deviation over runs (divided by n - 1), % of the mean; - where there "
		   "is none (one run, or mean 0)");
	table_line(table, "n", "runs that have a value");
	table_line(table, "(unit)", "of mean and interval; none stands behind a plain count");
	table_line(
		table, "change",
		"of the second side against the first in %, as the test of the row estimates it (below, "
		"tests): of a score mostly the median of the ratios of its runs, not the ratio of the "
		"two means beside it; pp: percentage points, where the unit is %; in the metric's own "
		"unit where the first mean is 0");
	char confidence[NUMBER_BYTES];
	number_percent(1.0 - table->comparison->alpha, confidence, sizeof(confidence));
	AUTO(text)
	char *interval = mem_format(
		"%s %% interval of the change, by the test of its row; for one score alone, not "
		"adjusted for the number of scores%s",
		confidence,
		table->has_cut ? "; ends at -100 % where it would reach below: what is never "
				 "negative cannot fall by more than all of it"
			       : "");
	table_line(table, "interval", interval);
}

static bool has_provisional(const struct comparison *const *comparisons, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t row = 0; row < comparisons[i]->n_rows; row++)
			for (size_t side = 1; side < comparisons[i]->n_sides; side++)
				if (reason_is_provisional(
					    &comparisons[i]->rows[row].findings[side]))
					return true;
	return false;
}

static void add_verdicts(const struct table *table, const struct comparison *const *comparisons,
			 size_t n)
{
	const struct comparison *comparison = table->comparison;
	char alpha[NUMBER_BYTES];
	number_percent(comparison->alpha, alpha, sizeof(alpha));
	AUTO(text) char *family = describe_family(comparison, n);
	AUTO(text) char *methods = method_text(comparisons, n, ROLE_SCORE);
	AUTO(text)
	char *verdict = mem_format(
		"better, worse, changed (no direction known): %s, p adjusted after %s over %s, at "
		"most %s %% chance of any false one, and by no less than the score's margin; same: "
		"the %g %% interval lies within that margin (percentage points for shares); "
		"undecided: neither; more runs may decide%s",
		methods, method_adjustment(comparison, ROLE_SCORE), family, alpha,
		100.0 * COMPARISON_SAME_CONFIDENCE,
		has_provisional(comparisons, n)
			? "; *: provisional, the test assumes more than the random order of the runs"
			: "");
	table_line(table, "verdict", verdict);
}

static void add_evidence(const struct table *table, const struct comparison *const *comparisons,
			 size_t n)
{
	const struct comparison *comparison = table->comparison;
	char share[NUMBER_BYTES];
	number_percent(comparison->evidence_rate, share, sizeof(share));
	AUTO(text)
	char *family = n > 1 && comparison->n_sharing == 1
			       ? mem_text("the tested metrics of each point")
			       : mem_format("%zu tested metrics", comparison->n_evidence_tested);
	AUTO(text) char *methods = method_text(comparisons, n, ROLE_EVIDENCE);
	AUTO(text)
	char *moved = mem_format(
		"evidence, not a verdict: %s, p adjusted after %s over %s, about %s %% of those "
		"listed as moved may be false",
		methods, method_adjustment(comparison, ROLE_EVIDENCE), family, share);
	table_line(table, "moved", moved);
	table_line(table, "order",
		   "of the evidence: the most surprising first (smallest p); metrics that move "
		   "together from run to run are one group, below the most surprising of them");
}

/* Each test once, whichever family it served. */
static void add_tests(const struct table *table, const struct comparison *const *comparisons,
		      size_t n)
{
	static const enum metric_role roles[] = { ROLE_SCORE, ROLE_EVIDENCE };
	const char *told[2 * METHOD_NAMES_MAX];
	size_t n_told = 0;
	for (size_t i = 0; i < 2; i++) {
		const char *names[METHOD_NAMES_MAX];
		const size_t n_names = method_names(comparisons, n, roles[i], names);
		for (size_t j = 0; j < n_names; j++) {
			bool is_told = false;
			for (size_t k = 0; k < n_told; k++)
				is_told |= text_equal(told[k], names[j]);
			const char *explains = method_explain(names[j]);
			if (is_told || !explains)
				continue;
			AUTO(text) char *line = mem_format("%s: %s", names[j], explains);
			table_line(table, n_told ? "" : "tests", line);
			told[n_told++] = names[j];
		}
	}
}

/* Names one guard that spoke, so that the command can be copied as it stands. */
static void add_guards(const struct table *table, const struct comparison *const *comparisons,
		       size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (comparisons[i]->n_notes == 0)
			continue;
		AUTO(text)
		char *line = mem_format(
			"checks for what could make a verdict worthless; 'assay compare --explain "
			"%s' tells what that one looks at, with which limits, and what to do",
			comparisons[i]->notes[0].guard);
		table_line(table, "guards", line);
		return;
	}
}

void table_legend(const struct table *table, const struct comparison *const *comparisons, size_t n)
{
	text_add(table->text, "\n%sWhat the columns mean%s\n", table_bold(table),
		 table_plain(table));
	add_columns(table);
	add_verdicts(table, comparisons, n);
	add_evidence(table, comparisons, n);
	add_tests(table, comparisons, n);
	add_guards(table, comparisons, n);
}
