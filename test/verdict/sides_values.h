/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the runs of sides_made.h read: scores, evidence and facts, and those of a healthy machine.
 */
#pragma once

#include "base/macros.h"
#include "base/random.h"
#include "verdict/guard.h"
#include "verdict/sample.h"

static const struct metric made_rate = {
	"will-it-scale.per_process_ops", "ops/s", "", METRIC_SCORE, BETTER_HIGHER, ROLE_SCORE
};

struct sides_made {
	struct sample base, head;
	struct run_place *places[2];
	bool order_known; /* Else the sides have no places. */
	struct compared_side sides[2];
	struct plugin plugin;
	struct verdict_options options;
	struct comparison *comparison;
	struct random random;
};

/* Normal numbers of these means and this deviation, in per cent of the mean. */
static inline void made_metric(struct sides_made *made, const struct metric *metric, double base,
			       double head, double percent)
{
	for (size_t side = 0; side < 2; side++) {
		struct sample *sample = side ? &made->head : &made->base;
		const double mean = side ? head : base;
		for (size_t i = 0; i < sample->n_runs; i++)
			run_metric_add(
				sample->runs[i], metric,
				value_known(mean * (1.0 + percent / 100.0 *
								  random_normal(&made->random))));
	}
}

static inline void made_score(struct sides_made *made, double base, double head, double percent)
{
	made_metric(made, &made_rate, base, head, percent);
}

/* Evidence: the name alone says what it is. */
static inline void made_reading(struct sides_made *made, const char *name, double base, double head,
				double percent)
{
	const struct metric metric = { name, "1", "", METRIC_GAUGE, BETTER_NONE, ROLE_EVIDENCE };
	made_metric(made, &metric, base, head, percent);
}

static inline void made_fact(struct sides_made *made, const char *name, const char *text)
{
	sample_fact(&made->base, name, text);
	sample_fact(&made->head, name, text);
}

/* One worker on one of two CPUs, which it keeps busy. */
static inline void made_healthy(struct sides_made *made)
{
	static const struct {
		const char *name;
		double mean;
		double percent;
	} readings[] = {
		{ "getppid1.time.percent_of_cpu_this_job_got", 99.8, 0.1 },
		{ "getppid1.time.elapsed_time", 5.0, 0.01 },
		{ "getppid1.time.voluntary_context_switches", 4, 20 },
		{ "getppid1.workers.ops_min", 100, 1 },
		{ "getppid1.workers.ops_max", 102, 1 },
		{ "mpstat.cpu.all.usr%", 15, 2 },
		{ "mpstat.cpu.all.sys%", 35.5, 1 },
		{ "mpstat.cpu.all.idle%", 49, 0.5 },
		{ "mpstat.cpu.all.iowait%", 0, 0 },
		{ "mpstat.cpu.all.irq%", 0, 0 },
		{ "mpstat.cpu.all.soft%", 0.1, 10 },
		{ "mpstat.cpu.all.steal%", 0.4, 20 },
		{ "pressure.cpu.some.total_us", 9000, 20 },
		{ "pressure.io.some.total_us", 900, 20 },
		{ "pressure.memory.some.total_us", 0, 0 },
		{ "vmstat.swap.si", 0, 0 },
		{ "vmstat.swap.so", 0, 0 },
		{ "proc-vmstat.oom_kill", 0, 0 },
		{ "proc-vmstat.pgfault", 12000, 3 },
	};
	static const char *const facts[][2] = {
		{ "cpu.count", "2" },
		{ "cpu.possible", "0-1" },
		{ "cpu.vendor", "AuthenticAMD" },
		{ "cpu.model_name", "AMD EPYC" },
		{ "cpu.sockets", "1" },
		{ "node.count", "1" },
		{ "hypervisor", "kvm" },
		{ "machine.name", "vm" },
		{ "process.affinity", "0-1" },
		{ "cgroup.cpuset.cpus", "0-1" },
		{ "cgroup.cpu.max", "max" },
		{ "process.preload", "none" },
		{ "probe.flags", "-std=gnu17 debugoptimized -O2" },
		{ "clock.source", "tsc" },
		{ "clock.available", "tsc kvm-clock" },
		{ "kernel.build_id", "48dc540c8b76393804ca8088dbfa7d42911a9444" },
		{ "kernel.release", "6.18.44" },
		{ "kernel.command_line", "console=ttyS0 quiet psi=1" },
		{ "kernel.config.KASAN", "n" },
		{ "kernel.config.SLUB_DEBUG", "y" },
		{ "kernel.config.DEBUG_LIST", "y" },
		{ "throttle.core", "7" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(readings); i++)
		made_reading(made, readings[i].name, readings[i].mean, readings[i].mean,
			     readings[i].percent);
	for (size_t i = 0; i < ARRAY_SIZE(facts); i++)
		made_fact(made, facts[i][0], facts[i][1]);
}
