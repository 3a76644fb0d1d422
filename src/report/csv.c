/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Comma-separated values after RFC 4180: CRLF line ends, a header line, one line a metric and side.
 * Numbers with full precision; a number that does not exist is an empty field, and `state` says
 * why.
 */
#include "report/formats.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define FINDING_FIELDS 19 /* From "verdict" on. */

static void add_text(struct text *text, const char *field)
{
	if (!strpbrk(field, ",\"\r\n")) {
		text_add(text, "%s,", field);
		return;
	}
	text_add(text, "\"");
	for (const char *at = field; *at; at++) {
		if (*at == '"')
			text_add(text, "\"");
		text_add_bytes(text, at, 1);
	}
	text_add(text, "\",");
}

static void add_number(struct text *text, double number)
{
	if (isfinite(number))
		text_add(text, "%.17g", number);
	text_add(text, ",");
}

static void add_count(struct text *text, size_t count) /* 0: not known. */
{
	if (count)
		text_add(text, "%zu", count);
	text_add(text, ",");
}

/* Each field has a comma behind it; the last one's becomes the end of the line. */
static void end_line(struct text *text)
{
	assert(text->length > 0 && text->bytes[text->length - 1] == ',');
	text->bytes[--text->length] = '\0';
	text_add(text, "\r\n");
}

static void add_cell(struct text *text, const struct cell *cell)
{
	const struct summary *summary = &cell->summary;
	add_text(text, summary->n               ? "known"
		       : cell->n_not_applicable ? "not applicable"
						: "missing");
	add_text(text, cell->n_missing ? missing_text(cell->why) : "");
	text_add(text, "%zu,%zu,%zu,", summary->n, cell->n_missing, cell->n_not_applicable);
	add_number(text, summary->mean);
	add_number(text, summary->deviation);
	add_number(text, summary->minimum);
	add_number(text, summary->median);
	add_number(text, summary->maximum);
}

static const char *change_unit(const struct row *row, const struct finding *finding)
{
	if (!finding->known)
		return "";
	if (finding->relative)
		return "% of base mean";
	return text_equal(row->metric.unit, "%") ? "percentage points" : row->metric.unit;
}

static void add_finding(struct text *text, const struct row *row, size_t side)
{
	if (side == 0) {
		for (size_t i = 0; i < FINDING_FIELDS; i++)
			text_add(text, ",");
		return;
	}
	const struct finding *finding = &row->findings[side];
	add_text(text, verdict_text(finding->verdict));
	add_number(text, finding->change);
	add_text(text, change_unit(row, finding));
	add_number(text, finding->low);
	add_number(text, finding->high);
	add_number(text, finding->p);
	add_number(text, finding->p_adjusted);
	add_text(text, finding->method ? finding->method : "");
	add_text(text, finding->reason ? finding->reason : "");
	add_text(text, finding->guard ? finding->guard : "");
	add_text(text, finding->guard ? verdict_text(finding->unguarded) : "");
	add_text(text, !finding->tested ? "" : finding->provisional ? "yes" : "no");
	add_number(text, finding->tested && row->metric.role == ROLE_SCORE ? finding->margin
									   : (double)NAN);
	add_number(text, finding->tested ? finding->smallest_p : (double)NAN);
	add_count(text, finding->look_runs);
	add_count(text, finding->runs_wanted);
	add_count(text, row->n_cluster > 1 ? row->cluster : 0);
	add_text(text, !row->mark ? "" : row->mark->invalid ? "invalid" : "expected");
	add_text(text, row->mark ? row->mark->why : "");
}

static void add_line(struct text *text, const struct comparison *comparison, const struct row *row,
		     size_t side)
{
	add_text(text, comparison->point);
	add_text(text, comparison->sides[side].name);
	text_add(text, side ? "head," : "base,");
	add_text(text, row->metric.name);
	add_text(text, row->metric.unit);
	add_text(text, metric_kind_text(row->metric.kind));
	add_text(text, metric_role_text(row->metric.role));
	add_text(text, metric_better_text(row->metric.better));
	add_cell(text, &row->cells[side]);
	add_finding(text, row, side);
	end_line(text);
}

/* Every row is written whatever the options say: who reads this is a program. */
static void render(const struct comparison *const *comparisons, size_t n,
		   const struct report_options *options, struct text *ret_text)
{
	text_add(ret_text, "point,side,place,metric,unit,kind,role,better,state,why,n,n_missing,"
			   "n_not_applicable,mean,deviation,minimum,median,maximum,verdict,change,"
			   "change_unit,low,high,p,p_adjusted,method,reason,guard,unguarded,"
			   "provisional,margin,smallest_p,look_runs,runs_wanted,cluster,mark,"
			   "mark_why\r\n");
	for (size_t i = 0; i < n; i++)
		for (size_t row = 0; row < comparisons[i]->n_rows; row++)
			for (size_t side = 0; side < comparisons[i]->n_sides; side++)
				add_line(ret_text, comparisons[i], &comparisons[i]->rows[row],
					 side);
}

const struct report_format format_csv = {
	.name = "csv",
	.what = "comma-separated values, one line a metric and side, full precision",
	.render = render,
};
