/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Made-up experiments for the renderers. See scenario.h. */
#include "report/scenario.h"

#include <stdlib.h>

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

void scenario_counted(struct sample *sample, const char *name, const char *unit, double mean,
		      double deviation)
{
	const struct metric metric = scenario_counter(name, unit);
	sample_spread(sample, &metric, mean, deviation);
}

static void add_machine(struct sample *sample, const char *release)
{
	sample_fact(sample, "cpu.model_name", "Example CPU 3000 @ 2.40GHz");
	sample_fact(sample, "cpu.count", "2");
	sample_fact(sample, "node.count", "1");
	sample_fact(sample, "memory.total_mib", "7936");
	sample_fact(sample, "kernel.release", release);
	sample_fact(sample, "hypervisor", "none");
}

void scenario_judge(struct scenario *scenario)
{
	for (size_t i = 0; i < scenario->n_sides; i++)
		scenario->sides[i] = sample_side(&scenario->samples[i]);
	struct error err = { 0 };
	const struct verdict_options options = { 0 };
	if (comparison_make(scenario->sides, scenario->n_sides, &options, &scenario->comparison,
			    &err) < 0)
		abort();
}

void scenario_done(struct scenario *scenario)
{
	comparison_free(scenario->comparison);
	for (size_t i = 0; i < scenario->n_sides; i++)
		sample_done(&scenario->samples[i]);
}

void scenario_plain(struct scenario *scenario)
{
	*scenario = (struct scenario) { .n_sides = 2 };
	const char *const names[] = { "base", "head" };
	for (size_t i = 0; i < 2; i++) {
		struct sample *sample = &scenario->samples[i];
		*sample = sample_make(names[i], 10);
		sample_argument(sample, "groups", "4");
		sample_argument(sample, "ipc", "pipe");
		add_machine(sample, "6.1.0-18-amd64");
		sample_fact(sample, "sysctl.vm.numa_stat", i ? "0" : "1");
		sample_fact(sample, "load.1", i ? "0.31" : "0.02");
		sample_spread(sample, &scenario_time, i ? 1.2851 : 1.2333, 0.006);
		sample_spread(sample, &scenario_throughput, i ? 77814.0 : 81081.0, 400.0);
		sample_spread(sample, &scenario_cost, 0.07, 0.01);
		scenario_counted(sample, "proc-vmstat.pgfault", "1", i ? 1321000 : 1203000, 9000);
		scenario_counted(sample, "proc-vmstat.numa_hit", "1", i ? 0 : 4012345,
				 i ? 0 : 21000);
		scenario_counted(sample, "softirqs.CPU0.SCHED", "1", 5012, 80);
		scenario_counted(sample, "vmstat.system.cs", "1/s", i ? 412345.6 : 430456.7, 2100);
		scenario_counted(sample, "mpstat.cpu.all.idle%", "%", i ? 3.1 : 1.2, 0.2);
		scenario_counted(sample, "meminfo.HugePages_Total", "1", 0, 0);
		scenario_counted(sample, "meminfo.Percpu", "KiB", i ? 1280 : 1216, 0);
		const struct metric silent = scenario_counter("pressure.cpu.some.total", "us");
		sample_state(sample, &silent, value_missing(MISSING_ABSENT));
	}
	sample_setting(&scenario->samples[1], SETTING_SYSCTL, "vm.numa_stat", "0");
	scenario_judge(scenario);
}

void scenario_doubtful(struct scenario *scenario)
{
	static const struct metric share = { "example.fairness_percent",
					     "%",
					     "share of the slowest "
					     "worker",
					     METRIC_SCORE,
					     BETTER_HIGHER,
					     ROLE_SCORE };
	static const struct metric directionless = {
		"example.migrations", "1", "", METRIC_SCORE, BETTER_UNKNOWN, ROLE_SCORE
	};
	static const struct metric gone = {
		"example.latency_p99_us", "us", "", METRIC_SCORE, BETTER_LOWER, ROLE_SCORE
	};
	static const struct metric no_threads = {
		"example.per_thread_ops", "ops/s", "", METRIC_SCORE, BETTER_HIGHER, ROLE_SCORE
	};
	*scenario = (struct scenario) { .n_sides = 2 };
	const char *const names[] = { "6.1", "6.2 with \"patch, v2\"" };
	for (size_t i = 0; i < 2; i++) {
		struct sample *sample = &scenario->samples[i];
		*sample = sample_make(names[i], 6);
		add_machine(sample, i ? "6.2.0" : "6.1.0");
		sample_fact(sample, "cpu.governor", i ? "powersave" : "performance");
		sample_fact(sample, "sysctl.vm.swappiness", i ? "10" : "60");
		sample_spread(sample, &scenario_time, i ? 1.24 : 1.23, 0.05);
		sample_spread(sample, &share, i ? 91.5 : 97.25, 0.5);
		sample_spread(sample, &directionless, i ? 120 : 80, 5);
		if (i)
			sample_state(sample, &gone, value_missing(MISSING_DENIED));
		else
			sample_spread(sample, &gone, 250, 12);
		sample_state(sample, &no_threads, value_not_applicable());
		scenario_counted(sample, "proc-vmstat.thp_fault_alloc", "1", i ? 512 : 0,
				 i ? 3 : 0);
		scenario_counted(sample,
				 "numa-vmstat.node1.a_very_long_name_of_a_counter_that_wraps",
				 "pages", i ? 1e12 : 2e12, 1e9);
	}
	sample_fail(&scenario->samples[1], 0, RUN_FAILED, "hung: no progress for 10 s");
	sample_fail(&scenario->samples[1], 3, RUN_TORN, "");
	scenario_judge(scenario);
}

void scenario_three(struct scenario *scenario)
{
	*scenario = (struct scenario) { .n_sides = 3 };
	const char *const names[] = { "default", "thp-off", "two-groups" };
	for (size_t i = 0; i < 3; i++) {
		struct sample *sample = &scenario->samples[i];
		*sample = sample_make(names[i], 8);
		sample_argument(sample, "groups", i == 2 ? "2" : "4");
		add_machine(sample, "6.1.0-18-amd64");
		sample_fact(sample, "thp.enabled", i == 1 ? "never" : "always");
		sample_spread(sample, &scenario_time, i == 2 ? 0.61 : 1.2333, 0.004);
		scenario_counted(sample, "proc-vmstat.thp_fault_alloc", "1", i == 1 ? 0 : 37,
				 i == 1 ? 0 : 1);
	}
	sample_setting(&scenario->samples[1], SETTING_SYSFS,
		       "kernel/mm/transparent_hugepage/enabled", "never");
	sample_setting(&scenario->samples[2], SETTING_PARAM, "groups", "2");
	scenario_judge(scenario);
}
