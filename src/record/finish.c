/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The end of reading: metrics, costs, fairness, missing states. See finish.h. */
#include "record/finish.h"

#include "base/macros.h"
#include "base/mem.h"
#include "record/reduce.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Why something did not come, when all that came before it did. */
static enum missing why_not_come(const struct run *run)
{
	switch (run->outcome) {
	case RUN_FAILED:
	case RUN_UNSUPPORTED:
	case RUN_INTERRUPTED:
		return MISSING_FAILED;
	case RUN_COMPLETE:
	case RUN_TORN:
	case RUN_OUTCOME_COUNT:
		break;
	}
	return MISSING_TORN;
}

/* Are all samples here that the monitor's last word speaks of, from the first to the last? */
static bool has_both_ends(const struct decoded_monitor *monitor)
{
	return monitor->has_cost && monitor->sent == monitor->next_number &&
	       (monitor->sent == 0 || monitor->has_first);
}

static bool has_all_channels(const struct decoded_monitor *monitor, const uint32_t *indexes,
			     uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (indexes[i] >= monitor->series.n_channels || !monitor->has_channel[indexes[i]])
			return false;
	return true;
}

/* Could a lost sample between the first and the last have changed it? A counter goes on counting;
 * a level that was not seen is not known. */
static bool needs_every_sample(enum metric_kind kind)
{
	return kind == METRIC_GAUGE || kind == METRIC_MAXIMUM || kind == METRIC_SETTLED;
}

/* A number is given only when all that it is made of has come. */
static struct value rule_value(const struct run *run, const struct decoded_monitor *monitor,
			       const struct metric_rule *rule)
{
	const struct value window = run_window_seconds(run);
	if (!value_is_known(window))
		return window;
	if (!has_both_ends(monitor))
		return value_missing(why_not_come(run));
	if (monitor->is_cut || (monitor->has_hole && needs_every_sample(rule->metric.kind)))
		return value_missing(MISSING_TORN);
	if (!has_all_channels(monitor, rule->parts, rule->n_parts) ||
	    !has_all_channels(monitor, rule->whole, rule->n_whole))
		return value_missing(MISSING_TORN);
	return reduce_metric(&monitor->series, rule, run->phase_ns[PHASE_MEASURE],
			     run->phase_ns[PHASE_STOP]);
}

/* Is `name` "<owner>.something" already? */
static bool is_within(const char *name, const char *owner)
{
	const size_t length = strlen(owner);
	return length && strncmp(name, owner, length) == 0 && name[length] == '.';
}

static void add_rules(struct decoded *decoded, const struct decoded_monitor *monitor)
{
	for (size_t i = 0; i < monitor->n_rules; i++) {
		const struct metric_rule *rule = &monitor->rules[i];
		struct metric metric = rule->metric;
		char full[METRIC_NAME_BYTES];
		if (!is_within(metric.name, monitor->name) &&
		    !is_within(metric.name, decoded->prefix)) {
			/* A name that is too long for the pair is cut, as the writer cuts names. */
			const int length =
				snprintf(full, sizeof(full), "%s.%s", monitor->name, metric.name);
			assert(length > 0);
			metric.name = full;
		}
		run_metric_add(decoded->run, &metric, rule_value(decoded->run, monitor, rule));
	}
}

/* A channel whose frame was lost has no name of its own. */
static void name_lost_channels(struct decoded_monitor *monitor)
{
	for (uint32_t i = 0; i < monitor->series.n_channels; i++)
		if (!monitor->has_channel[i])
			monitor->series.channels[i] = (struct channel) {
				.name = mem_format("lost-%u", i),
				.kind = CHANNEL_COUNTER,
				.width_bits = 64,
			};
}

static void move_series(struct run *run, struct decoded_monitor *monitor)
{
	name_lost_channels(monitor);
	struct series *series = &run->series[run->n_series++];
	*series = monitor->series;
	series->monitor = mem_text(monitor->name);
	monitor->series = (struct series) { 0 };
}

/* Doubts about the record belong to the run, so they stand in its log. */
static void note_doubts(struct decoded *decoded, const struct decoded_monitor *monitor)
{
	const uint32_t came = monitor->series.n_samples;
	if (monitor->is_cut)
		text_add(&decoded->log,
			 "assay: monitor '%s': only the first %u samples were kept, the record is "
			 "too long\n",
			 monitor->name, came);
	else if (monitor->has_cost && monitor->sent != came)
		text_add(&decoded->log,
			 "assay: monitor '%s': %u of %u samples came, the record is damaged\n",
			 monitor->name, came, monitor->sent);
}

static void add_cost_metric(struct run *run, const struct decoded_monitor *monitor)
{
	char name[METRIC_NAME_BYTES];
	const int length = snprintf(name, sizeof(name), "assay.cost.%s.cpu_ms", monitor->name);
	assert(length > 0 && length < METRIC_NAME_BYTES);
	const struct metric metric = {
		.name = name,
		.unit = "ms",
		.what = "CPU time of the monitor's samples",
		.kind = METRIC_SCORE,
		.better = BETTER_LOWER,
		.role = ROLE_COST,
	};
	run_metric_add(run, &metric,
		       monitor->has_cost ? value_known((double)monitor->cpu_ns / 1e6)
					 : value_missing(why_not_come(run)));
}

static void add_monitor(struct decoded *decoded, struct decoded_monitor *monitor)
{
	struct run *run = decoded->run;
	add_rules(decoded, monitor);
	note_doubts(decoded, monitor);
	if (!monitor->absent_reason || monitor->has_cost)
		add_cost_metric(run, monitor);
	run->costs[run->n_costs++] = (struct monitor_cost) {
		.monitor = mem_text(monitor->name),
		.samples = monitor->samples,
		.cpu_ns = monitor->cpu_ns,
		.absent_reason = mem_text(monitor->absent_reason),
	};
	if (!monitor->absent_reason)
		move_series(run, monitor);
}

/* All monitors together, of one CPU over the window; missing as soon as one part is. */
static void add_total_cost(struct decoded *decoded)
{
	struct run *run = decoded->run;
	struct value total =
		decoded->has_lost_monitor ? value_missing(why_not_come(run)) : value_known(0);
	for (size_t i = 0; i < ARRAY_SIZE(decoded->monitors); i++) {
		const struct decoded_monitor *monitor = &decoded->monitors[i];
		if (!monitor->is_declared || (monitor->absent_reason && !monitor->has_cost))
			continue;
		if (!monitor->has_cost)
			total = value_missing(why_not_come(run));
		else if (value_is_known(total))
			total.number += (double)monitor->cpu_ns;
	}
	const struct value window = run_window_seconds(run);
	if (!value_is_known(window))
		total = window;
	else if (value_is_known(total))
		total = value_known(100 * total.number / (window.number * 1e9));
	const struct metric metric = {
		.name = "assay.cost.total_cpu_percent",
		.unit = "%",
		.what = "CPU time of all monitors over the window, of one CPU",
		.kind = METRIC_SCORE,
		.better = BETTER_LOWER,
		.role = ROLE_COST,
	};
	run_metric_add(run, &metric, total);
}

/* How the workers' own rates lie. */
struct fairness {
	struct value min, max, spread, deviation;
};

static struct fairness fairness_all(struct value value)
{
	return (struct fairness) { value, value, value, value };
}

static double rate_of(const struct worker *worker)
{
	return (double)worker->operations * 1e9 / (double)worker->elapsed_ns;
}

/* Mean and squares by Welford's update (Technometrics 4, 1962): rates may be large and near. */
static struct fairness fairness_of(const struct decoded *decoded)
{
	const struct run *run = decoded->run;
	/* A worker of which nothing was heard may be the slowest. */
	if (!decoded->has_ended || decoded->workers_came != decoded->workers_written)
		return fairness_all(value_missing(why_not_come(run)));
	double min = HUGE_VAL;
	double max = 0;
	double mean = 0;
	double squares = 0;
	for (size_t i = 0; i < run->n_workers; i++) {
		if (run->workers[i].elapsed_ns == 0)
			return fairness_all(value_missing(why_not_come(run)));
		const double rate = rate_of(&run->workers[i]);
		const double away = rate - mean;
		mean += away / (double)(i + 1);
		squares += away * (rate - mean);
		min = fmin(min, rate);
		max = fmax(max, rate);
	}
	return (struct fairness) {
		.min = value_known(min),
		.max = value_known(max),
		.spread = value_known(max - min),
		.deviation = run->n_workers > 1
				     ? value_known(sqrt(squares / (double)(run->n_workers - 1)))
				     : value_not_applicable(),
	};
}

static void add_fairness_metric(struct decoded *decoded, const char *last_word, const char *what,
				enum metric_better better, struct value value)
{
	const char *prefix = decoded->prefix[0] ? decoded->prefix : decoded->run->workload;
	char name[METRIC_NAME_BYTES];
	const int length = snprintf(name, sizeof(name), "%s%sworkers.%s", prefix,
				    prefix[0] ? "." : "", last_word);
	assert(length > 0);
	const struct metric metric = {
		.name = name,
		.unit = "ops/s",
		.what = what,
		.kind = METRIC_SCORE,
		.better = better,
		.role = ROLE_EVIDENCE,
	};
	run_metric_add(decoded->run, &metric, value);
}

static void add_fairness(struct decoded *decoded)
{
	const struct fairness fairness = fairness_of(decoded);
	add_fairness_metric(decoded, "ops_min", "rate of the slowest worker", BETTER_NONE,
			    fairness.min);
	add_fairness_metric(decoded, "ops_max", "rate of the fastest worker", BETTER_NONE,
			    fairness.max);
	add_fairness_metric(decoded, "ops_spread", "fastest less slowest worker", BETTER_LOWER,
			    fairness.spread);
	add_fairness_metric(decoded, "ops_stddev",
			    "sample standard deviation over the workers' rates", BETTER_LOWER,
			    fairness.deviation);
}

static void move_log(struct decoded *decoded)
{
	if (decoded->log.length)
		text_make_printable(decoded->log.bytes, decoded->log.length);
	free(decoded->run->log);
	decoded->run->log = text_take(&decoded->log);
}

struct run *finish_run(struct decoded *decoded)
{
	struct run *run = decoded->run;
	if (!decoded->has_ended) {
		run->outcome = RUN_TORN;
		free(run->reason);
		run->reason = mem_format("the record ends in phase %s without a last word",
					 phase_text(decoded->phase));
	}
	if (decoded->is_log_cut)
		text_add(&decoded->log,
			 "\nassay: the log was cut here, it is longer than %u bytes\n",
			 DECODE_LOG_BYTES_MAX);
	run->series = mem_array(WIRE_MONITORS_MAX, sizeof(*run->series));
	run->costs = mem_array(WIRE_MONITORS_MAX, sizeof(*run->costs));
	for (size_t i = 0; i < ARRAY_SIZE(decoded->monitors); i++)
		if (decoded->monitors[i].is_declared)
			add_monitor(decoded, &decoded->monitors[i]);
	if (run->n_costs)
		add_total_cost(decoded);
	if (run->n_workers)
		add_fairness(decoded);
	move_log(decoded);
	run_sort(run);
	decoded->run = NULL;
	return run;
}
