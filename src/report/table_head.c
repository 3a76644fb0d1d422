/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stands above the numbers. */
#include "base/mem.h"
#include "report/column.h"
#include "report/describe.h"
#include "report/number.h"
#include "report/reason.h"
#include "report/table.h"

#include <string.h>

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

static void add_differences(const struct table *table)
{
	const struct comparison *comparison = table->comparison;
	for (size_t i = 0; i < comparison->n_differences; i++) {
		const struct difference *difference = &comparison->differences[i];
		AUTO(text)
		char *line =
			mem_format("      %s: %s (%s) against %s (%s)", difference->fact,
				   difference->base_text, comparison->sides[0].name,
				   difference->side_text, comparison->sides[difference->side].name);
		column_wrap(table->text, line, table->width - 10, 10);
	}
}

/* The note that the differences belong to; n_notes when there is none. */
static size_t environment_note(const struct comparison *comparison)
{
	size_t at = comparison->n_notes;
	for (size_t i = 0; i < comparison->n_notes; i++)
		if (text_equal(comparison->notes[i].guard, "environment"))
			at = i;
	return at;
}

/* A line that begins with the sign of a doubt. */
static void add_doubt(const struct table *table, const char *line)
{
	text_add(table->text, "%s!%s ", table_colour(table, VERDICT_UNDECIDED), table_plain(table));
	column_wrap(table->text, line, table->width - 2, 2);
}

/* What a person said of the whole comparison, then what the sides' runs and surroundings say. */
static void add_doubts(const struct table *table)
{
	const struct comparison *comparison = table->comparison;
	for (size_t i = 0; i < comparison->n_marks; i++) {
		AUTO(text) char *line = reason_mark(comparison->marks[i], /* finding= */ NULL);
		add_doubt(table, line);
	}
	for (size_t i = 0; i < comparison->n_warnings; i++)
		add_doubt(table, comparison->warnings[i]);
	const bool shows_differences = environment_note(comparison) == comparison->n_notes;
	if (shows_differences)
		add_differences(table);
	if (comparison->n_warnings + comparison->n_marks ||
	    (shows_differences && comparison->n_differences))
		text_add(table->text, "\n");
}

/* The guards that spoke; only one that withholds bears the sign of a doubt. */
static void add_guards(const struct table *table)
{
	const struct comparison *comparison = table->comparison;
	if (comparison->n_notes == 0)
		return;
	text_add(table->text, "%sGuards%s\n", table_bold(table), table_plain(table));
	for (size_t i = 0; i < comparison->n_notes; i++) {
		const struct guard_note *note = &comparison->notes[i];
		AUTO(text) char *line = reason_note(comparison, note);
		if (note->withholds) {
			add_doubt(table, line);
		} else {
			text_add(table->text, "  ");
			column_wrap(table->text, line, table->width - 4, 4);
		}
		if (i == environment_note(comparison))
			add_differences(table);
	}
	text_add(table->text, "\n");
}

void table_line(const struct table *table, const char *label, const char *content)
{
	column_left(table->text, label, TABLE_LABEL_WIDTH - 1);
	text_add(table->text, " ");
	column_wrap(table->text, content, table->width - TABLE_LABEL_WIDTH, TABLE_LABEL_WIDTH);
}

const char *table_role(const struct comparison *comparison, size_t side)
{
	bool is_plain = comparison->n_sides == 2 && !text_equal(comparison->sides[0].name, "head");
	for (size_t i = 1; i < comparison->n_sides; i++)
		is_plain &= !text_equal(comparison->sides[i].name, "base");
	if (is_plain)
		return side ? "head" : "base";
	return side ? "compared" : "against";
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
	table_line(table, "score", line);
}

static void add_side_line(const struct table *table, size_t side)
{
	const struct compared_side *compared = &table->comparison->sides[side];
	AUTO(text) char *settings = describe_settings(compared->job);
	AUTO(text) char *runs = describe_runs(table->comparison, side);
	const char *label = table_role(table->comparison, side);
	const bool is_named = !text_equal(label, compared->name);
	AUTO(text)
	char *line = mem_format("%s%s%s, %s", is_named ? compared->name : "", is_named ? ": " : "",
				settings, runs);
	table_line(table, label, line);
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
	table_line(table, "measured", text_string(&line));
	text_done(&line);
}

/* One line when all sides ran on machines that read the same; else one a side. */
static void add_machine_lines(const struct table *table)
{
	const struct comparison *comparison = table->comparison;
	AUTO(text) char *base = describe_machine(&comparison->sides[0]);
	table_line(table, "machine", base);
	for (size_t side = 1; side < comparison->n_sides; side++) {
		AUTO(text) char *machine = describe_machine(&comparison->sides[side]);
		if (text_equal(base, machine))
			continue;
		AUTO(text)
		char *line = mem_format("%s (%s)", machine, comparison->sides[side].name);
		table_line(table, "", line);
	}
}

void table_question(const struct table *table)
{
	if (!table->options->question)
		return;
	text_add(table->text, "question: ");
	column_wrap(table->text, table->options->question, table->width - TABLE_LABEL_WIDTH,
		    TABLE_LABEL_WIDTH);
	text_add(table->text, "\n");
}

void table_head(const struct table *table)
{
	const struct comparison *comparison = table->comparison;
	add_sentences(table);
	add_doubts(table);
	add_guards(table);
	AUTO(text) char *parameters = describe_parameters(comparison);
	AUTO(text)
	char *workload = mem_format("%s%s%s", comparison->sides[0].job->workload,
				    parameters[0] ? " " : "", parameters);
	table_line(table, "workload", workload);
	add_score_line(table);
	add_machine_lines(table);
	for (size_t side = 0; side < comparison->n_sides; side++)
		add_side_line(table, side);
	add_measured_line(table);
}
