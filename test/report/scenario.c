/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Typed comparisons: how they are put together. See scenario.h; the cases are in scenario_cases.c. */
#include "report/scenario.h"

#include <assert.h>
#include <string.h>

const struct metric scenario_time = {
	.name = "hackbench.time_sec",
	.unit = "s",
	.what = "from the release of the workers until the last one ended",
	.kind = METRIC_SCORE,
	.better = BETTER_LOWER,
	.role = ROLE_SCORE,
};
const struct metric scenario_throughput = {
	.name = "hackbench.throughput",
	.unit = "KiB/s",
	.what = "payload once per message over the time",
	.kind = METRIC_SCORE,
	.better = BETTER_HIGHER,
	.role = ROLE_RESTATED,
};
const struct metric scenario_cost = {
	.name = "assay.cost.total_cpu_percent",
	.unit = "%",
	.what = "CPU time of all monitors",
	.kind = METRIC_SCORE,
	.better = BETTER_LOWER,
	.role = ROLE_COST,
};

struct metric scenario_counter(const char *name, const char *unit)
{
	return (struct metric) {
		.name = name,
		.unit = unit,
		.what = "",
		.kind = METRIC_COUNTER,
		.better = BETTER_NONE,
		.role = ROLE_EVIDENCE,
	};
}

void scenario_begin(struct scenario *scenario)
{
	struct comparison *comparison = mem_zero(sizeof(*comparison));
	for (size_t i = 0; i < scenario->n_sides; i++)
		scenario->sides[i] = sample_side(&scenario->samples[i]);
	comparison->sides = scenario->sides;
	comparison->n_sides = scenario->n_sides;
	comparison->point = job_point(scenario->sides[0].job);
	comparison->counts = mem_array(scenario->n_sides, sizeof(*comparison->counts));
	for (size_t i = 0; i < scenario->n_sides; i++)
		for (size_t j = 0; j < scenario->sides[i].n_runs; j++)
			comparison->counts[i].outcomes[scenario->sides[i].runs[j]->outcome]++;
	comparison->rows = mem_array(SCENARIO_ROWS_MAX, sizeof(*comparison->rows));
	comparison->warnings = mem_array(SCENARIO_LISTED_MAX, sizeof(*comparison->warnings));
	comparison->notes = mem_array(SCENARIO_LISTED_MAX, sizeof(*comparison->notes));
	comparison->differences = mem_array(SCENARIO_LISTED_MAX, sizeof(*comparison->differences));
	comparison->marks = mem_array(1, sizeof(*comparison->marks));
	comparison->alpha = 0.01;
	comparison->margin_percent = 1.0;
	comparison->evidence_rate = 0.05;
	comparison->n_sharing = 1;
	scenario->comparison = comparison;
}

static void free_rows(struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->n_rows; i++) {
		struct row *row = &comparison->rows[i];
		mem_free_const(row->metric.name);
		for (size_t side = 0; side < comparison->n_sides; side++)
			free(row->findings[side].reason);
		free(row->findings);
		free(row->cells);
	}
	free(comparison->rows);
}

void scenario_done(struct scenario *scenario)
{
	struct comparison *comparison = scenario->comparison;
	free_rows(comparison);
	for (size_t i = 0; i < comparison->n_warnings; i++)
		free(comparison->warnings[i]);
	for (size_t i = 0; i < comparison->n_notes; i++) {
		free(comparison->notes[i].metric);
		free(comparison->notes[i].text);
	}
	for (size_t i = 0; i < comparison->n_differences; i++) {
		free(comparison->differences[i].fact);
		free(comparison->differences[i].base_text);
		free(comparison->differences[i].side_text);
	}
	free(comparison->warnings);
	free(comparison->notes);
	free(comparison->differences);
	free(comparison->marks);
	free(comparison->counts);
	free(comparison->point);
	free(comparison);
	for (size_t i = 0; i < scenario->n_sides; i++)
		sample_done(&scenario->samples[i]);
}

struct row *scenario_row(struct scenario *scenario, const struct metric *metric)
{
	struct comparison *comparison = scenario->comparison;
	assert(comparison->n_rows < SCENARIO_ROWS_MAX);
	struct row *row = &comparison->rows[comparison->n_rows++];
	row->metric = *metric;
	row->metric.name = mem_text(metric->name);
	row->cells = mem_array(comparison->n_sides, sizeof(*row->cells));
	row->findings = mem_array(comparison->n_sides, sizeof(*row->findings));
	for (size_t side = 0; side < comparison->n_sides; side++) {
		row->cells[side].summary = summary_make(NULL, 0);
		row->findings[side] = (struct finding) {
			.verdict = VERDICT_NOT_JUDGED,
			.unguarded = VERDICT_NOT_JUDGED,
			.change = (double)NAN,
			.low = (double)NAN,
			.high = (double)NAN,
			.same_low = (double)NAN,
			.same_high = (double)NAN,
			.t = (double)NAN,
			.p = (double)NAN,
			.p_adjusted = (double)NAN,
		};
	}
	return row;
}

void scenario_cell(struct scenario *scenario, struct row *row, size_t side, double mean,
		   double deviation)
{
	const size_t n = scenario->comparison->counts[side].outcomes[RUN_COMPLETE];
	row->cells[side].summary = (struct summary) {
		.n = n,
		.mean = mean,
		.deviation = n > 1 ? deviation : (double)NAN,
		.minimum = mean - deviation,
		.maximum = mean + deviation,
		.median = mean,
	};
}

void scenario_missing(struct scenario *scenario, struct row *row, size_t side, enum missing why)
{
	row->cells[side].n_missing = scenario->comparison->counts[side].outcomes[RUN_COMPLETE];
	row->cells[side].why = why;
}

static double standard_error(const struct summary *base, const struct summary *head)
{
	return sqrt(base->deviation * base->deviation / (double)base->n +
		    head->deviation * head->deviation / (double)head->n);
}

struct finding *scenario_judge(struct scenario *scenario, struct row *row, size_t side,
			       enum verdict verdict, double p)
{
	const struct summary *base = &row->cells[0].summary;
	const struct summary *head = &row->cells[side].summary;
	struct finding *finding = &row->findings[side];
	const bool is_score = row->metric.role == ROLE_SCORE || row->metric.role == ROLE_RESTATED;
	const double error = standard_error(base, head);
	finding->verdict = verdict;
	finding->unguarded = verdict;
	finding->known = true;
	finding->tested = base->n > 1 && head->n > 1;
	finding->relative = strcmp(row->metric.unit, "%") != 0 && fabs(base->mean) > 0.0;
	const double scale = finding->relative ? 100.0 / fabs(base->mean) : 1.0;
	finding->change = scale * (head->mean - base->mean);
	if (!finding->tested)
		return finding;
	finding->low = finding->change - 2.9 * scale * error;
	finding->high = finding->change + 2.9 * scale * error;
	finding->same_low = finding->change - 2.1 * scale * error;
	finding->same_high = finding->change + 2.1 * scale * error;
	finding->p = p;
	finding->p_adjusted = p;
	finding->margin = 1.0;
	finding->method = is_score ? "block permutation" : "moderated t";
	if (!(error > 0.0))
		finding->method = "exact";
	scenario->comparison->n_scores_tested += row->metric.role == ROLE_SCORE;
	scenario->comparison->n_evidence_tested += row->metric.role == ROLE_EVIDENCE && !isnan(p);
	return finding;
}

struct row *scenario_pair(struct scenario *scenario, const struct metric *metric,
			  const double means[static 2], const double deviations[static 2],
			  enum verdict verdict)
{
	struct row *row = scenario_row(scenario, metric);
	scenario_cell(scenario, row, 0, means[0], deviations[0]);
	scenario_cell(scenario, row, 1, means[1], deviations[1]);
	const bool is_quiet = verdict == VERDICT_UNMOVED || verdict == VERDICT_NOT_JUDGED ||
			      verdict == VERDICT_UNDECIDED;
	(void)scenario_judge(scenario, row, 1, verdict,
			     is_quiet ? 0.6 : 1e-6 * (double)scenario->comparison->n_rows);
	return row;
}

void scenario_warn(struct scenario *scenario, const char *warning)
{
	struct comparison *comparison = scenario->comparison;
	assert(comparison->n_warnings < SCENARIO_LISTED_MAX);
	comparison->warnings[comparison->n_warnings++] = mem_text(warning);
}

void scenario_note(struct scenario *scenario, const char *guard, const char *metric, bool withholds,
		   const char *text)
{
	struct comparison *comparison = scenario->comparison;
	assert(comparison->n_notes < SCENARIO_LISTED_MAX);
	comparison->notes[comparison->n_notes++] = (struct guard_note) {
		.guard = guard,
		.metric = mem_text(metric),
		.withholds = withholds,
		.text = mem_text(text),
	};
}
