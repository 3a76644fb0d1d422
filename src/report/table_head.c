/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stands above the numbers, and the legend below them. */
#include "base/mem.h"
#include "report/column.h"
#include "report/describe.h"
#include "report/number.h"
#include "report/table.h"

#include <string.h>

#define LABEL_WIDTH 10

static void add_sentences(const struct table *table)
{
	AUTO(text) char *sentences = report_sentence(table->comparison);
	char *rest = NULL;
	for (char *line = strtok_r(sentences, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		text_add(table->text, "%s", table_bold(table));
		column_wrap(table->text, line, table->width, 0);
		text_add(table->text, "%s", table_plain(table));
	}
	text_add(table->text, "\n");
}

static void add_difference(const struct table *table, const struct difference *difference)
{
	const struct comparison *comparison = table->comparison;
	AUTO(text)
	char *line = mem_format("    %s: %s (%s) against %s (%s)", difference->fact,
				difference->base_text, comparison->sides[0].name,
				difference->side_text, comparison->sides[difference->side].name);
	column_wrap(table->text, line, table->width, 8);
}

static void add_doubt(const struct table *table, const char *doubt)
{
	text_add(table->text, "%s!%s ", table_colour(table, VERDICT_UNDECIDED), table_plain(table));
	column_wrap(table->text, doubt, table->width - 2, 2);
}

static void add_doubts(const struct table *table)
{
	const struct comparison *comparison = table->comparison;
	for (size_t i = 0; i < comparison->n_notes; i++)
		add_doubt(table, comparison->notes[i].text);
	for (size_t i = 0; i < comparison->n_warnings; i++)
		add_doubt(table, comparison->warnings[i]);
	for (size_t i = 0; i < comparison->n_differences; i++)
		add_difference(table, &comparison->differences[i]);
	if (comparison->n_notes + comparison->n_warnings + comparison->n_differences)
		text_add(table->text, "\n");
}

static void add_line(const struct table *table, const char *label, const char *content)
{
	column_left(table->text, label, LABEL_WIDTH - 1);
	text_add(table->text, " ");
	column_wrap(table->text, content, table->width - LABEL_WIDTH, LABEL_WIDTH);
}

static void add_score_line(const struct table *table)
{
	const struct row *row = comparison_primary(table->comparison);
	if (!row)
		return;
	const struct metric *metric = &row->metric;
	AUTO(text)
	char *line = mem_format("%s%s%s (%s, %s)", metric->name, metric->what[0] ? ": " : "",
				metric->what, metric->unit, describe_direction(metric->better));
	add_line(table, "score", line);
}

static void add_side_line(const struct table *table, size_t side)
{
	const struct compared_side *compared = &table->comparison->sides[side];
	AUTO(text) char *settings = describe_settings(compared->job);
	AUTO(text) char *runs = describe_runs(table->comparison, side);
	const char *label = side ? "head" : "base";
	const bool is_named = !text_equal(label, compared->name);
	AUTO(text)
	char *line = mem_format("%s%s%s, %s", is_named ? compared->name : "", is_named ? ": " : "",
				settings, runs);
	add_line(table, label, line);
}

/* Cost of the monitors, and how the workload's processes were held together. */
static void add_measured_line(const struct table *table)
{
	const struct comparison *comparison = table->comparison;
	const struct run *run = comparison->sides[0].runs[0];
	struct text line = { 0 };
	text_add(&line, "isolation %s; monitors ", run->isolation ? run->isolation : "unknown");
	const struct row *cost = describe_cost_row(comparison);
	if (cost && cost->cells[0].summary.n) {
		char number[NUMBER_BYTES];
		report_number(cost->cells[0].summary.mean, number, sizeof(number));
		text_add(&line, "cost %s %% of one CPU", number);
	} else {
		text_add(&line, "cost an unknown share of one CPU");
	}
	add_line(table, "measured", text_string(&line));
	text_done(&line);
}

/* One line when all sides ran on machines that read the same; else one a side. */
static void add_machine_lines(const struct table *table)
{
	const struct comparison *comparison = table->comparison;
	AUTO(text) char *base = describe_machine(&comparison->sides[0]);
	add_line(table, "machine", base);
	for (size_t side = 1; side < comparison->n_sides; side++) {
		AUTO(text) char *machine = describe_machine(&comparison->sides[side]);
		if (text_equal(base, machine))
			continue;
		AUTO(text)
		char *line = mem_format("%s (%s)", machine, comparison->sides[side].name);
		add_line(table, "", line);
	}
}

void table_question(const struct table *table)
{
	if (!table->options->question)
		return;
	text_add(table->text, "question: ");
	column_wrap(table->text, table->options->question, table->width - LABEL_WIDTH, LABEL_WIDTH);
	text_add(table->text, "\n");
}

void table_head(const struct table *table)
{
	const struct comparison *comparison = table->comparison;
	add_sentences(table);
	add_doubts(table);
	AUTO(text) char *parameters = describe_parameters(comparison);
	AUTO(text)
	char *workload = mem_format("%s%s%s", comparison->sides[0].job->workload,
				    parameters[0] ? " " : "", parameters);
	add_line(table, "workload", workload);
	add_score_line(table);
	add_machine_lines(table);
	for (size_t side = 0; side < comparison->n_sides; side++)
		add_side_line(table, side);
	add_measured_line(table);
}

/* Which scores share the false-alarm budget. */
static char *describe_family(const struct comparison *comparison, size_t n)
{
	const size_t tested = comparison->n_scores_tested;
	const char *plural = tested == 1 ? "" : "s";
	if (comparison->n_sharing > 1)
		return mem_format("the %zu tested score%s of %zu points together", tested, plural,
				  comparison->n_sharing);
	if (n > 1)
		return mem_text("the tested scores of each point by itself");
	return mem_format("%zu tested score%s", tested, plural);
}

static void add_method(const struct table *table, size_t n)
{
	const struct comparison *comparison = table->comparison;
	char alpha[NUMBER_BYTES];
	char confidence[NUMBER_BYTES];
	char share[NUMBER_BYTES];
	number_percent(comparison->alpha, alpha, sizeof(alpha));
	number_percent(1.0 - comparison->alpha, confidence, sizeof(confidence));
	number_percent(comparison->evidence_rate, share, sizeof(share));
	AUTO(text)
	char *interval = mem_format(
		"%s %% interval of the change: Fieller's of the ratio of the means, Welch's of their "
		"difference where the unit is %%; for one score alone, not adjusted for the number of "
		"scores%s",
		confidence,
		table->has_cut ? "; ends at -100 % where it would reach below: what is never "
				 "negative cannot fall by more than all of it"
			       : "");
	add_line(table, "interval", interval);
	AUTO(text) char *family = describe_family(comparison, n);
	AUTO(text)
	char *verdict = mem_format(
		"better, worse, changed (no direction known): Welch t test, p adjusted after Holm over "
		"%s, at most %s %% chance of any false one; same: the %g %% interval lies within ±%g %% "
		"(percentage points for shares); undecided: neither; more runs may decide",
		family, alpha, 100.0 * COMPARISON_SAME_CONFIDENCE, comparison->margin_percent);
	add_line(table, "verdict", verdict);
	AUTO(text)
	char *evidence = n > 1 && comparison->n_sharing == 1
				 ? mem_text("the tested metrics of each point")
				 : mem_format("%zu tested metrics", comparison->n_evidence_tested);
	AUTO(text)
	char *moved = mem_format(
		"evidence, not a verdict: Welch t test, Benjamini-Hochberg over %s, about %s %% of those "
		"listed as moved may be false; \"exact\" rows were constant on both sides",
		evidence, share);
	add_line(table, "moved", moved);
}

void table_legend(const struct table *table, size_t n)
{
	text_add(table->text, "\n%sWhat the columns mean%s\n", table_bold(table),
		 table_plain(table));
	add_line(table, "mean",
		 "arithmetic mean over the complete runs of a side; missing: it could not be read, "
		 "the reason stands under the table; n/a: it has no meaning here");
	add_line(table, "± sd%",
		 "standard deviation over runs (divided by n - 1), % of the mean; - where there is "
		 "none (one run, or mean 0)");
	add_line(table, "n", "runs that have a value");
	add_line(table, "(unit)", "of mean and interval; none stands behind a plain count");
	add_line(table, "change",
		 "mean of head against base, % of the base mean; pp: percentage points, where the "
		 "unit is %; in the metric's own unit where the base mean is 0");
	add_method(table, n);
}
