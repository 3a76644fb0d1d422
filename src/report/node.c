/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Metrics, cells, findings and marks as JSON. See node.h. */
#include "report/node.h"

#include "base/mem.h"
#include "report/reason.h"

#include <math.h>

json_t *node_number(double number)
{
	return isfinite(number) ? json_real(number) : json_null();
}

json_t *node_text(const char *text)
{
	if (!text)
		return json_null();
	json_t *string = json_string(text);
	return string ? string : json_string("(not UTF-8)");
}

void node_set(json_t *object, const char *key, json_t *value)
{
	(void)json_object_set_new(object, key, value); /* Fails only without memory. */
}

void node_set_count(json_t *object, const char *key, size_t count)
{
	node_set(object, key, json_integer((json_int_t)count));
}

void node_append(json_t *array, json_t *value)
{
	(void)json_array_append_new(array, value); /* As above. */
}

json_t *node_cell(const struct cell *cell)
{
	json_t *object = json_object();
	const struct summary *summary = &cell->summary;
	node_set(object, "state",
		 json_string(summary->n               ? "known"
			     : cell->n_not_applicable ? "not applicable"
						      : "missing"));
	if (cell->n_missing)
		node_set(object, "why", json_string(missing_text(cell->why)));
	node_set_count(object, "n", summary->n);
	node_set_count(object, "n_missing", cell->n_missing);
	node_set_count(object, "n_not_applicable", cell->n_not_applicable);
	if (summary->n == 0)
		return object;
	node_set(object, "mean", node_number(summary->mean));
	node_set(object, "deviation", node_number(summary->deviation));
	node_set(object, "minimum", node_number(summary->minimum));
	node_set(object, "median", node_number(summary->median));
	node_set(object, "maximum", node_number(summary->maximum));
	return object;
}

static json_t *interval_array(double low, double high)
{
	json_t *array = json_array();
	node_append(array, node_number(low));
	node_append(array, node_number(high));
	return array;
}

static void add_test(json_t *object, const struct finding *finding, bool is_score)
{
	node_set(object, "p", node_number(finding->p));
	node_set(object, "p_adjusted", node_number(finding->p_adjusted));
	node_set(object, "smallest_p", node_number(finding->smallest_p));
	node_set(object, "method", json_string(finding->method));
	node_set(object, "provisional", json_boolean(finding->provisional));
	if (is_score)
		node_set(object, "margin", node_number(finding->margin));
	if (finding->look_runs)
		node_set_count(object, "look_runs", finding->look_runs);
	if (finding->runs_wanted)
		node_set_count(object, "runs_wanted", finding->runs_wanted);
}

static json_t *finding_object(const struct row *row, size_t side, const char *name)
{
	const struct finding *finding = &row->findings[side];
	json_t *object = json_object();
	node_set(object, "side", node_text(name));
	node_set(object, "verdict", json_string(verdict_text(finding->verdict)));
	if (finding->reason)
		node_set(object, "reason", node_text(finding->reason));
	if (finding->guard) {
		node_set(object, "guard", json_string(finding->guard));
		node_set(object, "unguarded", json_string(verdict_text(finding->unguarded)));
	}
	if (finding->known) {
		node_set(object, "relative", json_boolean(finding->relative));
		node_set(object, "change", node_number(finding->change));
	}
	if (!isnan(finding->low)) { /* Before the first look there is one, and no test yet. */
		node_set(object, "interval", interval_array(finding->low, finding->high));
		node_set(object, "same_interval",
			 interval_array(finding->same_low, finding->same_high));
	}
	if (finding->tested)
		add_test(object, finding, row->metric.role == ROLE_SCORE);
	return object;
}

json_t *node_mark(const struct mark *mark)
{
	json_t *object = json_object();
	AUTO(text) char *when = reason_when(mark, /* with_time= */ true);
	node_set(object, "mark", json_string(mark->invalid ? "invalid" : "expected"));
	node_set(object, "target", node_text(mark->target));
	node_set(object, "point", node_text(mark->point));
	node_set(object, "tolerance_percent", node_number(mark->tolerance_percent));
	node_set(object, "why", node_text(mark->why));
	node_set(object, "who", node_text(mark->who));
	node_set(object, "when", node_text(when));
	return object;
}

json_t *node_scaling(const struct scaling *scaling)
{
	const bool known = scaling->state == SCALING_KNOWN;
	json_t *object = json_object();
	node_set(object, "nr_task", json_integer((json_int_t)scaling->tasks));
	node_set(object, "state", json_string(known ? "known" : "missing"));
	if (!known) {
		node_set(object, "why", json_string(sweep_reason(scaling->state)));
		return object;
	}
	node_set(object, "value", node_number(scaling->value));
	node_set(object, "confidence", json_real(SWEEP_CONFIDENCE));
	node_set(object, "interval",
		 isfinite(scaling->low) ? interval_array(scaling->low, scaling->high)
					: json_null());
	return object;
}

json_t *node_metric(const struct comparison *comparison, const struct row *row)
{
	json_t *object = json_object();
	node_set(object, "name", node_text(row->metric.name));
	node_set(object, "unit", node_text(row->metric.unit));
	node_set(object, "what", node_text(row->metric.what));
	node_set(object, "kind", json_string(metric_kind_text(row->metric.kind)));
	node_set(object, "role", json_string(metric_role_text(row->metric.role)));
	node_set(object, "better", json_string(metric_better_text(row->metric.better)));
	json_t *sides = json_array();
	json_t *findings = json_array();
	for (size_t side = 0; side < comparison->n_sides; side++) {
		node_append(sides, node_cell(&row->cells[side]));
		if (side)
			node_append(findings,
				    finding_object(row, side, comparison->sides[side].name));
	}
	if (row->n_cluster > 1)
		node_set_count(object, "cluster", row->cluster);
	if (row->mark)
		node_set(object, "mark", node_mark(row->mark));
	node_set(object, "sides", sides);
	node_set(object, "findings", findings);
	return object;
}
