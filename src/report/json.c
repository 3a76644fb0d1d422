/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON, an array with one object a comparison. Schema: data/comparison.schema.json. A number that
 * may be missing is an object with its state ("known", "missing" with "why", "not applicable"); a
 * number that cannot exist (the deviation of one run) is null.
 */
#include "base/mem.h"
#include "report/describe.h"
#include "report/formats.h"
#include "verdict/sides.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define JSON_VERSION 1

/* jansson refuses NaN, and text that is not UTF-8; the first is null, the second is named. */
static json_t *number_or_null(double number)
{
	return isfinite(number) ? json_real(number) : json_null();
}

static json_t *text_or_null(const char *text)
{
	if (!text)
		return json_null();
	json_t *string = json_string(text);
	return string ? string : json_string("(not UTF-8)");
}

static void set(json_t *object, const char *key, json_t *value)
{
	(void)json_object_set_new(object, key, value); /* Fails only without memory. */
}

static void set_count(json_t *object, const char *key, size_t count)
{
	set(object, key, json_integer((json_int_t)count));
}

static json_t *fact_object(const struct run *run, const char *name)
{
	const struct fact *fact = run_fact_find(run, name);
	json_t *object = json_object();
	if (fact && fact->state == VALUE_KNOWN) {
		set(object, "state", json_string("known"));
		set(object, "value", text_or_null(fact->text));
	} else if (fact && fact->state == VALUE_NOT_APPLICABLE) {
		set(object, "state", json_string("not applicable"));
	} else {
		set(object, "state", json_string("missing"));
		set(object, "why", json_string(fact ? missing_text(fact->why) : "not recorded"));
	}
	return object;
}

static json_t *cell_object(const struct cell *cell)
{
	json_t *object = json_object();
	const struct summary *summary = &cell->summary;
	set(object, "state",
	    json_string(summary->n               ? "known"
			: cell->n_not_applicable ? "not applicable"
						 : "missing"));
	if (cell->n_missing)
		set(object, "why", json_string(missing_text(cell->why)));
	set_count(object, "n", summary->n);
	set_count(object, "n_missing", cell->n_missing);
	set_count(object, "n_not_applicable", cell->n_not_applicable);
	if (summary->n == 0)
		return object;
	set(object, "mean", number_or_null(summary->mean));
	set(object, "deviation", number_or_null(summary->deviation));
	set(object, "minimum", number_or_null(summary->minimum));
	set(object, "median", number_or_null(summary->median));
	set(object, "maximum", number_or_null(summary->maximum));
	return object;
}

static json_t *interval_array(double low, double high)
{
	json_t *array = json_array();
	(void)json_array_append_new(array, number_or_null(low));
	(void)json_array_append_new(array, number_or_null(high));
	return array;
}

static json_t *finding_object(const struct finding *finding, const char *side)
{
	json_t *object = json_object();
	set(object, "side", text_or_null(side));
	set(object, "verdict", json_string(verdict_text(finding->verdict)));
	if (finding->reason)
		set(object, "reason", text_or_null(finding->reason));
	if (finding->known) {
		set(object, "relative", json_boolean(finding->relative));
		set(object, "change", number_or_null(finding->change));
	}
	if (finding->tested) {
		set(object, "interval", interval_array(finding->low, finding->high));
		set(object, "same_interval", interval_array(finding->same_low, finding->same_high));
		set(object, "p", number_or_null(finding->p));
		set(object, "p_adjusted", number_or_null(finding->p_adjusted));
		set(object, "method", json_string(finding->method));
	}
	return object;
}

static json_t *row_object(const struct comparison *comparison, const struct row *row)
{
	json_t *object = json_object();
	set(object, "name", text_or_null(row->metric.name));
	set(object, "unit", text_or_null(row->metric.unit));
	set(object, "what", text_or_null(row->metric.what));
	set(object, "kind", json_string(metric_kind_text(row->metric.kind)));
	set(object, "role", json_string(metric_role_text(row->metric.role)));
	set(object, "better", json_string(metric_better_text(row->metric.better)));
	json_t *sides = json_array();
	json_t *findings = json_array();
	for (size_t side = 0; side < comparison->n_sides; side++) {
		(void)json_array_append_new(sides, cell_object(&row->cells[side]));
		if (side)
			(void)json_array_append_new(
				findings,
				finding_object(&row->findings[side], comparison->sides[side].name));
	}
	set(object, "sides", sides);
	set(object, "findings", findings);
	return object;
}

static json_t *parameters_object(const struct job *job)
{
	json_t *object = json_object();
	for (size_t i = 0; i < job->n_arguments; i++) {
		const struct argument *argument = &job->arguments[i];
		json_t *parameter = json_object();
		set(parameter, "value", text_or_null(argument->value));
		set(parameter, "text",
		    text_or_null(argument->text ? argument->text : argument->value));
		set(object, argument->name, parameter);
	}
	return object;
}

static json_t *settings_array(const struct job *job)
{
	json_t *array = json_array();
	for (size_t i = 0; i < job->n_settings; i++) {
		const struct setting *setting = &job->settings[i];
		json_t *object = json_object();
		set(object, "kind", json_string(setting_kind_text(setting->kind)));
		set(object, "key", text_or_null(setting->key));
		set(object, "value", text_or_null(setting->value));
		(void)json_array_append_new(array, object);
	}
	return array;
}

static json_t *machine_object(const struct run *run)
{
	static const char *const facts[] = { "cpu.model_name",   "cpu.count",      "node.count",
					     "memory.total_mib", "kernel.release", "hypervisor" };
	json_t *object = json_object();
	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
		set(object, facts[i], fact_object(run, facts[i]));
	return object;
}

static json_t *cost_object(const struct comparison *comparison, size_t side)
{
	const struct row *row = describe_cost_row(comparison);
	if (row)
		return cell_object(&row->cells[side]);
	const struct cell cell = { .n_missing = 1, .why = MISSING_ABSENT };
	return cell_object(&cell);
}

static json_t *side_object(const struct comparison *comparison, size_t side)
{
	const struct compared_side *compared = &comparison->sides[side];
	json_t *object = json_object();
	set(object, "name", text_or_null(compared->name));
	set(object, "settings", settings_array(compared->job));
	set(object, "parameters", parameters_object(compared->job));
	json_t *runs = json_object();
	for (size_t i = 0; i < RUN_OUTCOME_COUNT; i++)
		set_count(runs, run_outcome_text((enum run_outcome)i),
			  comparison->counts[side].outcomes[i]);
	set(object, "runs", runs);
	const struct run *run = sides_first_run(compared);
	set(object, "isolation", text_or_null(run->isolation));
	set(object, "machine", machine_object(run));
	set(object, "monitor_cost_percent_of_one_cpu", cost_object(comparison, side));
	return object;
}

static json_t *method_object(const struct comparison *comparison)
{
	json_t *object = json_object();
	set(object, "alpha", json_real(comparison->alpha));
	set(object, "interval_confidence", json_real(1.0 - comparison->alpha));
	set(object, "margin_percent", json_real(comparison->margin_percent));
	set(object, "same_confidence", json_real(COMPARISON_SAME_CONFIDENCE));
	set(object, "evidence_rate", json_real(comparison->evidence_rate));
	set(object, "scores", json_string("Welch t, Holm"));
	set_count(object, "scores_tested", comparison->n_scores_tested);
	set(object, "evidence", json_string("Welch t, Benjamini-Hochberg"));
	set_count(object, "evidence_tested", comparison->n_evidence_tested);
	set_count(object, "comparisons_sharing_the_budget", comparison->n_sharing);
	return object;
}

static json_t *differences_array(const struct comparison *comparison)
{
	json_t *array = json_array();
	for (size_t i = 0; i < comparison->n_differences; i++) {
		const struct difference *difference = &comparison->differences[i];
		json_t *object = json_object();
		set(object, "fact", text_or_null(difference->fact));
		set(object, "side", text_or_null(comparison->sides[difference->side].name));
		set(object, "grave", json_boolean(difference->grave));
		set(object, "base", text_or_null(difference->base_text));
		set(object, "head", text_or_null(difference->side_text));
		(void)json_array_append_new(array, object);
	}
	return array;
}

static json_t *sentences_array(const struct comparison *comparison)
{
	json_t *array = json_array();
	AUTO(text) char *sentences = report_sentence(comparison);
	char *rest = NULL;
	for (char *line = strtok_r(sentences, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest))
		(void)json_array_append_new(array, text_or_null(line));
	return array;
}

static json_t *comparison_object(const struct comparison *comparison)
{
	json_t *object = json_object();
	set(object, "format", json_string("assay-comparison"));
	set(object, "version", json_integer(JSON_VERSION));
	set(object, "point", text_or_null(comparison->point));
	set(object, "workload", text_or_null(comparison->sides[0].job->workload));
	set(object, "semantics", json_integer(comparison->sides[0].job->semantics));
	set(object, "sentences", sentences_array(comparison));
	set_count(object, "exit_code", (size_t)comparison_exit_code(comparison));
	json_t *warnings = json_array();
	for (size_t i = 0; i < comparison->n_notes; i++)
		(void)json_array_append_new(warnings, text_or_null(comparison->notes[i].text));
	for (size_t i = 0; i < comparison->n_warnings; i++)
		(void)json_array_append_new(warnings, text_or_null(comparison->warnings[i]));
	set(object, "warnings", warnings);
	set(object, "differences", differences_array(comparison));
	set(object, "method", method_object(comparison));
	json_t *sides = json_array();
	for (size_t side = 0; side < comparison->n_sides; side++)
		(void)json_array_append_new(sides, side_object(comparison, side));
	set(object, "sides", sides);
	json_t *metrics = json_array();
	for (size_t i = 0; i < comparison->n_rows; i++)
		(void)json_array_append_new(metrics, row_object(comparison, &comparison->rows[i]));
	set(object, "metrics", metrics);
	return object;
}

/* Every row is written whatever the options say: who reads this is a program. */
static void render(const struct comparison *const *comparisons, size_t n,
		   const struct report_options *options, struct text *ret_text)
{
	json_t *array = json_array();
	for (size_t i = 0; i < n; i++)
		(void)json_array_append_new(array, comparison_object(comparisons[i]));
	char *dump = json_dumps(array, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
	text_add(ret_text, "%s\n", dump ? dump : "[]");
	free(dump);
	json_decref(array);
}

const struct report_format format_json = {
	.name = "json",
	.what = "an array with one object a comparison (data/comparison.schema.json), full precision",
	.render = render,
};
