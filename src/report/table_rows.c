/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of the table: one metric a line, its name last, as in the mails that kernel people know;
 * so a long name wraps within its column and no number is ever pushed out of its own.
 */
#include "base/mem.h"
#include "report/column.h"
#include "report/number.h"
#include "report/table.h"

#include <math.h>

#define MEAN_WIDTH 9
#define DEVIATION_WIDTH 6
#define COUNT_WIDTH 4
#define CHANGE_WIDTH 8
#define INTERVAL_WIDTH 14
#define VERDICT_WIDTH 9 /* "undecided" */
#define MOVED_WIDTH 10  /* "moved down" */
#define EVIDENCE_MAX_PRESET 20
#define WIDTH_FOR_INTERVAL 92 /* Below it the interval stands in the sentence only. */

struct section { /* Rows of one role. */
	const char *title;
	enum metric_role role;
	bool has_interval;
};

static const struct section sections[] = {
	{ "Scores", ROLE_SCORE, true },
	{ "Restated: the same measurement in another unit, not judged again", ROLE_RESTATED, true },
	{ "Evidence: what moved among the monitors", ROLE_EVIDENCE, false },
	{ "Cost of measuring", ROLE_COST, false },
};

static bool has_moved(const struct finding *finding)
{
	return finding->verdict == VERDICT_MOVED_UP || finding->verdict == VERDICT_MOVED_DOWN;
}

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
	case ROLE_EVIDENCE:
		return has_moved(&row->findings[side]);
	case ROLE_COST:
	case ROLE_COUNT:
		break;
	}
	return false;
}

static size_t verdict_width(const struct section *section)
{
	return section->role == ROLE_EVIDENCE ? MOVED_WIDTH : VERDICT_WIDTH;
}

static size_t numbers_width(const struct section *section)
{
	const size_t of_side = MEAN_WIDTH + 1 + DEVIATION_WIDTH + COUNT_WIDTH;
	return of_side + 1 + of_side + 1 + CHANGE_WIDTH + 1 +
	       (section->has_interval ? 1 + INTERVAL_WIDTH : 0) + 1 + verdict_width(section) + 1;
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

static const char *verdict_shown(const struct section *section, const struct finding *finding)
{
	if (finding->verdict == VERDICT_NOT_JUDGED)
		return section->role == ROLE_EVIDENCE ? "not judged" : "";
	return verdict_text(finding->verdict);
}

static void add_row(const struct table *table, const struct section *section, const struct row *row,
		    size_t side)
{
	const struct finding *finding = &row->findings[side];
	char piece[NUMBER_BYTES];
	add_cell(table, &row->cells[0]);
	text_add(table->text, " ");
	add_cell(table, &row->cells[side]);
	text_add(table->text, " ");
	number_change(row, finding, piece, sizeof(piece));
	column_right(table->text, piece[0] ? piece : "-", CHANGE_WIDTH);
	if (section->has_interval) {
		number_interval(finding->low, finding->high, number_decimals(finding), piece,
				sizeof(piece));
		text_add(table->text, " ");
		column_right(table->text, piece[0] ? piece : "-", INTERVAL_WIDTH);
	}
	text_add(table->text, "  %s", table_colour(table, finding->verdict));
	column_left(table->text, verdict_shown(section, finding), verdict_width(section));
	text_add(table->text, "%s ", table_plain(table));

	const bool has_unit = !text_equal(row->metric.unit, "1") && row->metric.unit[0];
	const bool is_exact =
		text_equal(finding->method, "exact") && finding->verdict != VERDICT_UNMOVED;
	AUTO(text)
	char *name = mem_format("%s%s%s%s%s", row->metric.name, has_unit ? " (" : "",
				has_unit ? row->metric.unit : "", has_unit ? ")" : "",
				is_exact ? " exact" : "");
	const size_t used = numbers_width(section);
	column_wrap(table->text, name, table->width > used ? table->width - used : 0, used);
}

static void add_header(const struct table *table, const struct section *section)
{
	struct text *text = table->text;
	const size_t of_side = MEAN_WIDTH + 1 + DEVIATION_WIDTH + COUNT_WIDTH;
	column_right(text, "base", MEAN_WIDTH);
	column_right(text, "", of_side - MEAN_WIDTH + 1);
	column_right(text, "head", MEAN_WIDTH);
	if (section->has_interval) {
		char confidence[NUMBER_BYTES];
		number_percent(1.0 - table->comparison->alpha, confidence, sizeof(confidence));
		AUTO(text) char *title = mem_format("%s %% interval", confidence);
		column_right(text, title,
			     of_side - MEAN_WIDTH + 1 + CHANGE_WIDTH + 1 + INTERVAL_WIDTH);
	}
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
	text_add(text, "  ");
	column_left(text, section->role == ROLE_EVIDENCE ? "moved" : "verdict",
		    verdict_width(section));
	text_add(text, " metric (unit)\n");
}

/* Why a shown value is missing. */
static void add_missing_notes(const struct table *table, const struct row *row, size_t side)
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
		column_wrap(table->text, note, table->width, 4);
	}
}

/* What the evidence section leaves out, so that nobody takes silence for absence. */
static void add_rest(const struct table *table, size_t side, size_t n_shown)
{
	const struct comparison *comparison = table->comparison;
	size_t n_moved = 0;
	size_t n_unmoved = 0;
	size_t n_one_sided = 0;
	size_t n_not_judged = 0;
	for (size_t i = 0; i < comparison->n_rows; i++) {
		const struct row *row = &comparison->rows[i];
		if (row->metric.role != ROLE_EVIDENCE)
			continue;
		const bool base = row->cells[0].summary.n > 0;
		const bool head = row->cells[side].summary.n > 0;
		if (has_moved(&row->findings[side]))
			n_moved++;
		else if (row->findings[side].verdict == VERDICT_UNMOVED)
			n_unmoved++;
		else if (base != head)
			n_one_sided++;
		else
			n_not_judged++;
	}
	struct text line = { 0 };
	text_add(&line, "%zu moved", n_moved);
	if (n_shown < n_moved)
		text_add(&line, " (%zu more not shown)", n_moved - n_shown);
	text_add(&line, ", %zu did not", n_unmoved);
	if (n_one_sided)
		text_add(&line, ", %zu have values on one side only", n_one_sided);
	if (n_not_judged)
		text_add(&line, ", %zu could not be judged (missing, or fewer than 2 values)",
			 n_not_judged);
	if (!table->options->all && (n_shown < n_moved || n_unmoved || n_one_sided || n_not_judged))
		text_add(&line, "; --all shows every row");
	text_add(table->text, "  ");
	column_wrap(table->text, text_string(&line), table->width - 2, 2);
	text_done(&line);
}

static bool has_role(const struct comparison *comparison, enum metric_role role)
{
	for (size_t i = 0; i < comparison->n_rows; i++)
		if (comparison->rows[i].metric.role == role)
			return true;
	return false;
}

/* Whether the row stands in the section, before any cap. */
static bool is_listed(const struct table *table, const struct section *section,
		      const struct row *row, size_t side)
{
	return row->metric.role == section->role && is_wanted(table, row, side);
}

/* The rows up to `limit`, a header above the first one. Answers how many. */
static size_t add_rows(const struct table *table, const struct section *section, size_t side,
		       size_t limit)
{
	const struct comparison *comparison = table->comparison;
	size_t n_shown = 0;
	for (size_t i = 0; i < comparison->n_rows && n_shown < limit; i++) {
		const struct row *row = &comparison->rows[i];
		if (!is_listed(table, section, row, side))
			continue;
		if (n_shown++ == 0)
			add_header(table, section);
		add_row(table, section, row, side);
	}
	return n_shown;
}

static void add_notes(const struct table *table, const struct section *section, size_t side,
		      size_t n_shown)
{
	const struct comparison *comparison = table->comparison;
	for (size_t i = 0; i < comparison->n_rows && n_shown; i++) {
		if (!is_listed(table, section, &comparison->rows[i], side))
			continue;
		add_missing_notes(table, &comparison->rows[i], side);
		n_shown--;
	}
}

static void add_section(const struct table *table, const struct section *section, size_t side)
{
	const struct comparison *comparison = table->comparison;
	const bool is_evidence =
		section->role == ROLE_EVIDENCE && has_role(comparison, ROLE_EVIDENCE);
	size_t limit = comparison->n_rows;
	if (is_evidence && !table->options->all)
		limit = table->options->evidence_max ? table->options->evidence_max
						     : EVIDENCE_MAX_PRESET;
	/* An empty section says nothing and gets no title; evidence always says what it left out. */
	size_t n_listed = 0;
	for (size_t i = 0; i < comparison->n_rows; i++)
		n_listed += is_listed(table, section, &comparison->rows[i], side);
	if (n_listed == 0 && !is_evidence)
		return;

	text_add(table->text, "\n%s%s%s\n", table_bold(table), section->title, table_plain(table));
	const size_t n_shown = add_rows(table, section, side, limit);
	add_notes(table, section, side, n_shown);
	if (is_evidence)
		add_rest(table, side, n_shown);
}

void table_side(const struct table *table, size_t side)
{
	const struct comparison *comparison = table->comparison;
	if (comparison->n_sides > 2)
		text_add(table->text, "\n%s%s (head) against %s (base)%s\n", table_bold(table),
			 comparison->sides[side].name, comparison->sides[0].name,
			 table_plain(table));
	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		struct section section = sections[i];
		section.has_interval &= table->width >= WIDTH_FOR_INTERVAL;
		add_section(table, &section, side);
	}
}
