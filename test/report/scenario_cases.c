/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The made-up experiments of scenario.h. */
#include "report/scenario.h"

static void add_machine(struct sample *sample, const char *release)
{
	sample_fact(sample, "cpu.model_name", "Example CPU 3000 @ 2.40GHz");
	sample_fact(sample, "cpu.count", "2");
	sample_fact(sample, "node.count", "1");
	sample_fact(sample, "memory.total_mib", "7936");
	sample_fact(sample, "kernel.release", release);
	sample_fact(sample, "hypervisor", "none");
}

struct counted { /* A counter on two sides. */
	const char *name;
	const char *unit;
	double means[2];
	double deviations[2];
	enum verdict verdict;
};

static void add_counted(struct scenario *scenario, const struct counted *counted, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct metric metric = scenario_counter(counted[i].name, counted[i].unit);
		(void)scenario_pair(scenario, &metric, counted[i].means, counted[i].deviations,
				    counted[i].verdict);
	}
}

static void begin_plain(struct scenario *scenario)
{
	static const char *const names[] = { "base", "head" };
	*scenario = (struct scenario) { .n_sides = 2 };
	for (size_t i = 0; i < 2; i++) {
		struct sample *sample = &scenario->samples[i];
		*sample = sample_make(names[i], 10);
		sample_argument(sample, "groups", "4");
		sample_argument(sample, "ipc", "pipe");
		add_machine(sample, "6.1.0-18-amd64");
	}
	sample_setting(&scenario->samples[1], SETTING_SYSCTL, "vm.numa_stat", "0");
	scenario_begin(scenario);
}

void scenario_plain(struct scenario *scenario)
{
	static const struct counted counted[] = {
		{ "proc-vmstat.numa_hit", "1", { 4012345, 0 }, { 21000, 0 }, VERDICT_MOVED_DOWN },
		{ "proc-vmstat.pgfault",
		  "1",
		  { 1203000, 1321000 },
		  { 9000, 9000 },
		  VERDICT_MOVED_UP },
		{ "mpstat.cpu.all.idle%", "%", { 1.2, 3.1 }, { 0.2, 0.2 }, VERDICT_MOVED_UP },
		{ "vmstat.system.cs",
		  "1/s",
		  { 430456.7, 412345.6 },
		  { 2100, 2100 },
		  VERDICT_MOVED_DOWN },
		{ "meminfo.Percpu", "KiB", { 1216, 1280 }, { 0, 0 }, VERDICT_MOVED_UP },
		{ "meminfo.HugePages_Total", "1", { 0, 0 }, { 0, 0 }, VERDICT_UNMOVED },
		{ "softirqs.CPU0.SCHED", "1", { 5012, 5012 }, { 80, 80 }, VERDICT_UNMOVED },
	};
	begin_plain(scenario);
	(void)scenario_pair(scenario, &scenario_time, (double[]) { 1.2333, 1.2851 },
			    (double[]) { 0.006, 0.006 }, VERDICT_WORSE);
	(void)scenario_pair(scenario, &scenario_throughput, (double[]) { 81081, 77814 },
			    (double[]) { 400, 400 }, VERDICT_NOT_JUDGED);
	add_counted(scenario, counted, sizeof(counted) / sizeof(counted[0]));
	const struct metric silent = scenario_counter("pressure.cpu.some.total", "us");
	struct row *row = scenario_row(scenario, &silent);
	scenario_missing(scenario, row, 0, MISSING_ABSENT);
	scenario_missing(scenario, row, 1, MISSING_ABSENT);
	(void)scenario_pair(scenario, &scenario_cost, (double[]) { 0.07, 0.07 },
			    (double[]) { 0.01, 0.01 }, VERDICT_NOT_JUDGED);
}

static void add_difference(struct scenario *scenario, const char *fact, bool grave,
			   const char *base, const char *head)
{
	struct comparison *comparison = scenario->comparison;
	comparison->differences[comparison->n_differences++] = (struct difference) {
		.fact = mem_text(fact),
		.side = 1,
		.grave = grave,
		.base_text = mem_text(base),
		.side_text = mem_text(head),
	};
}

static void add_doubts(struct scenario *scenario)
{
	scenario_warn(scenario, "1 of 6 runs of 6.2 with \"patch, v2\" failed: hung: no progress "
				"for 10 s");
	scenario_warn(scenario, "1 of 6 runs of 6.2 with \"patch, v2\" was torn (probe or machine "
				"died)");
	scenario_warn(scenario, "no verdict on example.latency_p99_us: missing on 6.2 with "
				"\"patch, v2\": permission denied");
	scenario_note(scenario, "environment", /* metric= */ NULL, /* withholds= */ false,
		      "the two sides 6.1 and 6.2 with \"patch, v2\" differ in more than the "
		      "subject: cpu.governor, kernel.release");
	add_difference(scenario, "cpu.governor", true, "performance", "powersave");
	add_difference(scenario, "kernel.release", true, "6.1.0", "6.2.0");
	add_difference(scenario, "sysctl.vm.swappiness", false, "60", "10");
}

static void add_doubtful_scores(struct scenario *scenario)
{
	static const struct metric share = {
		"example.fairness_percent",
		"%",
		"share of the slowest worker",
		METRIC_SCORE,
		BETTER_HIGHER,
		ROLE_SCORE,
	};
	static const struct metric directionless = {
		"example.migrations", "1", "", METRIC_SCORE, BETTER_UNKNOWN, ROLE_SCORE
	};
	static const struct metric gone = {
		"example.latency_p99_us", "us", "", METRIC_SCORE, BETTER_LOWER, ROLE_SCORE
	};
	static const struct metric no_threads = {
		"example.per_thread_ops", "ops/s", "", METRIC_SCORE, BETTER_HIGHER, ROLE_SCORE
	};
	(void)scenario_pair(scenario, &share, (double[]) { 97.25, 91.63 }, (double[]) { 0.5, 0.5 },
			    VERDICT_WORSE);
	struct row *row = scenario_row(scenario, &gone);
	scenario_cell(scenario, row, 0, 250, 12);
	scenario_missing(scenario, row, 1, MISSING_DENIED);
	row->findings[1].verdict = VERDICT_UNDECIDED;
	row->findings[1].reason = mem_text("missing on 6.2 with \"patch, v2\": permission denied");
	(void)scenario_pair(scenario, &directionless, (double[]) { 80, 121.34 },
			    (double[]) { 5, 5 }, VERDICT_CHANGED);
	row = scenario_row(scenario, &no_threads);
	row->cells[0].n_not_applicable = 6;
	row->cells[1].n_not_applicable = 4;
	(void)scenario_pair(scenario, &scenario_time, (double[]) { 1.23, 1.253 },
			    (double[]) { 0.05, 0.05 }, VERDICT_UNDECIDED);
}

void scenario_doubtful(struct scenario *scenario)
{
	static const struct counted counted[] = {
		{ "numa-vmstat.node1.a_very_long_name_of_a_counter_that_wraps",
		  "pages",
		  { 2e12, 1e12 },
		  { 1e9, 1e9 },
		  VERDICT_MOVED_DOWN },
		{ "proc-vmstat.thp_fault_alloc", "1", { 0, 512.8 }, { 0, 3 }, VERDICT_MOVED_UP },
	};
	static const char *const names[] = { "6.1", "6.2 with \"patch, v2\"" };
	*scenario = (struct scenario) { .n_sides = 2 };
	for (size_t i = 0; i < 2; i++) {
		scenario->samples[i] = sample_make(names[i], 6);
		add_machine(&scenario->samples[i], i ? "6.2.0" : "6.1.0");
	}
	sample_fail(&scenario->samples[1], 0, RUN_FAILED, "hung: no progress for 10 s");
	sample_fail(&scenario->samples[1], 3, RUN_TORN, "");
	scenario_begin(scenario);
	add_doubts(scenario);
	add_doubtful_scores(scenario);
	add_counted(scenario, counted, 2);
}

void scenario_three(struct scenario *scenario)
{
	static const char *const names[] = { "default", "thp-off", "two-groups" };
	*scenario = (struct scenario) { .n_sides = 3 };
	for (size_t i = 0; i < 3; i++) {
		struct sample *sample = &scenario->samples[i];
		*sample = sample_make(names[i], 8);
		sample_argument(sample, "groups", i == 2 ? "2" : "4");
		add_machine(sample, "6.1.0-18-amd64");
	}
	sample_setting(&scenario->samples[1], SETTING_SYSFS,
		       "kernel/mm/transparent_hugepage/enabled", "never");
	sample_setting(&scenario->samples[2], SETTING_PARAM, "groups", "2");
	scenario_begin(scenario);
	struct row *row = scenario_row(scenario, &scenario_time);
	const struct metric huge = scenario_counter("proc-vmstat.thp_fault_alloc", "1");
	struct row *moved = scenario_row(scenario, &huge);
	for (size_t i = 0; i < 3; i++) {
		scenario_cell(scenario, row, i, i == 2 ? 0.61 : 1.2333, 0.004);
		scenario_cell(scenario, moved, i, i == 1 ? 0 : 37, i == 1 ? 0 : 1);
	}
	(void)scenario_judge(scenario, row, 1, VERDICT_SAME, 1.0);
	(void)scenario_judge(scenario, row, 2, VERDICT_BETTER, 0.00008);
	(void)scenario_judge(scenario, moved, 1, VERDICT_MOVED_DOWN, 1e-20);
	(void)scenario_judge(scenario, moved, 2, VERDICT_UNMOVED, 1.0);
}

static const struct mark expected = {
	.target = (char[]) { "hackbench.throughput" },
	.point = (char[]) { "" },
	.tolerance_percent = 5.0,
	.why = (char[]) { "the counters were moved" },
	.who = (char[]) { "anna" },
	.when_wall_ns = 1795996800000000000,
};
static const struct mark invalid = {
	.target = (char[]) { "" },
	.point = (char[]) { "hackbench/*" },
	.invalid = true,
	.tolerance_percent = (double)NAN,
	.why = (char[]) { "the cooling had failed" },
	.who = (char[]) { "bert" },
	.when_wall_ns = 1795996800000000000,
};

static void add_guarded_scores(struct scenario *scenario)
{
	struct row *row = scenario_pair(scenario, &scenario_time, (double[]) { 1.2333, 1.2851 },
					(double[]) { 0.006, 0.006 }, VERDICT_WITHHELD);
	row->findings[1].unguarded = VERDICT_WORSE;
	row->findings[1].guard = "starved";
	row->findings[1].reason = mem_text("the CPUs of head were idle 61 % of the time");

	struct metric metric = scenario_throughput;
	metric.role = ROLE_SCORE;
	row = scenario_pair(scenario, &metric, (double[]) { 81081, 75814 }, (double[]) { 400, 400 },
			    VERDICT_WORSE);
	row->findings[1].method = "sequential block permutation";
	row->findings[1].look_runs = 8;
	row->mark = &expected;

	metric = (struct metric) {
		"w.latency_us", "us", "", METRIC_SCORE, BETTER_LOWER, ROLE_SCORE
	};
	row = scenario_pair(scenario, &metric, (double[]) { 250, 254 }, (double[]) { 9, 9 },
			    VERDICT_UNDECIDED);
	row->findings[1].p_adjusted = 0.31;
	row->findings[1].runs_wanted = 34;

	metric.name = "w.pages";
	metric.better = BETTER_HIGHER;
	row = scenario_pair(scenario, &metric, (double[]) { 500, 530 }, (double[]) { 9, 9 },
			    VERDICT_BETTER);
	row->findings[1].method = "moderated t";
	row->findings[1].provisional = true;
	row->findings[1].margin = 2.4;

	metric.name = "w.setup_us";
	row = scenario_pair(scenario, &metric, (double[]) { 50, 53 }, (double[]) { 3, 3 },
			    VERDICT_UNDECIDED);
	row->findings[1].p_adjusted = 0.1;
	row->findings[1].smallest_p = 0.1;
	row->findings[1].low = -(double)INFINITY;
	row->findings[1].high = (double)INFINITY;
}

void scenario_guarded(struct scenario *scenario)
{
	static const struct counted counted[] = {
		{ "softirqs.SCHED", "1", { 117, 38 }, { 7, 4 }, VERDICT_MOVED_DOWN },
		{ "proc-vmstat.pgfault",
		  "1",
		  { 1203000, 1321000 },
		  { 9000, 9000 },
		  VERDICT_MOVED_UP },
		{ "interrupts.LOC", "1", { 1697, 552 }, { 160, 70 }, VERDICT_MOVED_DOWN },
		{ "vmstat.procs.r", "1", { 40.3, 10.7 }, { 5.8, 2.7 }, VERDICT_MOVED_DOWN },
		{ "meminfo.Percpu", "KiB", { 1216, 1280 }, { 0, 0 }, VERDICT_MOVED_UP },
		{ "meminfo.MemFree", "KiB", { 900, 900 }, { 10, 10 }, VERDICT_UNMOVED },
	};
	begin_plain(scenario);
	struct comparison *comparison = scenario->comparison;
	comparison->options.sequential_max = 20;
	comparison->marks[0] = &invalid;
	comparison->n_marks = 1;
	scenario_note(scenario, "starved", "hackbench.time_sec", /* withholds= */ true,
		      "the CPUs of head were idle 61 % of the time");
	scenario_note(scenario, "drift", /* metric= */ NULL, /* withholds= */ false,
		      "the runs became 3.1 % slower over the session");
	add_guarded_scores(scenario);
	const size_t first = comparison->n_rows;
	add_counted(scenario, counted, sizeof(counted) / sizeof(counted[0]));
	static const size_t together[] = { 0, 2, 3 };
	for (size_t i = 0; i < 3; i++) {
		comparison->rows[first + together[i]].cluster = 1;
		comparison->rows[first + together[i]].n_cluster = 3;
	}
	comparison->rows[first + 1].cluster = 2; /* Alone in it: nothing moves with it. */
	comparison->rows[first + 1].n_cluster = 1;
	comparison->rows[first + 1].mark = &expected;
}
