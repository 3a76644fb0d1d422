/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON, an array with one object a comparison. Schema: data/comparison.schema.json. A number that
 * may be missing is an object with its state ("known", "missing" with "why", "not applicable"); a
 * number that cannot exist (the deviation of one run) is null.
 */
#include "base/mem.h"
#include "report/describe.h"
#include "report/formats.h"
#include "report/method.h"
#include "report/node.h"
#include "verdict/sides.h"
#include "verdict/sweep.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define JSON_VERSION 1

static json_t *fact_object(const struct run *run, const char *name)
{
	const struct fact *fact = run_fact_find(run, name);
	json_t *object = json_object();
	if (fact && fact->state == VALUE_KNOWN) {
		node_set(object, "state", json_string("known"));
		node_set(object, "value", node_text(fact->text));
	} else if (fact && fact->state == VALUE_NOT_APPLICABLE) {
		node_set(object, "state", json_string("not applicable"));
	} else {
		node_set(object, "state", json_string("missing"));
		node_set(object, "why",
			 json_string(fact ? missing_text(fact->why) : "not recorded"));
	}
	return object;
}

static json_t *parameters_object(const struct job *job)
{
	json_t *object = json_object();
	for (size_t i = 0; i < job->n_arguments; i++) {
		const struct argument *argument = &job->arguments[i];
		json_t *parameter = json_object();
		node_set(parameter, "value", node_text(argument->value));
		node_set(parameter, "text",
			 node_text(argument->text ? argument->text : argument->value));
		node_set(object, argument->name, parameter);
	}
	return object;
}

static json_t *settings_array(const struct job *job)
{
	json_t *array = json_array();
	for (size_t i = 0; i < job->n_settings; i++) {
		const struct setting *setting = &job->settings[i];
		json_t *object = json_object();
		node_set(object, "kind", json_string(setting_kind_text(setting->kind)));
		node_set(object, "key", node_text(setting->key));
		node_set(object, "value", node_text(setting->value));
		node_append(array, object);
	}
	return array;
}

static json_t *machine_object(const struct run *run)
{
	static const char *const facts[] = { "cpu.model_name",   "cpu.count",      "node.count",
					     "memory.total_mib", "kernel.release", "hypervisor" };
	json_t *object = json_object();
	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
		node_set(object, facts[i], fact_object(run, facts[i]));
	return object;
}

static json_t *cost_object(const struct comparison *comparison, size_t side)
{
	const struct row *row = describe_cost_row(comparison);
	if (row)
		return node_cell(&row->cells[side]);
	const struct cell cell = { .n_missing = 1, .why = MISSING_ABSENT };
	return node_cell(&cell);
}

static json_t *side_object(const struct comparison *comparison, size_t side)
{
	const struct compared_side *compared = &comparison->sides[side];
	json_t *object = json_object();
	node_set(object, "name", node_text(compared->name));
	node_set(object, "settings", settings_array(compared->job));
	node_set(object, "parameters", parameters_object(compared->job));
	json_t *runs = json_object();
	for (size_t i = 0; i < RUN_OUTCOME_COUNT; i++)
		node_set_count(runs, run_outcome_text((enum run_outcome)i),
			       comparison->counts[side].outcomes[i]);
	node_set(object, "runs", runs);
	const struct run *run = sides_first_run(compared);
	node_set(object, "isolation", node_text(run->isolation));
	node_set(object, "machine", machine_object(run));
	node_set(object, "monitor_cost_percent_of_one_cpu", cost_object(comparison, side));
	return object;
}

/* "block permutation, moderated t, Holm" */
static json_t *test_text(const struct comparison *comparison, enum metric_role role)
{
	AUTO(text) char *methods = method_text(&comparison, 1, role);
	AUTO(text)
	char *text = mem_format("%s, %s", methods, method_adjustment(comparison, role));
	return json_string(text);
}

static json_t *method_object(const struct comparison *comparison)
{
	json_t *object = json_object();
	node_set(object, "alpha", json_real(comparison->alpha));
	node_set(object, "interval_confidence", json_real(1.0 - comparison->alpha));
	node_set(object, "margin_percent", json_real(comparison->margin_percent));
	node_set(object, "same_confidence", json_real(COMPARISON_SAME_CONFIDENCE));
	node_set(object, "evidence_rate", json_real(comparison->evidence_rate));
	node_set(object, "scores", test_text(comparison, ROLE_SCORE));
	node_set_count(object, "scores_tested", comparison->n_scores_tested);
	node_set(object, "evidence", test_text(comparison, ROLE_EVIDENCE));
	node_set_count(object, "evidence_tested", comparison->n_evidence_tested);
	node_set_count(object, "comparisons_sharing_the_budget", comparison->n_sharing);
	node_set_count(object, "sequential_max", comparison->options.sequential_max);
	return object;
}

static json_t *family_object(const struct comparison *comparison, enum metric_role role)
{
	const bool is_score = role == ROLE_SCORE;
	const char *names[METHOD_NAMES_MAX];
	const size_t n_names = method_names(&comparison, 1, role, names);
	json_t *object = json_object();
	node_set(object, "family", json_string(is_score ? "scores" : "evidence"));
	node_set_count(object, "tested",
		       is_score ? comparison->n_scores_tested : comparison->n_evidence_tested);
	node_set_count(object, "size", method_family_size(comparison, role));
	node_set(object, "adjustment", json_string(method_adjustment(comparison, role)));
	node_set(object, "rate",
		 json_real(is_score ? comparison->alpha : comparison->evidence_rate));
	node_set(
		object, "bounds",
		json_string(is_score ? "chance of any false one" : "expected share of false ones"));
	json_t *methods = json_array();
	for (size_t i = 0; i < n_names; i++)
		node_append(methods, json_string(names[i]));
	node_set(object, "methods", methods);
	return object;
}

static json_t *families_array(const struct comparison *comparison)
{
	json_t *array = json_array();
	node_append(array, family_object(comparison, ROLE_SCORE));
	node_append(array, family_object(comparison, ROLE_EVIDENCE));
	return array;
}

static json_t *notes_array(const struct comparison *comparison)
{
	json_t *array = json_array();
	for (size_t i = 0; i < comparison->n_notes; i++) {
		const struct guard_note *note = &comparison->notes[i];
		json_t *object = json_object();
		node_set(object, "guard", json_string(note->guard));
		node_set(object, "withholds", json_boolean(note->withholds));
		node_set(object, "side",
			 node_text(note->side ? comparison->sides[note->side].name : NULL));
		node_set(object, "metric", node_text(note->metric));
		node_set(object, "text", node_text(note->text));
		node_append(array, object);
	}
	return array;
}

static json_t *marks_array(const struct comparison *comparison)
{
	json_t *array = json_array();
	for (size_t i = 0; i < comparison->n_marks; i++)
		node_append(array, node_mark(comparison->marks[i]));
	return array;
}

/* The metrics of a cluster, its leader first. */
static json_t *cluster_object(const struct comparison *comparison, size_t first)
{
	const struct row *lead = &comparison->rows[first];
	json_t *object = json_object();
	json_t *names = json_array();
	for (size_t i = first; i < comparison->n_rows; i++)
		if (comparison->rows[i].cluster == lead->cluster)
			node_append(names, node_text(comparison->rows[i].metric.name));
	node_set_count(object, "cluster", lead->cluster);
	node_set(object, "lead", node_text(lead->metric.name));
	node_set(object, "metrics", names);
	return object;
}

static json_t *clusters_array(const struct comparison *comparison)
{
	json_t *array = json_array();
	for (size_t i = 0; i < comparison->n_rows; i++) {
		bool is_lead = comparison->rows[i].n_cluster > 1;
		for (size_t j = 0; j < i && is_lead; j++)
			is_lead = comparison->rows[j].cluster != comparison->rows[i].cluster;
		if (is_lead)
			node_append(array, cluster_object(comparison, i));
	}
	return array;
}

static json_t *differences_array(const struct comparison *comparison)
{
	json_t *array = json_array();
	for (size_t i = 0; i < comparison->n_differences; i++) {
		const struct difference *difference = &comparison->differences[i];
		json_t *object = json_object();
		node_set(object, "fact", node_text(difference->fact));
		node_set(object, "side", node_text(comparison->sides[difference->side].name));
		node_set(object, "grave", json_boolean(difference->grave));
		node_set(object, "base", node_text(difference->base_text));
		node_set(object, "head", node_text(difference->side_text));
		node_append(array, object);
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
		node_append(array, node_text(line));
	return array;
}

/* What a person must know before the numbers. */
static void add_doubts(json_t *object, const struct comparison *comparison)
{
	json_t *warnings = json_array();
	for (size_t i = 0; i < comparison->n_notes; i++)
		node_append(warnings, node_text(comparison->notes[i].text));
	for (size_t i = 0; i < comparison->n_warnings; i++)
		node_append(warnings, node_text(comparison->warnings[i]));
	node_set(object, "warnings", warnings);
	node_set(object, "notes", notes_array(comparison));
	node_set(object, "marks", marks_array(comparison));
	node_set(object, "differences", differences_array(comparison));
}

/* One object a side; null where nothing was swept. */
static json_t *scalability_array(const struct comparison *const *comparisons, size_t n,
				 size_t index)
{
	const struct comparison *comparison = comparisons[index];
	json_t *array = json_array();
	bool is_swept = false;
	for (size_t side = 0; side < comparison->n_sides; side++) {
		const struct scaling scaling = sweep_scaling_of(comparisons, n, index, side);
		is_swept |= scaling.state != SCALING_NO_SWEEP;
		json_t *object = node_scaling(&scaling);
		node_set(object, "side", node_text(comparison->sides[side].name));
		node_append(array, object);
	}
	if (is_swept)
		return array;
	json_decref(array);
	return json_null();
}

static json_t *comparison_object(const struct comparison *const *comparisons, size_t n,
				 size_t index, const char *question)
{
	const struct comparison *comparison = comparisons[index];
	json_t *object = json_object();
	node_set(object, "format", json_string("assay-comparison"));
	node_set(object, "version", json_integer(JSON_VERSION));
	node_set(object, "question", node_text(question));
	node_set(object, "point", node_text(comparison->point));
	node_set(object, "workload", node_text(comparison->sides[0].job->workload));
	node_set(object, "semantics", json_integer(comparison->sides[0].job->semantics));
	node_set(object, "sentences", sentences_array(comparison));
	node_set_count(object, "exit_code", (size_t)comparison_exit_code(comparison));
	add_doubts(object, comparison);
	node_set(object, "method", method_object(comparison));
	node_set(object, "families", families_array(comparison));
	node_set(object, "clusters", clusters_array(comparison));
	json_t *sides = json_array();
	for (size_t side = 0; side < comparison->n_sides; side++)
		node_append(sides, side_object(comparison, side));
	node_set(object, "sides", sides);
	node_set(object, "scalability", scalability_array(comparisons, n, index));
	json_t *metrics = json_array();
	for (size_t i = 0; i < comparison->n_rows; i++)
		node_append(metrics, node_metric(comparison, &comparison->rows[i]));
	node_set(object, "metrics", metrics);
	return object;
}

/* Every row is written whatever the options say: who reads this is a program. */
static void render(const struct comparison *const *comparisons, size_t n,
		   const struct report_options *options, struct text *ret_text)
{
	json_t *array = json_array();
	for (size_t i = 0; i < n; i++)
		node_append(array, comparison_object(comparisons, n, i, options->question));
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
