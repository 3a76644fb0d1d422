/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table for people, the default format. Order: an overview of several points, the sentence, then
 * every reason to doubt it, then what was measured, then the numbers, then what the columns mean.
 */
#include "report/table.h"

#include "report/formats.h"

#define WIDTH_PRESET 100

const char *table_colour(const struct table *table, enum verdict verdict)
{
	if (!table->options->colour)
		return "";
	switch (verdict) {
	case VERDICT_BETTER:
		return "\033[32m";
	case VERDICT_WORSE:
		return "\033[31m";
	case VERDICT_CHANGED:
	case VERDICT_UNDECIDED:
	case VERDICT_WITHHELD:
		return "\033[33m";
	case VERDICT_MOVED_UP:
	case VERDICT_MOVED_DOWN:
		return "\033[36m";
	case VERDICT_SAME:
	case VERDICT_UNMOVED:
	case VERDICT_NOT_JUDGED:
	case VERDICT_COUNT:
		break;
	}
	return "";
}

const char *table_bold(const struct table *table)
{
	return table->options->colour ? "\033[1m" : "";
}

const char *table_dim(const struct table *table)
{
	return table->options->colour ? "\033[2m" : "";
}

const char *table_plain(const struct table *table)
{
	return table->options->colour ? "\033[0m" : "";
}

/* Does an interval of the comparison end at -100 %, below which no count can fall? */
static bool has_cut_interval(const struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->n_rows; i++)
		for (size_t side = 1; side < comparison->n_sides; side++) {
			const struct finding *finding = &comparison->rows[i].findings[side];
			if (finding->tested && finding->relative && !(finding->low < -100.0) &&
			    !(finding->low > -100.0) && finding->high > finding->low &&
			    comparison->rows[i].metric.role != ROLE_EVIDENCE &&
			    comparison->rows[i].metric.role != ROLE_COST)
				return true;
		}
	return false;
}

static void render(const struct comparison *const *comparisons, size_t n,
		   const struct report_options *options, struct text *ret_text)
{
	struct table table = {
		.options = options,
		.text = ret_text,
		.width = options->width ? options->width : WIDTH_PRESET,
	};
	table_question(&table);
	if (n > 1) {
		table_overview(&table, comparisons, n);
		table_sweep(&table, comparisons, n);
	}
	for (size_t i = 0; i < n; i++) {
		table.comparison = comparisons[i];
		table.has_cut |= has_cut_interval(comparisons[i]);
		if (i)
			text_add(ret_text, "\n");
		if (n > 1)
			text_add(ret_text, "%s== %s ==%s\n\n", table_bold(&table),
				 comparisons[i]->point, table_plain(&table));
		table_head(&table);
		for (size_t side = 1; side < comparisons[i]->n_sides; side++)
			table_side(&table, side);
	}
	if (n)
		table_legend(&table, comparisons, n);
}

const struct report_format format_table = {
	.name = "table",
	.what = "for people: the sentence, doubts, scores, what moved, and what the columns mean",
	.render = render,
};
