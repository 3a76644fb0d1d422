/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A run in memory: made, filled, sorted, searched, freed. See run.h. */
#include "record/run.h"

#include "base/macros.h"
#include "base/mem.h"

#include <assert.h>
#include <string.h>

static const char *const outcome_texts[] = {
	[RUN_COMPLETE] = "complete",       [RUN_FAILED] = "failed",
	[RUN_UNSUPPORTED] = "unsupported", [RUN_TORN] = "torn",
	[RUN_INTERRUPTED] = "interrupted",
};
static const char *const phase_texts[] = {
	[PHASE_PREPARE] = "prepare", [PHASE_WARMUP] = "warm-up",    [PHASE_MEASURE] = "measure",
	[PHASE_STOP] = "stop",       [PHASE_TEARDOWN] = "teardown",
};

static_assert(ARRAY_SIZE(outcome_texts) == RUN_OUTCOME_COUNT, "each outcome has its word");
static_assert(ARRAY_SIZE(phase_texts) == PHASE_COUNT, "each phase has its word");

/* The name of an element of a sorted array, and where it stood before the sorting. */
struct place_of {
	const char *name;
	size_t index;
};

struct run *run_new(void)
{
	struct run *run = mem_zero(sizeof(*run));
	run->workload = mem_text("");
	run->probe_version = mem_text("");
	run->isolation = mem_text("");
	run->reason = mem_text("");
	run->log = mem_text("");
	return run;
}

static void measured_done(struct measured *measured)
{
	mem_free_const(measured->metric.name);
	mem_free_const(measured->metric.unit);
	mem_free_const(measured->metric.what);
}

static void fact_done(struct fact *fact)
{
	free(fact->name);
	free(fact->text);
}

static void series_done(struct series *series)
{
	for (uint32_t i = 0; i < series->n_channels; i++)
		mem_free_const(series->channels[i].name);
	free(series->monitor);
	free(series->channels);
	free(series->times_ns);
	free(series->readings);
}

void run_free(struct run *run)
{
	if (!run)
		return;
	for (size_t i = 0; i < run->n_metrics; i++)
		measured_done(&run->metrics[i]);
	for (size_t i = 0; i < run->n_facts; i++)
		fact_done(&run->facts[i]);
	for (size_t i = 0; i < run->n_series; i++)
		series_done(&run->series[i]);
	for (size_t i = 0; i < run->n_costs; i++) {
		free(run->costs[i].monitor);
		free(run->costs[i].absent_reason);
	}
	free(run->metrics);
	free(run->facts);
	free(run->series);
	free(run->costs);
	free(run->workers);
	free(run->workload);
	free(run->probe_version);
	free(run->isolation);
	free(run->reason);
	free(run->log);
	free(run);
}

static int compare_measured(const void *name, const void *element)
{
	const struct measured *measured = element;
	return strcmp(name, measured->metric.name);
}

static int compare_fact(const void *name, const void *element)
{
	const struct fact *fact = element;
	return strcmp(name, fact->name);
}

const struct measured *run_metric_find(const struct run *run, const char *name)
{
	return run->n_metrics ? bsearch(name, run->metrics, run->n_metrics, sizeof(*run->metrics),
					compare_measured)
			      : NULL;
}

const struct fact *run_fact_find(const struct run *run, const char *name)
{
	return run->n_facts
		       ? bsearch(name, run->facts, run->n_facts, sizeof(*run->facts), compare_fact)
		       : NULL;
}

void run_metric_add(struct run *run, const struct metric *metric, struct value value)
{
	assert(metric->name && metric->name[0]);
	run->metrics = mem_grow(run->metrics, &run->metrics_capacity, run->n_metrics + 1,
				sizeof(*run->metrics));
	struct measured *measured = &run->metrics[run->n_metrics++];
	*measured = (struct measured) { .metric = *metric, .value = value };
	measured->metric.name = mem_text(metric->name);
	measured->metric.unit = mem_text(metric->unit ? metric->unit : "1");
	measured->metric.what = mem_text(metric->what ? metric->what : "");
}

void run_fact_add(struct run *run, const char *name, enum value_state state, enum missing why,
		  const char *text)
{
	assert(name && name[0]);
	assert(state != VALUE_KNOWN || text);
	run->facts =
		mem_grow(run->facts, &run->facts_capacity, run->n_facts + 1, sizeof(*run->facts));
	run->facts[run->n_facts++] = (struct fact) {
		.name = mem_text(name),
		.state = state,
		.why = state == VALUE_MISSING ? why : MISSING_NOT,
		.text = state == VALUE_KNOWN ? mem_text(text) : NULL,
	};
}

/* By name, and by the place before: qsort promises no order among equals. */
static int compare_places(const void *one, const void *other)
{
	const struct place_of *left = one;
	const struct place_of *right = other;
	const int order = strcmp(left->name, right->name);
	if (order)
		return order;
	return left->index < right->index ? -1 : left->index > right->index;
}

/* Is this the second or a later one of its name? */
static bool is_repeated(const struct place_of *places, size_t i)
{
	return i > 0 && strcmp(places[i].name, places[i - 1].name) == 0;
}

static void sort_metrics(struct run *run)
{
	struct place_of *places = mem_array(run->n_metrics, sizeof(*places));
	for (size_t i = 0; i < run->n_metrics; i++)
		places[i] = (struct place_of) { run->metrics[i].metric.name, i };
	qsort(places, run->n_metrics, sizeof(*places), compare_places);
	struct measured *sorted = mem_array(run->n_metrics, sizeof(*sorted));
	size_t kept = 0;
	for (size_t i = 0; i < run->n_metrics; i++)
		if (!is_repeated(places, i))
			sorted[kept++] = run->metrics[places[i].index];
	for (size_t i = run->n_metrics; i-- > 0;)
		if (is_repeated(places, i))
			measured_done(&run->metrics[places[i].index]);
	free(places);
	free(run->metrics);
	run->metrics = sorted;
	run->metrics_capacity = run->n_metrics;
	run->n_metrics = kept;
}

static void sort_facts(struct run *run)
{
	struct place_of *places = mem_array(run->n_facts, sizeof(*places));
	for (size_t i = 0; i < run->n_facts; i++)
		places[i] = (struct place_of) { run->facts[i].name, i };
	qsort(places, run->n_facts, sizeof(*places), compare_places);
	struct fact *sorted = mem_array(run->n_facts, sizeof(*sorted));
	size_t kept = 0;
	for (size_t i = 0; i < run->n_facts; i++)
		if (!is_repeated(places, i))
			sorted[kept++] = run->facts[places[i].index];
	for (size_t i = run->n_facts; i-- > 0;)
		if (is_repeated(places, i))
			fact_done(&run->facts[places[i].index]);
	free(places);
	free(run->facts);
	run->facts = sorted;
	run->facts_capacity = run->n_facts;
	run->n_facts = kept;
}

void run_sort(struct run *run)
{
	if (run->n_metrics)
		sort_metrics(run);
	if (run->n_facts)
		sort_facts(run);
}

struct value run_window_seconds(const struct run *run)
{
	const uint64_t from = run->phase_ns[PHASE_MEASURE];
	const uint64_t to = run->phase_ns[PHASE_STOP];
	if (from && to > from)
		return value_known((double)(to - from) / 1e9);
	if (from && to)
		return value_missing(MISSING_MALFORMED);
	/* A complete run without its window has lost the frames that would say so. */
	const bool is_lost = run->outcome == RUN_TORN || run->outcome == RUN_COMPLETE;
	return value_missing(is_lost ? MISSING_TORN : MISSING_FAILED);
}

const char *run_outcome_text(enum run_outcome outcome)
{
	assert(outcome < RUN_OUTCOME_COUNT);
	return outcome_texts[outcome];
}

const char *phase_text(enum phase phase)
{
	assert(phase < PHASE_COUNT);
	return phase_texts[phase];
}
