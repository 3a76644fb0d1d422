/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Directions and marks name metrics by patterns. Of several directions the last that fits wins, as on
 * a command line; of several marks the newest, since people change their minds and nothing that was
 * said is deleted.
 */
#include "verdict/told.h"

#include "base/mem.h"
#include "base/text.h"

#include <math.h>

static bool is_for_comparison(const struct mark *mark)
{
	return !mark->target || mark->target[0] == '\0';
}

static bool fits_point(const struct comparison *comparison, const struct mark *mark)
{
	return text_matches(comparison->point, mark->point);
}

static const struct mark *newest_mark(const struct comparison *comparison, const char *metric)
{
	const struct mark *newest = NULL;
	for (size_t i = 0; i < comparison->options.n_marks; i++) {
		const struct mark *mark = &comparison->options.marks[i];
		if (is_for_comparison(mark) || !fits_point(comparison, mark) ||
		    !text_matches(metric, mark->target))
			continue;
		if (!newest || mark->when_wall_ns >= newest->when_wall_ns)
			newest = mark;
	}
	return newest;
}

static void mark_comparison(struct comparison *comparison)
{
	comparison->marks = mem_array(comparison->options.n_marks, sizeof(const struct mark *));
	for (size_t i = 0; i < comparison->options.n_marks; i++) {
		const struct mark *mark = &comparison->options.marks[i];
		if (is_for_comparison(mark) && fits_point(comparison, mark))
			comparison->marks[comparison->n_marks++] = mark;
	}
}

/* A direction for all scores says nothing of evidence. */
static void direct(const struct comparison *comparison, struct row *row)
{
	for (size_t i = 0; i < comparison->options.n_directions; i++) {
		const struct direction *direction = &comparison->options.directions[i];
		const bool fits = direction->metric
					  ? text_matches(row->metric.name, direction->metric)
					  : row->metric.role == ROLE_SCORE;
		if (fits)
			row->metric.better = direction->better;
	}
}

void told_apply(struct comparison *comparison)
{
	mark_comparison(comparison);
	for (size_t i = 0; i < comparison->n_rows; i++) {
		direct(comparison, &comparison->rows[i]);
		comparison->rows[i].mark = newest_mark(comparison, comparison->rows[i].metric.name);
	}
}

static bool expects(const struct mark *mark, double change)
{
	return !mark->invalid &&
	       (isnan(mark->tolerance_percent) || fabs(change) <= mark->tolerance_percent);
}

const struct mark *told_expected(const struct comparison *comparison, const struct row *row,
				 double change)
{
	if (row->mark && expects(row->mark, change))
		return row->mark;
	for (size_t i = 0; i < comparison->n_marks; i++)
		if (expects(comparison->marks[i], change))
			return comparison->marks[i];
	return NULL;
}

const struct mark *told_invalid(const struct comparison *comparison, const struct row *row)
{
	if (row->mark && row->mark->invalid)
		return row->mark;
	for (size_t i = 0; i < comparison->n_marks; i++)
		if (comparison->marks[i]->invalid)
			return comparison->marks[i];
	return NULL;
}
