/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What was measured, where and how, in words: the lines that stand above the numbers. All answers
 * are new strings.
 */
#pragma once

#include "verdict/comparison.h"

/* "AMD EPYC 7B13, 2 CPUs, 7.8 GiB, Linux 6.1.0-18-amd64" of a side's first complete run. */
char *describe_machine(const struct compared_side *side);

/* "ipc=pipe groups=4": the parameters that no subject sets. */
char *describe_parameters(const struct comparison *comparison);

/* "sysctl vm.numa_stat=0, env FOO=bar", or "no settings". */
char *describe_settings(const struct job *job);

/* "10 runs", "10 of 12 runs complete". */
char *describe_runs(const struct comparison *comparison, size_t side);

/* "better is lower", "no direction": of a metric. Static. */
const char *describe_direction(enum metric_better better);

/* The metric that holds what assay's own measuring cost, or NULL. */
const struct row *describe_cost_row(const struct comparison *comparison);
