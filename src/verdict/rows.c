/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A run keeps its metrics sorted by name, so the union over all runs and the columns of values are
 * made by merging sorted lists: linear in the number of readings.
 */
#include "verdict/rows.h"

#include "base/mem.h"
#include "base/text.h"
#include "verdict/order.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct name_list { /* Metrics by name, each once; borrowed from the runs. */
	const struct metric **metrics;
	size_t n;
};

static inline void release_name_list(struct name_list *list)
{
	free(list->metrics);
}

/* Adds to the sorted list what it lacks of the run's sorted metrics. */
static void merge_run(struct name_list *list, const struct run *run)
{
	const struct metric **merged =
		mem_array(list->n + run->n_metrics, sizeof(const struct metric *));
	size_t n = 0;
	size_t at = 0;
	for (size_t i = 0; i < run->n_metrics; i++) {
		const struct metric *metric = &run->metrics[i].metric;
		assert(i == 0 || strcmp(run->metrics[i - 1].metric.name, metric->name) < 0);
		while (at < list->n && strcmp(list->metrics[at]->name, metric->name) < 0)
			merged[n++] = list->metrics[at++];
		if (at < list->n && strcmp(list->metrics[at]->name, metric->name) == 0)
			merged[n++] = list->metrics[at++];
		else
			merged[n++] = metric;
	}
	while (at < list->n)
		merged[n++] = list->metrics[at++];
	free(list->metrics);
	*list = (struct name_list) { .metrics = merged, .n = n };
}

static bool is_same_kind(const struct metric *one, const struct metric *other)
{
	return text_equal(one->unit, other->unit) && one->kind == other->kind &&
	       one->role == other->role;
}

/* Whether the run has every name of the list: then nothing needs to be merged, the usual case. */
static bool has_all_of(const struct name_list *list, const struct run *run)
{
	if (list->n != run->n_metrics)
		return false;
	for (size_t i = 0; i < list->n; i++)
		if (strcmp(list->metrics[i]->name, run->metrics[i].metric.name) != 0)
			return false;
	return true;
}

static void count_value(struct cell *cell, struct value value, double *ret_number)
{
	*ret_number = (double)NAN;
	switch (value.state) {
	case VALUE_KNOWN:
		*ret_number = value.number;
		return;
	case VALUE_NOT_APPLICABLE:
		cell->n_not_applicable++;
		return;
	case VALUE_MISSING:
	case VALUE_STATE_COUNT:
		break;
	}
	if (cell->n_missing++ == 0)
		cell->why = value.why;
}

/* Walks the `index`th run of a side beside the rows. A row that the run does not have is missing in
 * it. */
static void take_run(struct comparison *comparison, size_t side, size_t index)
{
	const struct side_order *order = &comparison->orders[side];
	const struct run *run = order->runs[index];
	size_t at = 0;
	for (size_t i = 0; i < comparison->n_rows; i++) {
		struct row *row = &comparison->rows[i];
		struct value value = value_missing(MISSING_ABSENT);
		if (at < run->n_metrics &&
		    strcmp(run->metrics[at].metric.name, row->metric.name) == 0) {
			const struct measured *measured = &run->metrics[at++];
			row->mixed |= !is_same_kind(&measured->metric, &row->metric);
			value = measured->value;
		}
		count_value(&row->cells[side], value, &order->values[i * order->n + index]);
	}
	assert(at == run->n_metrics);
}

static void fill_side(struct comparison *comparison, size_t side)
{
	struct side_order *order = &comparison->orders[side];
	assert(!order->values);
	order->values = mem_array(comparison->n_rows * order->n, sizeof(*order->values));
	for (size_t i = 0; i < order->n; i++)
		take_run(comparison, side, i);
	double *known = mem_array(order->n, sizeof(*known));
	for (size_t i = 0; i < comparison->n_rows; i++) {
		struct cell *cell = &comparison->rows[i].cells[side];
		cell->values = order->values + i * order->n;
		size_t n = 0;
		for (size_t j = 0; j < order->n; j++)
			if (!isnan(cell->values[j]))
				known[n++] = cell->values[j];
		cell->summary = summary_make(known, n);
	}
	free(known);
}

void rows_collect(struct comparison *comparison)
{
	__attribute__((cleanup(release_name_list))) struct name_list list = { 0 };
	for (size_t side = 0; side < comparison->n_sides; side++) {
		const struct compared_side *compared = &comparison->sides[side];
		for (size_t i = 0; i < compared->n_runs; i++)
			if (compared->runs[i]->outcome == RUN_COMPLETE &&
			    !has_all_of(&list, compared->runs[i]))
				merge_run(&list, compared->runs[i]);
	}

	comparison->n_rows = list.n;
	comparison->rows = mem_array(list.n, sizeof(*comparison->rows));
	for (size_t i = 0; i < list.n; i++) {
		struct row *row = &comparison->rows[i];
		row->metric = *list.metrics[i];
		row->cells = mem_array(comparison->n_sides, sizeof(*row->cells));
		row->findings = mem_array(comparison->n_sides, sizeof(*row->findings));
	}
	for (size_t side = 0; side < comparison->n_sides; side++)
		fill_side(comparison, side);
}

struct ranked { /* What a row is ordered by, beside the row. */
	struct row row;
	size_t place; /* Of a score in the workload's table; later ones keep their order. */
	bool moved;
	double p; /* Smallest of its findings; above 1 when none was tested. */
	double t; /* Largest |t| of its findings. */
};

static int by_number(double one, double other)
{
	return (one > other) - (one < other);
}

/* Evidence: what moved first, then the smaller p, then the larger |t|. */
static int by_surprise(const struct ranked *a, const struct ranked *b)
{
	if (a->moved != b->moved)
		return a->moved ? -1 : 1;
	const int order = by_number(a->p, b->p);
	return order ? order : by_number(b->t, a->t);
}

static int by_promise(const void *one, const void *other)
{
	const struct ranked *a = one;
	const struct ranked *b = other;
	if (a->row.metric.role != b->row.metric.role)
		return a->row.metric.role < b->row.metric.role ? -1 : 1;
	if (a->row.metric.role == ROLE_EVIDENCE) {
		const int order = by_surprise(a, b);
		if (order)
			return order;
	}
	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	return strcmp(a->row.metric.name, b->row.metric.name);
}

static size_t place_of(const struct plugin *plugin, size_t present, const char *name)
{
	if (!plugin || !plugin->metrics)
		return present;
	size_t place = 0;
	while (plugin->metrics[place].name && !text_equal(plugin->metrics[place].name, name))
		place++;
	return place;
}

static struct ranked rank_row(const struct comparison *comparison, const struct plugin *plugin,
			      size_t index)
{
	const struct row *row = &comparison->rows[index];
	const bool is_score = row->metric.role == ROLE_SCORE || row->metric.role == ROLE_RESTATED;
	struct ranked ranked = {
		.row = *row,
		.place = is_score ? place_of(plugin, index, row->metric.name) : 0,
		.p = 2.0,
	};
	for (size_t side = 1; side < comparison->n_sides; side++) {
		const struct finding *finding = &row->findings[side];
		ranked.moved |= finding->verdict == VERDICT_MOVED_UP ||
				finding->verdict == VERDICT_MOVED_DOWN;
		if (!finding->tested)
			continue;
		ranked.p = fmin(ranked.p, finding->p);
		ranked.t = fmax(ranked.t, isnan(finding->t) ? 0.0 : fabs(finding->t));
	}
	return ranked;
}

void rows_order(struct comparison *comparison, const struct plugin *plugin)
{
	struct ranked *ranked = mem_array(comparison->n_rows, sizeof(*ranked));
	for (size_t i = 0; i < comparison->n_rows; i++)
		ranked[i] = rank_row(comparison, plugin, i);
	qsort(ranked, comparison->n_rows, sizeof(*ranked), by_promise);
	for (size_t i = 0; i < comparison->n_rows; i++)
		comparison->rows[i] = ranked[i].row;
	free(ranked);
}

void rows_free(struct row *rows, size_t n_rows, size_t n_sides)
{
	for (size_t i = 0; i < n_rows; i++) {
		for (size_t side = 0; side < n_sides; side++)
			free(rows[i].findings[side].reason);
		free(rows[i].findings);
		free(rows[i].cells);
	}
	free(rows);
}
