/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The NUMA benchmarks of the autonuma-benchmark suite, in one: processes whose threads clear memory
 * again and again, while the kernel (bind=free) or an affinity decides where each is. The rows
 * numa01, numa01_THREAD_ALLOC, numa02 and numa02_SMT differ in what is below.
 */
#pragma once

#include "workload/workload.h"

#include <stdbool.h>

struct numa_bench_kind {
	bool is_pair;   /* Two processes, each with memory of its own that its threads touch whole
			 * before they loop; else one, whose first thread touches it piece by piece. */
	bool has_slice; /* A thread clears a slice of its own; else all clear all of it. */
};

/* Hooks of the rows. */
int numa_bench_prepare(struct work *work, const struct numa_bench_kind *kind, struct error *err);
int numa_bench_enter(struct worker_self *self, struct error *err);
int64_t numa_bench_batch(struct worker_self *self);
void numa_bench_leave(struct worker_self *self);
void numa_bench_score(const struct work *work, const struct tally *tally, struct value *ret_values);
void numa_bench_retire(struct work *work);

/* The tables of the rows; `binds`: the words of the parameter bind. */
/* clang-format off */
#define NUMA_BENCH_PARAMETERS(memory, clears, share, binds)                                        \
	{ .name = "memory_mib", .what = "MiB of memory of each process",                           \
	  .type = PARAMETER_NUMBER, .preset = (memory), .min = 1, .max = 16777216 },               \
	{ .name = "loops", .what = "how often each thread clears its memory",                      \
	  .type = PARAMETER_NUMBER, .preset = (clears), .min = 1, .max = 1000000000 },             \
	{ .name = "threads", .what = "threads of each process",                                    \
	  .type = PARAMETER_NUMBER, .preset = (share), .min = 1, .max = 16384,                     \
	  .percent_of_cpus = true },                                                               \
	{ .name = "bind", .what = "the kernel places freely, or tasks and memory are bound, "      \
				  "together or apart",                                             \
	  .type = PARAMETER_WORD, .preset = "free", .words = (binds) },                            \
	{ .name = "one_node", .what = "whether it is run at all where there are not two nodes",    \
	  .type = PARAMETER_WORD, .preset = "refuse", .words = "refuse allow" },                   \
	{ 0 }

#define NUMA_BENCH_METRICS(row)                                                                    \
	{ .name = "autonuma-benchmark." row ".seconds", .unit = "s", .kind = METRIC_SCORE,         \
	  .better = BETTER_LOWER, .role = ROLE_SCORE,                                              \
	  .what = "time from the release of the processes to the end of the last" },               \
	{ .name = "autonuma-benchmark." row ".nodes", .unit = "1", .kind = METRIC_SCORE,           \
	  .better = BETTER_NONE, .role = ROLE_EVIDENCE,                                            \
	  .what = "NUMA nodes with memory that it could use; 1: placement meant nothing" },        \
	{ 0 }

#define NUMA_BENCH_NEEDS                                                                           \
	.suite = "autonuma-benchmark", .semantics = 1, .needs = NEED_NODES, .monitor = "placement", \
	.needs_why = "where tasks and memory are is the question; one_node=allow runs it anyway"

#define NUMA_BENCH_HOOKS                                                                           \
	.shape = WORK_FIXED, .enter = numa_bench_enter, .batch = numa_bench_batch,                 \
	.leave = numa_bench_leave, .score = numa_bench_score, .retire = numa_bench_retire
/* clang-format on */
