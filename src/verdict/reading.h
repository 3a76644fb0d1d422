/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the monitors and the workload itself read, by name, for the guards: "mpstat.cpu.all.idle%"
 * and, whose prefix is the workload's, "*.time.user_time".
 */
#pragma once

#include "verdict/comparison.h"

#include <stddef.h>

/* The row of that name, or whose name ends in what stands behind the '*'; NULL when absent. */
const struct row *reading_row(const struct comparison *comparison, const char *name);

/* Mean over the complete runs of a side; NaN when it was not read there. */
double reading_mean(const struct comparison *comparison, const char *name, size_t side);

/* CPUs that a run of the side could use, by its environment: online ones, bound by affinity, cpuset
 * and quota of the control group; NaN when not recorded. */
double reading_cpus(const struct comparison *comparison, size_t side);

/* CPUs of the whole machine that are online; NaN when not recorded. */
double reading_cpus_online(const struct comparison *comparison, size_t side);

/* CPUs that were kept busy by others than the run, of the whole machine; NaN when it is not known. */
double reading_cpus_of_others(const struct comparison *comparison, size_t side);
