/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the rows of looping workloads have in common: the parameters that the harness asks for, and
 * the metrics of a test in the manner of will-it-scale. Comes with workload/workload.h.
 */
#pragma once

#include "record/catalogue.h"

/* Parameters that every WORK_LOOP has; put it into its table before its own. */
/* clang-format off */
#define WORKLOAD_LOOP_PARAMETERS                                                                   \
	{ .name = "mode", .what = "workers are processes or threads",                              \
	  .type = PARAMETER_WORD, .preset = "process", .words = "process thread" },                \
	{ .name = "nr_task", .alias = "t", .what = "number of workers",                            \
	  .type = PARAMETER_NUMBER, .preset = "1", .min = 1, .max = 16384,                         \
	  .percent_of_cpus = true },                                                               \
	{ .name = "pin", .what = "bind worker i to the i-th core, the i-th CPU, or not at all",    \
	  .type = PARAMETER_WORD, .preset = "core", .words = "core cpu none" },                    \
	{ .name = "warmup", .what = "seconds before the measured window",                          \
	  .type = PARAMETER_SECONDS, .preset = "1", .min = 0, .max = 3600 },                       \
	{ .name = "duration", .alias = "s", .what = "seconds of the measured window",              \
	  .type = PARAMETER_SECONDS, .preset = "5", .min = 0, .max = 86400 },                      \
	{ .name = "burn_permille",                                                                 \
	  .what = "time burnt behind each batch, thousandths of its own: a slow-down to test on",   \
	  .type = PARAMETER_NUMBER, .preset = "0", .min = 0, .max = 10000 }

/* The metrics of a will-it-scale test. */
#define WORKLOAD_RATE_METRICS                                                                      \
	{ .name = "will-it-scale.per_process_ops", .unit = "ops/s", .kind = METRIC_SCORE,          \
	  .better = BETTER_HIGHER, .role = ROLE_SCORE,                                             \
	  .what = "operations per second and process" },                                           \
	{ .name = "will-it-scale.per_thread_ops", .unit = "ops/s", .kind = METRIC_SCORE,           \
	  .better = BETTER_HIGHER, .role = ROLE_SCORE,                                             \
	  .what = "operations per second and thread" },                                            \
	{ .name = "will-it-scale.workload", .unit = "ops/s", .kind = METRIC_SCORE,                 \
	  .better = BETTER_HIGHER, .role = ROLE_RESTATED,                                          \
	  .what = "operations per second, sum over workers" }
/* clang-format on */
