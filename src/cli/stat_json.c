/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One judged pair as one flat object. See stat_json.h. */
#include "cli/stat_json.h"

#include "base/text.h"

#include <assert.h>
#include <math.h>

static void put(json_t *object, const char *key, json_t *value)
{
	const int answer = json_object_set_new(object, key, value);
	assert(answer == 0); /* Names and texts were made printable when they were read. */
}

/* What is not known or has no bound is null. */
static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *text(const char *value)
{
	return value ? json_string(value) : json_null();
}

static json_t *two_numbers(double one, double other)
{
	json_t *array = json_array();
	(void)json_array_append_new(array, number(one)); /* It fails without memory only. */
	(void)json_array_append_new(array, number(other));
	return array;
}

static json_t *two_counts(size_t one, size_t other)
{
	json_t *array = json_array();
	(void)json_array_append_new(array, json_integer((json_int_t)one));
	(void)json_array_append_new(array, json_integer((json_int_t)other));
	return array;
}

static json_t *warnings_of(const struct comparison *comparison)
{
	json_t *array = json_array();
	for (size_t i = 0; i < comparison->n_notes; i++)
		(void)json_array_append_new(array, json_string(comparison->notes[i].text));
	for (size_t i = 0; i < comparison->n_warnings; i++)
		(void)json_array_append_new(array, json_string(comparison->warnings[i]));
	return array;
}

/* Per cent of the base; of a metric that is measured in per cent itself, or from a base of 0, there
 * is only the change in its own unit. */
static void put_change(json_t *object, const struct finding *finding)
{
	const double none = (double)NAN;
	const bool relative = finding->known && finding->relative;
	const bool absolute = finding->known && !finding->relative;
	const bool tested = finding->tested;
	put(object, "change_percent", number(relative ? finding->change : none));
	put(object, "interval_percent",
	    relative && tested ? two_numbers(finding->low, finding->high) : json_null());
	put(object, "change_in_unit", number(absolute ? finding->change : none));
	put(object, "interval_in_unit",
	    absolute && tested ? two_numbers(finding->low, finding->high) : json_null());
}

static void put_test(json_t *object, const struct comparison *comparison,
		     const struct finding *finding)
{
	const double none = (double)NAN;
	put(object, "confidence", json_real(1.0 - comparison->alpha));
	put(object, "p", number(finding->tested ? finding->p : none));
	put(object, "p_adjusted", number(finding->tested ? finding->p_adjusted : none));
	put(object, "smallest_p", number(finding->tested ? finding->smallest_p : none));
	put(object, "method", text(finding->tested ? finding->method : NULL));
	put(object, "alpha", json_real(comparison->alpha));
	put(object, "tests_sharing_alpha", json_integer((json_int_t)comparison->n_scores_tested));
	put(object, "margin", number(finding->margin));
	put(object, "runs_wanted",
	    finding->runs_wanted ? json_integer((json_int_t)finding->runs_wanted) : json_null());
}

static void put_samples(json_t *object, const struct stat_case *one, const struct row *row)
{
	const struct cell *base = &row->cells[0];
	const struct cell *head = &row->cells[1];
	json_t *sides = json_array();
	for (size_t s = 0; s < 2; s++)
		(void)json_array_append_new(sides, json_string(one->names[s]));
	put(object, "sides", sides);
	put(object, "n", two_counts(base->summary.n, head->summary.n));
	put(object, "missing", two_counts(base->n_missing, head->n_missing));
	put(object, "mean", two_numbers(base->summary.mean, head->summary.mean));
	put(object, "median", two_numbers(base->summary.median, head->summary.median));
	put(object, "deviation", two_numbers(base->summary.deviation, head->summary.deviation));
	put(object, "order_known", json_boolean(one->places[0] != NULL));
}

json_t *stat_json(const struct stat_case *one)
{
	const struct row *row = stat_case_row(one);
	const struct finding *finding = &row->findings[1];
	json_t *object = json_object();
	put(object, "format", json_string("assay-stat"));
	put(object, "version", json_integer(1));
	put(object, "metric", json_string(row->metric.name));
	put(object, "unit", json_string(row->metric.unit));
	put(object, "direction", json_string(metric_better_text(row->metric.better)));
	put(object, "verdict", json_string(verdict_text(finding->verdict)));
	put(object, "provisional", json_boolean(finding->provisional));
	put(object, "reason", text(finding->reason));
	put_change(object, finding);
	put_test(object, one->comparison, finding);
	put_samples(object, one, row);
	put(object, "warnings", warnings_of(one->comparison));
	put(object, "exit_code", json_integer(comparison_exit_code(one->comparison)));
	return object;
}
