/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A run as JSON. See show_json.h. */
#include "cli/show_json.h"

/* {"state": "known", "number": 1.5} or {"state": "missing", "why": "offline"}. */
static json_t *value_json(struct value value)
{
	switch (value.state) {
	case VALUE_KNOWN:
		return json_pack("{s:s, s:f}", "state", "known", "number", value.number);
	case VALUE_MISSING:
		return json_pack("{s:s, s:s}", "state", "missing", "why", missing_text(value.why));
	case VALUE_NOT_APPLICABLE:
	case VALUE_STATE_COUNT:
		break;
	}
	return json_pack("{s:s}", "state", "not applicable");
}

static json_t *metrics_json(const struct run *run)
{
	json_t *list = json_array();
	for (size_t i = 0; i < run->n_metrics; i++) {
		const struct metric *metric = &run->metrics[i].metric;
		(void)json_array_append_new(list,
					    json_pack("{s:s, s:s, s:s, s:s, s:s, s:o}", "name",
						      metric->name, "unit", metric->unit, "kind",
						      metric_kind_text(metric->kind), "better",
						      metric_better_text(metric->better), "role",
						      metric_role_text(metric->role), "value",
						      value_json(run->metrics[i].value)));
	}
	return list;
}

static json_t *facts_json(const struct run *run)
{
	json_t *object = json_object();
	for (size_t i = 0; i < run->n_facts; i++) {
		const struct fact *fact = &run->facts[i];
		json_t *value = NULL;
		if (fact->state == VALUE_KNOWN)
			value = json_string(fact->text);
		else if (fact->state == VALUE_MISSING)
			value = json_pack("{s:s}", "missing", missing_text(fact->why));
		else
			value = json_pack("{s:b}", "not_applicable", true);
		(void)json_object_set_new(object, fact->name, value ? value : json_null());
	}
	return object;
}

static json_t *workers_json(const struct run *run)
{
	json_t *list = json_array();
	for (size_t i = 0; i < run->n_workers; i++)
		(void)json_array_append_new(
			list, json_pack("{s:I, s:f}", "operations",
					(json_int_t)run->workers[i].operations, "elapsed_s",
					(double)run->workers[i].elapsed_ns / 1e9));
	return list;
}

static json_t *costs_json(const struct run *run)
{
	json_t *list = json_array();
	for (size_t i = 0; i < run->n_costs; i++)
		(void)json_array_append_new(
			list, json_pack("{s:s, s:I, s:f, s:s?}", "monitor", run->costs[i].monitor,
					"samples", (json_int_t)run->costs[i].samples, "cpu_s",
					(double)run->costs[i].cpu_ns / 1e9, "absent_reason",
					run->costs[i].absent_reason));
	return list;
}

static json_t *job_json(const struct job *job)
{
	json_t *parameters = json_object();
	json_t *settings = json_array();
	for (size_t i = 0; i < job->n_arguments; i++)
		(void)json_object_set_new(parameters, job->arguments[i].name,
					  json_pack("{s:s, s:s}", "value", job->arguments[i].value,
						    "text", job->arguments[i].text));
	for (size_t i = 0; i < job->n_settings; i++)
		(void)json_array_append_new(
			settings, json_pack("{s:s, s:s, s:s}", "kind",
					    setting_kind_text(job->settings[i].kind), "key",
					    job->settings[i].key, "value", job->settings[i].value));
	return json_pack("{s:s, s:i, s:o, s:o}", "workload", job->workload, "semantics",
			 (int)job->semantics, "parameters", parameters, "settings", settings);
}

json_t *show_json(const struct run_row *row, const struct run *run)
{
	return json_pack(
		"{s:I, s:s, s:s, s:s, s:I, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:s}",
		"run", (json_int_t)row->id, "campaign", row->campaign_name, "subject", row->subject,
		"point", row->point, "block", (json_int_t)row->block, "outcome",
		run_outcome_text(run->outcome), "reason", run->reason, "isolation", run->isolation,
		"probe", run->probe_version, "window_s", value_json(run_window_seconds(run)), "job",
		job_json(row->job), "metrics", metrics_json(run), "environment", facts_json(run),
		"workers", workers_json(run), "costs", costs_json(run), "log", run->log);
}
