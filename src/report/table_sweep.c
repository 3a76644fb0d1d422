/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a sweep over nr_task says of scalability: a line for each point and side. It restates what was
 * measured and is not judged; the point stands last, as it is long and wraps.
 */
#include "base/mem.h"
#include "report/column.h"
#include "report/table.h"
#include "verdict/sweep.h"

#include <inttypes.h>
#include <math.h>

#define VALUE_BYTES 700 /* Two of the longest doubles without an exponent. */
#define TASKS_WIDTH 7
#define VALUE_WIDTH 11 /* "scalability" */
#define INTERVAL_WIDTH 15
#define IDLE_WIDTH 6
#define SUBJECT_WIDTH_LEAST 7
#define SUBJECT_WIDTH_MOST 20 /* A longer name pushes only its own line. */

struct sweep_table {
	const struct table *table;
	const struct comparison *const *comparisons;
	size_t n;
	size_t of_subject;
};

static size_t subject_width(const struct comparison *const *comparisons, size_t n)
{
	size_t width = SUBJECT_WIDTH_LEAST;
	for (size_t i = 0; i < n; i++)
		for (size_t side = 0; side < comparisons[i]->n_sides; side++) {
			const size_t have = column_width(comparisons[i]->sides[side].name);
			width = have > width ? have : width;
		}
	return width < SUBJECT_WIDTH_MOST ? width : SUBJECT_WIDTH_MOST;
}

/* Is there a sweep at all, whether or not it has a point of one task? */
static bool has_sweep(const struct comparison *const *comparisons, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t side = 0; side < comparisons[i]->n_sides; side++)
			if (sweep_scaling_of(comparisons, n, i, side).state != SCALING_NO_SWEEP)
				return true;
	return false;
}

static void add_cells(struct text *text, const char *const cells[static 4])
{
	column_right(text, cells[0], TASKS_WIDTH);
	text_add(text, " ");
	column_right(text, cells[1], VALUE_WIDTH);
	text_add(text, " ");
	column_right(text, cells[2], INTERVAL_WIDTH);
	text_add(text, " ");
	column_right(text, cells[3], IDLE_WIDTH);
	text_add(text, "  ");
}

static void add_line(const struct sweep_table *at, size_t index, size_t side,
		     const struct scaling *scaling)
{
	struct text *text = at->table->text;
	const struct comparison *comparison = at->comparisons[index];
	const struct sweep_point point = sweep_point_of(comparison, side);
	const bool known = scaling->state == SCALING_KNOWN;
	char tasks[VALUE_BYTES];
	char value[VALUE_BYTES] = "missing";
	char interval[VALUE_BYTES] = "-";
	char idle[VALUE_BYTES] = "missing";
	(void)snprintf(tasks, sizeof(tasks), "%" PRIu64, scaling->tasks);
	if (known)
		(void)snprintf(value, sizeof(value), "%.3f", scaling->value);
	if (known && isfinite(scaling->low))
		(void)snprintf(interval, sizeof(interval), "%.3f to %.3f", scaling->low,
			       scaling->high);
	if (point.idle.n > 0)
		(void)snprintf(idle, sizeof(idle), "%.1f", point.idle.mean);
	add_cells(text, (const char *const[]) { tasks, value, interval, idle });
	column_left(text, comparison->sides[side].name, at->of_subject);
	text_add(text, "  ");
	const size_t used = TASKS_WIDTH + 1 + VALUE_WIDTH + 1 + INTERVAL_WIDTH + 1 + IDLE_WIDTH +
			    2 + at->of_subject + 2;
	column_wrap(text, comparison->point, at->table->width > used ? at->table->width - used : 0,
		    used);
}

static void add_header(const struct sweep_table *at)
{
	struct text *text = at->table->text;
	text_add(text,
		 "%sScalability: operations per second of all tasks / (tasks x those of one "
		 "task)%s\n",
		 table_bold(at->table), table_plain(at->table));
	add_cells(text,
		  (const char *const[]) { "nr_task", "scalability", "95 % interval", "idle %" });
	column_left(text, "subject", at->of_subject + 2);
	text_add(text, "point\n");
}

/* Each reason once. */
static void add_reasons(const struct sweep_table *at)
{
	bool told[SCALING_STATE_COUNT] = { [SCALING_KNOWN] = true, [SCALING_NO_SWEEP] = true };
	for (size_t i = 0; i < at->n; i++)
		for (size_t side = 0; side < at->comparisons[i]->n_sides; side++) {
			const struct scaling scaling =
				sweep_scaling_of(at->comparisons, at->n, i, side);
			if (told[scaling.state])
				continue;
			told[scaling.state] = true;
			text_add(at->table->text, "  missing: %s\n", sweep_reason(scaling.state));
		}
}

void table_sweep(const struct table *table, const struct comparison *const *comparisons, size_t n)
{
	const struct sweep_table at = { .table = table,
					.comparisons = comparisons,
					.n = n,
					.of_subject = subject_width(comparisons, n) };
	if (!has_sweep(comparisons, n))
		return;
	add_header(&at);
	for (size_t i = 0; i < n; i++)
		for (size_t side = 0; side < comparisons[i]->n_sides; side++) {
			const struct scaling scaling = sweep_scaling_of(comparisons, n, i, side);
			if (scaling.state != SCALING_NO_SWEEP)
				add_line(&at, i, side, &scaling);
		}
	add_reasons(&at);
	text_add(table->text, "\n");
}
