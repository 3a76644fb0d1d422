/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a sweep came to, before its points one by one: a line for each point and head with the
 * finding on the primary score. The point stands last, as it is long and wraps.
 */
#include "base/mem.h"
#include "report/column.h"
#include "report/number.h"
#include "report/reason.h"
#include "report/table.h"

#define CHANGE_WIDTH 8
#define INTERVAL_WIDTH 16
#define VERDICT_WIDTH 10 /* "not judged" */
#define SUBJECT_WIDTH_LEAST 7
#define SUBJECT_WIDTH_MOST 20 /* A longer name pushes only its own line. */

static size_t subject_width(const struct comparison *const *comparisons, size_t n)
{
	size_t width = SUBJECT_WIDTH_LEAST;
	for (size_t i = 0; i < n; i++)
		for (size_t side = 1; side < comparisons[i]->n_sides; side++) {
			const size_t have = column_width(comparisons[i]->sides[side].name);
			width = have > width ? have : width;
		}
	return width < SUBJECT_WIDTH_MOST ? width : SUBJECT_WIDTH_MOST;
}

static void add_numbers(const struct table *table, const char *change, const char *interval)
{
	column_right(table->text, change[0] ? change : "-", CHANGE_WIDTH);
	text_add(table->text, " ");
	column_right(table->text, interval[0] ? interval : "-", INTERVAL_WIDTH);
	text_add(table->text, "  ");
}

static void add_finding(const struct table *table, const struct comparison *comparison, size_t side)
{
	const struct row *row = comparison_primary(comparison);
	const struct finding *finding = row ? &row->findings[side] : NULL;
	const enum verdict verdict = finding ? finding->verdict : VERDICT_NOT_JUDGED;
	char change[NUMBER_BYTES] = "";
	char interval[NUMBER_BYTES] = "";
	if (finding) {
		number_change(row, finding, change, sizeof(change));
		number_interval(finding->low, finding->high, number_decimals(finding), interval,
				sizeof(interval));
	}
	add_numbers(table, change, interval);
	AUTO(text)
	char *word = mem_format("%s%s", verdict_text(verdict),
				finding && reason_is_provisional(finding) ? "*" : "");
	text_add(table->text, "%s", table_colour(table, verdict));
	column_left(table->text, word, VERDICT_WIDTH);
	text_add(table->text, "%s  ", table_plain(table));
}

void table_overview(const struct table *table, const struct comparison *const *comparisons,
		    size_t n)
{
	const size_t of_subject = subject_width(comparisons, n);
	const size_t used =
		CHANGE_WIDTH + 1 + INTERVAL_WIDTH + 2 + VERDICT_WIDTH + 2 + of_subject + 2;
	text_add(table->text, "%sOverview: the first score of each of %zu points%s\n",
		 table_bold(table), n, table_plain(table));
	add_numbers(table, "change", "interval");
	column_left(table->text, "verdict", VERDICT_WIDTH + 2);
	column_left(table->text, "subject", of_subject + 2);
	text_add(table->text, "point\n");
	for (size_t i = 0; i < n; i++)
		for (size_t side = 1; side < comparisons[i]->n_sides; side++) {
			add_finding(table, comparisons[i], side);
			column_left(table->text, comparisons[i]->sides[side].name, of_subject);
			text_add(table->text, "  ");
			column_wrap(table->text, comparisons[i]->point,
				    table->width > used ? table->width - used : 0, used);
		}
	text_add(table->text, "\n");
}
