/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of the table: one metric a line, its name last, as in the mails that kernel people know;
 * so a long name wraps within its column and no number is ever pushed out of its own.
 */
#include "base/mem.h"
#include "report/column.h"
#include "report/number.h"
#include "report/reason.h"
#include "report/table.h"

#include <math.h>

#define MEAN_WIDTH 9
#define DEVIATION_WIDTH 6
#define COUNT_WIDTH 4
#define CHANGE_WIDTH 8
#define INTERVAL_WIDTH 14
#define P_WIDTH 8       /* "adjusted" */
#define VERDICT_WIDTH 9 /* "undecided" */
#define MOVED_WIDTH 10  /* "moved down" */
#define SIDE_WIDTH (MEAN_WIDTH + 1 + DEVIATION_WIDTH + COUNT_WIDTH)
#define WIDTH_FOR_INTERVAL 92 /* Below it the interval stands in the sentence only. */

static const struct table_section sections[] = {
	{ "Scores", ROLE_SCORE, .has_interval = true },
	{ "Restated: the same measurement in another unit, not judged again", ROLE_RESTATED,
	  .has_interval = true },
	{ "Evidence: what moved among the monitors, the most surprising first", ROLE_EVIDENCE,
	  .has_p = true },
	{ "Cost of measuring", ROLE_COST, .has_interval = false },
};

static bool has_any_value(const struct row *row, size_t side)
{
	return row->cells[0].summary.n + row->cells[side].summary.n > 0;
}

/* A score without meaning on both sides (operations a thread, of processes) is only clutter. */
static bool is_without_meaning(const struct row *row, size_t side)
{
	return !has_any_value(row, side) && row->cells[0].n_not_applicable &&
	       row->cells[side].n_not_applicable;
}

static bool is_wanted(const struct table *table, const struct row *row, size_t side)
{
	if (table->options->all)
		return true;
	switch (row->metric.role) {
	case ROLE_SCORE:
	case ROLE_RESTATED:
		return !is_without_meaning(row, side);
	case ROLE_EVIDENCE: /* See table_evidence.c. */
	case ROLE_COST:
	case ROLE_COUNT:
		break;
	}
	return false;
}

static size_t verdict_width(const struct table_section *section)
{
	return section->role == ROLE_EVIDENCE ? MOVED_WIDTH : VERDICT_WIDTH;
}

static size_t numbers_width(const struct table_section *section)
{
	size_t width = SIDE_WIDTH + 1 + SIDE_WIDTH + 1 + CHANGE_WIDTH;
	if (section->has_interval)
		width += 1 + INTERVAL_WIDTH;
	if (section->has_p)
		width += 1 + P_WIDTH;
	return width + 2 + verdict_width(section) + 1;
}

static void add_cell(const struct table *table, const struct cell *cell)
{
	char number[NUMBER_BYTES];
	if (cell->summary.n)
		report_number(cell->summary.mean, number, sizeof(number));
	column_right(table->text,
		     cell->summary.n          ? number
		     : cell->n_not_applicable ? "n/a"
					      : "missing",
		     MEAN_WIDTH);
	text_add(table->text, " ");

	const double deviation = summary_relative_deviation(&cell->summary);
	if (isnan(deviation))
		(void)snprintf(number, sizeof(number), "-");
	else
		(void)snprintf(number, sizeof(number), "± %.*f", deviation < 99.95 ? 1 : 0,
			       deviation);
	column_right(table->text, number, DEVIATION_WIDTH);
	(void)snprintf(number, sizeof(number), "%zu", cell->summary.n);
	column_right(table->text, number, COUNT_WIDTH);
}

/* "worse*": a provisional verdict bears the sign that the legend explains. */
static void add_verdict(const struct table *table, const struct table_section *section,
			const struct finding *finding)
{
	const char *word = verdict_text(finding->verdict);
	if (finding->verdict == VERDICT_NOT_JUDGED && section->role != ROLE_EVIDENCE)
		word = "";
	AUTO(text)
	char *shown = mem_format("%s%s", word, reason_is_provisional(finding) ? "*" : "");
	text_add(table->text, "  %s", table_colour(table, finding->verdict));
	column_left(table->text, shown, verdict_width(section));
	text_add(table->text, "%s ", table_plain(table));
}

/* Change, interval and p, as far as the section has them. */
static void add_change(const struct table *table, const struct table_section *section,
		       const struct row *row, const struct finding *finding)
{
	char piece[NUMBER_BYTES];
	number_change(row, finding, piece, sizeof(piece));
	column_right(table->text, piece[0] ? piece : "-", CHANGE_WIDTH);
	if (section->has_interval) {
		number_interval(finding->low, finding->high, number_decimals(finding), piece,
				sizeof(piece));
		text_add(table->text, " ");
		column_right(table->text, piece[0] ? piece : "-", INTERVAL_WIDTH);
	}
	if (section->has_p) {
		number_p(finding->tested ? finding->p_adjusted : (double)NAN, piece, sizeof(piece));
		const bool is_exact = finding->tested && text_equal(finding->method, "exact");
		text_add(table->text, " ");
		column_right(table->text, is_exact ? "exact" : piece, P_WIDTH);
	}
}

void table_row(const struct table *table, const struct table_section *section,
	       const struct row *row, size_t side, const char *lead)
{
	const struct finding *finding = &row->findings[side];
	add_cell(table, &row->cells[0]);
	text_add(table->text, " ");
	add_cell(table, &row->cells[side]);
	text_add(table->text, " ");
	add_change(table, section, row, finding);
	add_verdict(table, section, finding);

	const bool has_unit = !text_equal(row->metric.unit, "1") && row->metric.unit[0];
	AUTO(text)
	char *name = mem_format("%s%s%s%s%s", lead, row->metric.name, has_unit ? " (" : "",
				has_unit ? row->metric.unit : "", has_unit ? ")" : "");
	const size_t used = numbers_width(section);
	column_wrap(table->text, name, table->width > used ? table->width - used : 0, used);
}

/* The two sides by their names, where these fit above their columns; else by their roles. */
static void add_side_names(const struct table *table, size_t side)
{
	const struct comparison *comparison = table->comparison;
	const size_t sides[] = { 0, side };
	bool fits = true;
	for (size_t i = 0; i < 2; i++)
		fits &= column_width(comparison->sides[sides[i]].name) <= SIDE_WIDTH;
	for (size_t i = 0; i < 2; i++) {
		const char *name =
			fits ? comparison->sides[sides[i]].name : table_role(comparison, sides[i]);
		AUTO(text)
		char *placed = column_width(name) > MEAN_WIDTH
				       ? mem_text(name)
				       : mem_format("%*s%s", (int)(MEAN_WIDTH - column_width(name)),
						    "", name);
		column_left(table->text, placed, SIDE_WIDTH + (i == 0));
	}
}

void table_header(const struct table *table, const struct table_section *section, size_t side)
{
	struct text *text = table->text;
	add_side_names(table, side);
	if (section->has_interval) {
		char confidence[NUMBER_BYTES];
		number_percent(1.0 - table->comparison->alpha, confidence, sizeof(confidence));
		AUTO(text) char *title = mem_format("%s %% interval", confidence);
		column_right(text, title, 1 + CHANGE_WIDTH + 1 + INTERVAL_WIDTH);
	}
	if (section->has_p)
		column_right(text, "p", 1 + CHANGE_WIDTH + 1 + P_WIDTH);
	text_add(text, "\n");
	for (size_t i = 0; i < 2; i++) {
		column_right(text, "mean", MEAN_WIDTH);
		column_right(text, "± sd%", 1 + DEVIATION_WIDTH);
		column_right(text, "n", COUNT_WIDTH);
		text_add(text, " ");
	}
	column_right(text, "change", CHANGE_WIDTH);
	if (section->has_interval)
		column_right(text, "of the change", 1 + INTERVAL_WIDTH);
	if (section->has_p)
		column_right(text, "adjusted", 1 + P_WIDTH);
	text_add(text, "  ");
	column_left(text, section->role == ROLE_EVIDENCE ? "moved" : "verdict",
		    verdict_width(section));
	text_add(text, " metric (unit)\n");
}

void table_title(const struct table *table, const struct table_section *section)
{
	text_add(table->text, "\n%s%s%s\n", table_bold(table), section->title, table_plain(table));
}

static void add_detail(const struct table *table, const char *colour, const char *line)
{
	text_add(table->text, "%*s%s", TABLE_DETAIL_INDENT, "", colour);
	column_wrap(table->text, line, table->width - TABLE_DETAIL_INDENT - 2,
		    TABLE_DETAIL_INDENT + 2);
	text_add(table->text, "%s", table_plain(table));
}

void table_mark(const struct table *table, const struct row *row, size_t side)
{
	if (!row->mark)
		return;
	AUTO(text) char *mark = reason_mark(row->mark, &row->findings[side]);
	AUTO(text) char *line = mem_format("%s %s", row->metric.name, mark);
	add_detail(table, table_colour(table, VERDICT_CHANGED), line);
}

void table_missing(const struct table *table, const struct row *row, size_t side)
{
	const size_t sides[] = { 0, side };
	for (size_t i = 0; i < 2; i++) {
		const struct cell *cell = &row->cells[sides[i]];
		if (cell->summary.n || !cell->n_missing)
			continue;
		AUTO(text)
		char *note = mem_format("  missing: %s on %s: %s", row->metric.name,
					table->comparison->sides[sides[i]].name,
					missing_text(cell->why));
		column_wrap(table->text, note, table->width - 4, 4);
	}
}

/* What stands behind a score's verdict, below its row. */
static void add_grounds(const struct table *table, const struct row *row, size_t side)
{
	const struct finding *finding = &row->findings[side];
	AUTO(text) char *test = reason_test(table->comparison, row, side);
	add_detail(table, table_dim(table), test);
	AUTO(text) char *reason = reason_verdict(table->comparison, finding);
	if (reason[0]) {
		AUTO(text) char *word = reason_word(finding);
		AUTO(text) char *line = mem_format("%s: %s", word, reason);
		add_detail(table, table_colour(table, finding->verdict), line);
	}
	if (finding->verdict == VERDICT_WITHHELD) {
		AUTO(text)
		char *line = mem_format("without that guard: %s", verdict_text(finding->unguarded));
		add_detail(table, table_dim(table), line);
	}
}

static void add_section(const struct table *table, const struct table_section *section, size_t side)
{
	const struct comparison *comparison = table->comparison;
	bool is_begun = false;
	for (size_t i = 0; i < comparison->n_rows; i++) {
		const struct row *row = &comparison->rows[i];
		if (row->metric.role != section->role || !is_wanted(table, row, side))
			continue;
		if (!is_begun) { /* An empty section says nothing and gets no title. */
			table_title(table, section);
			table_header(table, section, side);
		}
		is_begun = true;
		table_row(table, section, row, side, "");
		if (section->role == ROLE_SCORE &&
		    row->findings[side].verdict != VERDICT_NOT_JUDGED)
			add_grounds(table, row, side);
		/* Where that is why there is no verdict, it was said. */
		if (row->findings[side].verdict != VERDICT_UNDECIDED)
			table_missing(table, row, side);
		table_mark(table, row, side);
	}
}

void table_side(const struct table *table, size_t side)
{
	const struct comparison *comparison = table->comparison;
	if (comparison->n_sides > 2)
		text_add(table->text, "\n%s%s against %s%s\n", table_bold(table),
			 comparison->sides[side].name, comparison->sides[0].name,
			 table_plain(table));
	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		struct table_section section = sections[i];
		section.has_interval &= table->width >= WIDTH_FOR_INTERVAL;
		section.has_p &= table->width >= WIDTH_FOR_INTERVAL;
		if (section.role == ROLE_EVIDENCE)
			table_evidence(table, &section, side);
		else
			add_section(table, &section, side);
	}
}
