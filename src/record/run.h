/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run as the controller holds it: read back from a record stream or from the store. Everything
 * is owned by the run.
 */
#pragma once

#include "base/auto.h"
#include "record/channel.h"
#include "record/metric.h"
#include "record/value.h"

#include <stddef.h>
#include <stdint.h>

/* Numbers are part of the wire and store formats: only append. */
enum run_outcome {
	RUN_COMPLETE = 0, /* Measured to the end. */
	RUN_FAILED = 1,   /* The workload hung, died, was killed, or answered a failure; reason says
			     which. */
	RUN_UNSUPPORTED =
		2,    /* It cannot work here (missing node, kernel option); nothing was measured. */
	RUN_TORN = 3, /* The stream ended without a last word: probe or machine died. */
	RUN_INTERRUPTED = 4, /* Stopped by the person. */
	RUN_OUTCOME_COUNT,
};

/* Phases as marked in the stream. Numbers are part of the formats: only append. */
enum phase {
	PHASE_PREPARE = 0,
	PHASE_WARMUP = 1,
	PHASE_MEASURE = 2,
	PHASE_STOP = 3,
	PHASE_TEARDOWN = 4,
	PHASE_COUNT,
};

struct fact {       /* One value of the environment. */
	char *name; /* "cpu.model", "sysctl.vm.swappiness". */
	enum value_state state;
	enum missing why;
	char *text; /* NULL unless known. */
};

struct measured { /* A metric with its value in this run; strings owned by the run. */
	struct metric metric;
	struct value value;
};

struct worker {
	uint64_t operations; /* Inside the window. */
	uint64_t elapsed_ns; /* The worker's own window; 0 when nothing was heard of the worker. */
};

struct series { /* The raw samples of one monitor. */
	char *monitor;
	struct channel *channels;
	uint32_t n_channels;
	uint64_t *times_ns;       /* CLOCK_MONOTONIC, one a sample. */
	struct reading *readings; /* n_samples rows of n_channels. */
	uint32_t n_samples;
};

struct monitor_cost {
	char *monitor;
	uint64_t samples;
	uint64_t cpu_ns;     /* CPU time of all its samples. */
	char *absent_reason; /* Why it gave nothing, or NULL. */
};

struct run {
	char *workload;
	uint32_t semantics;
	char *probe_version;
	char *isolation; /* "pid-namespace", "pid-namespace+user-namespace", "cgroup", "subreaper".
			  */
	uint64_t started_wall_ns;
	uint64_t phase_ns[PHASE_COUNT]; /* CLOCK_MONOTONIC at the start of each; 0 = never reached.
					 */
	enum run_outcome outcome;
	char *reason;                       /* Of an outcome that is not complete; "" otherwise. */
	struct measured *metrics;           /* Sorted by name, unique. */
	size_t n_metrics, metrics_capacity; /* The capacities are run_..._add's own. */
	struct fact *facts;                 /* Sorted by name, unique. */
	size_t n_facts, facts_capacity;
	struct worker *workers;
	size_t n_workers;
	struct series *series;
	size_t n_series;
	struct monitor_cost *costs;
	size_t n_costs;
	char *log; /* What the workload and the probe said; "" when nothing. */
};

struct run *run_new(void);
void run_free(struct run *run); /* NULL is allowed. */

/* By name; NULL when the run has no such metric or fact. Borrowed. */
const struct measured *run_metric_find(const struct run *run, const char *name);
const struct fact *run_fact_find(const struct run *run, const char *name);

/* Adds one metric or fact (copying the strings); keeps the arrays sorted only after run_sort. */
void run_metric_add(struct run *run, const struct metric *metric, struct value value);
void run_fact_add(struct run *run, const char *name, enum value_state state, enum missing why,
		  const char *text);
void run_sort(struct run *run); /* Of names that stand twice, the first added stays. */

/* Seconds of the measured window; missing when it was not reached or not ended. */
struct value run_window_seconds(const struct run *run);

const char *run_outcome_text(enum run_outcome outcome); /* "complete", "failed", ... */
const char *phase_text(enum phase phase);               /* "prepare", "warm-up", ... */

DEFINE_AUTO(run, struct run *, run_free);
