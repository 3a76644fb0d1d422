/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the end of a stream makes of it: metrics, costs, fairness, missing states. */
#include "record/finish.h"

#include "base/macros.h"
#include "base/mem.h"
#include "made.h"

#include <stdlib.h>

static struct run *read_and_free(struct made *made)
{
	made_close(made);
	struct run *run = made_read(made->bytes, made->length, made->length, NULL);
	made_free(made);
	return run;
}

static void rules_are_reduced_over_the_window_under_the_monitor_s_name(void **state)
{
	struct made made = made_whole();
	AUTO(run) struct run *run = made_read(made.bytes, made.length, made.length, NULL);
	CHECK_KNOWN(run, "proc-vmstat.pgfault", 800);
	CHECK_KNOWN(run, "proc-vmstat.nr_free_pages", 25);
	CHECK_KNOWN(run, "proc-vmstat.nr_free_pages_max", 40);
	made_free(&made);
}

static void a_monitor_s_cost_is_a_metric_of_its_own(void **state)
{
	struct made made = made_whole();
	AUTO(run) struct run *run = made_read(made.bytes, made.length, made.length, NULL);
	CHECK_KNOWN(run, "assay.cost.proc-vmstat.cpu_ms", 4);
	CHECK_KNOWN(run, "assay.cost.total_cpu_percent", 0.2);
	const struct metric *metric = &run_metric_find(run, "assay.cost.total_cpu_percent")->metric;
	CHECK_TEXT(metric->unit, "%");
	CHECK_INT(metric->role, ROLE_COST);
	CHECK_INT(metric->better, BETTER_LOWER);
	CHECK_TEXT(run_metric_find(run, "assay.cost.proc-vmstat.cpu_ms")->metric.unit, "ms");
	CHECK(run_metric_find(run, "assay.cost.pressure.cpu_ms") == NULL); /* It was absent. */
	CHECK_INT(run->costs[0].cpu_ns, 4000000);
	CHECK_INT(run->costs[0].samples, 3);
	made_free(&made);
}

static void fairness_over_the_workers_is_four_metrics(void **state)
{
	struct made made = made_whole();
	AUTO(run) struct run *run = made_read(made.bytes, made.length, made.length, NULL);
	CHECK_KNOWN(run, "will-it-scale.workers.ops_min", 100);
	CHECK_KNOWN(run, "will-it-scale.workers.ops_max", 300);
	CHECK_KNOWN(run, "will-it-scale.workers.ops_spread", 200);
	CHECK_KNOWN(run, "will-it-scale.workers.ops_stddev", 141.4213562373095);
	const struct metric *min = &run_metric_find(run, "will-it-scale.workers.ops_min")->metric;
	const struct metric *spread =
		&run_metric_find(run, "will-it-scale.workers.ops_spread")->metric;
	CHECK_TEXT(min->unit, "ops/s");
	CHECK_INT(min->better, BETTER_NONE);
	CHECK_INT(spread->better, BETTER_LOWER);
	CHECK_INT(spread->role, ROLE_EVIDENCE);
	made_free(&made);
}

static struct run *run_with_workers(const struct worker *workers, uint32_t n, uint32_t leave_out)
{
	struct made made = made_open();
	made_hello(&made);
	for (uint32_t i = 0; i < n; i++)
		if (i != leave_out)
			CHECK_INT(wire_worker(made.wire, i, &workers[i]), 0);
	CHECK_INT(wire_end(made.wire, RUN_COMPLETE, NULL), 0);
	return read_and_free(&made);
}

static void one_worker_has_no_deviation(void **state)
{
	const struct worker worker = { 50, 500000000 };
	AUTO(run) struct run *run = run_with_workers(&worker, 1, UINT32_MAX);
	CHECK_KNOWN(run, "will-it-scale.workers.ops_min", 100);
	CHECK_KNOWN(run, "will-it-scale.workers.ops_spread", 0);
	CHECK_INT(made_value(run, "will-it-scale.workers.ops_stddev").state, VALUE_NOT_APPLICABLE);
}

static void each_worker_s_rate_is_over_its_own_time(void **state)
{
	const struct worker workers[] = { { 10, 1000000000 }, { 20, 2000000000 } };
	AUTO(run) struct run *run = run_with_workers(workers, 2, UINT32_MAX);
	CHECK_KNOWN(run, "will-it-scale.workers.ops_spread", 0);
	CHECK_KNOWN(run, "will-it-scale.workers.ops_stddev", 0);
}

static void a_worker_that_ran_no_time_makes_fairness_missing(void **state)
{
	const struct worker workers[] = { { 10, 1000000000 }, { 0, 0 } };
	AUTO(run) struct run *run = run_with_workers(workers, 2, UINT32_MAX);
	CHECK_MISSING(run, "will-it-scale.workers.ops_min", MISSING_TORN);
	CHECK_MISSING(run, "will-it-scale.workers.ops_stddev", MISSING_TORN);
}

static void a_worker_that_was_never_heard_of_makes_fairness_missing(void **state)
{
	const struct worker workers[] = { { 10, 1000000000 },
					  { 3, 1000000000 },
					  { 9, 1000000000 } };
	AUTO(run) struct run *run = run_with_workers(workers, 3, 1);
	CHECK_MISSING(run, "will-it-scale.workers.ops_min", MISSING_TORN);
	CHECK_INT(run->workers[1].elapsed_ns, 0);
}

static void a_name_that_is_full_already_gets_no_prefix(void **state)
{
	static const uint32_t channel = 0;
	struct made made = made_open();
	const struct channel gauge = { "g", CHANNEL_GAUGE, 0 };
	made_hello(&made);
	CHECK_INT(wire_monitor(made.wire, 0, "mpstat", NULL), 0);
	CHECK_INT(wire_channel(made.wire, 0, 0, &gauge), 0);
	made_plain_rule(&made, 0, "cpu.all.idle%", METRIC_GAUGE, &channel);
	made_plain_rule(&made, 0, "mpstat.cpu.all.usr%", METRIC_GAUGE, &channel);
	made_plain_rule(&made, 0, "will-it-scale.time.user", METRIC_GAUGE, &channel);
	made_plain_rule(&made, 0, "mpstats", METRIC_GAUGE, &channel);
	CHECK_INT(wire_end(made.wire, RUN_COMPLETE, NULL), 0);
	AUTO(run) struct run *run = read_and_free(&made);
	CHECK(run_metric_find(run, "mpstat.cpu.all.idle%") != NULL);
	CHECK(run_metric_find(run, "mpstat.cpu.all.usr%") != NULL);
	CHECK(run_metric_find(run, "will-it-scale.time.user") != NULL);
	CHECK(run_metric_find(run, "mpstat.mpstats") != NULL);
}

/* The monitor of made_preface with the samples whose bit is set in `which`; a sample that is not
 * is written and lost. */
static struct run *run_with_samples(unsigned which, bool has_cost)
{
	struct made made = made_open();
	made_preface(&made);
	CHECK_INT(wire_phase(made.wire, PHASE_MEASURE, MADE_MEASURE_NS), 0);
	for (uint64_t i = 0; i < 3; i++)
		made_sample(&made, (i + 1) * 1000000000, 100 * i, (double)i);
	CHECK_INT(wire_phase(made.wire, PHASE_STOP, MADE_STOP_NS), 0);
	if (has_cost)
		CHECK_INT(wire_cost(made.wire, 0, 3, 0), 0);
	CHECK_INT(wire_end(made.wire, RUN_COMPLETE, NULL), 0);
	made_close(&made);
	uint8_t *kept = mem_zero(made.length);
	size_t length = 0;
	unsigned sample = 0;
	for (size_t at = 0; at < made.length;) {
		const size_t frame = made_frame_length(made.bytes + at);
		bool is_lost = false;
		if (made.bytes[at + 4] == WIRE_SAMPLE)
			is_lost = !(which >> sample++ & 1);
		if (!is_lost)
			memcpy(kept + length, made.bytes + at, frame);
		length += is_lost ? 0 : frame;
		at += frame;
	}
	struct run *run = made_read(kept, length, length, NULL);
	free(kept);
	made_free(&made);
	return run;
}

static void a_sample_lost_in_the_middle_costs_the_levels_and_not_the_counters(void **state)
{
	AUTO(run) struct run *run = run_with_samples(5, /* has_cost= */ true);
	CHECK_KNOWN(run, "proc-vmstat.pgfault", 200);
	CHECK_MISSING(run, "proc-vmstat.nr_free_pages", MISSING_TORN);
	CHECK_MISSING(run, "proc-vmstat.nr_free_pages_max", MISSING_TORN);
	CHECK_HOLDS(run->log, "'proc-vmstat': 2 of 3 samples came");
}

static void a_sample_lost_at_an_edge_costs_every_metric_of_its_monitor(void **state)
{
	for (unsigned which = 3; which <= 6; which += 3) {
		AUTO(run) struct run *run = run_with_samples(which, /* has_cost= */ true);
		CHECK_MISSING(run, "proc-vmstat.pgfault", MISSING_TORN);
		CHECK_MISSING(run, "proc-vmstat.nr_free_pages", MISSING_TORN);
		CHECK_INT(run->series[0].n_samples, 2);
	}
}

static void without_its_last_word_a_monitor_is_not_trusted(void **state)
{
	AUTO(run) struct run *run = run_with_samples(7, /* has_cost= */ false);
	CHECK_MISSING(run, "proc-vmstat.pgfault", MISSING_TORN);
	CHECK_MISSING(run, "assay.cost.proc-vmstat.cpu_ms", MISSING_TORN);
	CHECK_MISSING(run, "assay.cost.total_cpu_percent", MISSING_TORN);
	AUTO(run) struct run *whole = run_with_samples(7, /* has_cost= */ true);
	CHECK_KNOWN(whole, "proc-vmstat.pgfault", 200);
	CHECK_TEXT(whole->log, "");
}

static void a_sum_over_a_channel_that_was_lost_is_missing(void **state)
{
	static const uint32_t both[] = { 0, 2 };
	const struct channel counter = { "CPU0", CHANNEL_COUNTER, 64 };
	const struct reading readings[] = { reading_count(1), reading_count(2), reading_count(3) };
	const struct metric_rule rule = {
		.metric = { .name = "TIMER", .unit = "1", .kind = METRIC_COUNTER },
		.scale = 1,
		.parts = both,
		.n_parts = 2
	};
	struct made made = made_open();
	CHECK_INT(wire_monitor(made.wire, 0, "softirqs", NULL), 0);
	CHECK_INT(wire_channel(made.wire, 0, 0, &counter), 0);
	CHECK_INT(wire_channel(made.wire, 0, 1, &counter), 0); /* That of number 2 is lost. */
	CHECK_INT(wire_rule(made.wire, 0, &rule), 0);
	CHECK_INT(wire_phase(made.wire, PHASE_MEASURE, 1), 0);
	CHECK_INT(wire_sample(made.wire, 0, 1, readings, 3), 0);
	CHECK_INT(wire_sample(made.wire, 0, 2, readings, 3), 0);
	CHECK_INT(wire_phase(made.wire, PHASE_STOP, 2), 0);
	CHECK_INT(wire_cost(made.wire, 0, 2, 0), 0);
	CHECK_INT(wire_end(made.wire, RUN_COMPLETE, NULL), 0);
	AUTO(run) struct run *run = read_and_free(&made);
	CHECK_MISSING(run, "softirqs.TIMER", MISSING_TORN);
	CHECK_TEXT(run->series[0].channels[2].name, "lost-2");
}

static void a_failed_run_says_failed_and_not_torn(void **state)
{
	struct made made = made_open();
	made_preface(&made);
	CHECK_INT(wire_phase(made.wire, PHASE_MEASURE, MADE_MEASURE_NS), 0);
	made_sample(&made, MADE_MEASURE_NS, 1, 1);
	CHECK_INT(wire_end(made.wire, RUN_FAILED, "the workload hung"), 0);
	AUTO(run) struct run *run = read_and_free(&made);
	CHECK_INT(run->outcome, RUN_FAILED);
	CHECK_TEXT(run->reason, "the workload hung");
	CHECK_MISSING(run, "proc-vmstat.pgfault", MISSING_FAILED);
	CHECK_MISSING(run, "assay.cost.proc-vmstat.cpu_ms", MISSING_FAILED);
}

static void a_log_that_is_too_long_is_cut_with_a_word(void **state)
{
	const size_t length = DECODE_LOG_BYTES_MAX + 70000;
	AUTO(text) char *said = mem_zero(length + 1);
	memset(said, 'x', length);
	struct made made = made_open();
	CHECK_INT(wire_log(made.wire, said, length), 0);
	CHECK_INT(wire_log(made.wire, "behind", 6), 0);
	CHECK_INT(wire_end(made.wire, RUN_COMPLETE, NULL), 0);
	AUTO(run) struct run *run = read_and_free(&made);
	CHECK(strlen(run->log) < DECODE_LOG_BYTES_MAX + 200);
	CHECK_HOLDS(run->log + DECODE_LOG_BYTES_MAX, "the log was cut here");
	CHECK(strstr(run->log, "behind") == NULL);
}

static void foreign_bytes_in_the_log_and_in_facts_are_made_fit_to_print(void **state)
{
	struct made made = made_open();
	CHECK_INT(wire_log(made.wire, "a\x1b[2J\0b\n\xff\t", 10), 0);
	CHECK_INT(wire_fact(made.wire, "cmdline", VALUE_KNOWN, MISSING_NOT, "quiet\x07"), 0);
	CHECK_INT(wire_end(made.wire, RUN_COMPLETE, NULL), 0);
	AUTO(run) struct run *run = read_and_free(&made);
	CHECK_TEXT(run->log, "a?[2J?b\n?\t");
	CHECK_TEXT(run_fact_find(run, "cmdline")->text, "quiet?");
}

static void a_character_that_two_log_frames_share_stays_whole(void **state)
{
	struct made made = made_open();
	CHECK_INT(wire_log(made.wire, "\xc3", 1), 0);
	CHECK_INT(wire_log(made.wire, "\xa4", 1), 0);
	CHECK_INT(wire_end(made.wire, RUN_COMPLETE, NULL), 0);
	AUTO(run) struct run *run = read_and_free(&made);
	CHECK_TEXT(run->log, "\xc3\xa4");
}

static void a_score_that_comes_twice_counts_the_first_time(void **state)
{
	struct made made = made_open();
	made_score(&made, "b", value_known(1));
	made_score(&made, "a", value_known(2));
	made_score(&made, "b", value_known(3));
	CHECK_INT(wire_end(made.wire, RUN_COMPLETE, NULL), 0);
	AUTO(run) struct run *run = read_and_free(&made);
	CHECK_INT(run->n_metrics, 2);
	CHECK_TEXT(run->metrics[0].metric.name, "a");
	CHECK_KNOWN(run, "b", 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rules_are_reduced_over_the_window_under_the_monitor_s_name),
		cmocka_unit_test(a_monitor_s_cost_is_a_metric_of_its_own),
		cmocka_unit_test(fairness_over_the_workers_is_four_metrics),
		cmocka_unit_test(one_worker_has_no_deviation),
		cmocka_unit_test(each_worker_s_rate_is_over_its_own_time),
		cmocka_unit_test(a_worker_that_ran_no_time_makes_fairness_missing),
		cmocka_unit_test(a_worker_that_was_never_heard_of_makes_fairness_missing),
		cmocka_unit_test(a_name_that_is_full_already_gets_no_prefix),
		cmocka_unit_test(a_sample_lost_in_the_middle_costs_the_levels_and_not_the_counters),
		cmocka_unit_test(a_sample_lost_at_an_edge_costs_every_metric_of_its_monitor),
		cmocka_unit_test(without_its_last_word_a_monitor_is_not_trusted),
		cmocka_unit_test(a_sum_over_a_channel_that_was_lost_is_missing),
		cmocka_unit_test(a_failed_run_says_failed_and_not_torn),
		cmocka_unit_test(a_log_that_is_too_long_is_cut_with_a_word),
		cmocka_unit_test(foreign_bytes_in_the_log_and_in_facts_are_made_fit_to_print),
		cmocka_unit_test(a_character_that_two_log_frames_share_stays_whole),
		cmocka_unit_test(a_score_that_comes_twice_counts_the_first_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
